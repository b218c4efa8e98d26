#!/bin/sh
# Install Chromium for the browser tests where Debian's packages may be installed. Without it those tests skip, so this
# script only ever says what is missing: it never fails.
set -u

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done

give_up() {
    echo "Chromium is missing: $1. The browser tests will be skipped."
    exit 0
}

command -v apt-get >/dev/null 2>&1 || give_up "install it with your system's package manager"

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    give_up "installing it takes root (apt-get install chromium)"
fi

echo "Installing Chromium for the browser tests"
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1 -o Acquire::http::Timeout=30"
$apt update </dev/null >/dev/null 2>&1
$apt install --yes --no-install-recommends chromium </dev/null >/dev/null 2>&1 || give_up "apt-get could not install it"
