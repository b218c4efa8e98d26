"""A stand-in for Telegram's Bot API: the same program serves the local table, the tests and the benchmarks."""
