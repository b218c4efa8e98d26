"""What every test runs under."""

import signal

from hypothesis import HealthCheck, settings

# Told to stop, tests end what they have started, as after Ctrl+C.
signal.signal(signal.SIGTERM, signal.default_int_handler)

# Time is never asserted, so a slow machine fails nothing. Each run draws anew, in CI too; a failure prints the blob
# that reproduces it.
settings.register_profile(
    "raven-dog",
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("raven-dog")
