#!/bin/sh
# Make .venv (or VENV) if there is none that works, and install the locked requirements named as argument, if any.
#
# PYTHON chooses the interpreter; otherwise the first of the usual names that is new enough is taken. Whatever is
# installed already is not asked for again: a second run needs no network.
set -eu

venv=${VENV:-.venv}
python=$venv/bin/python

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

can_make_venvs() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

choose_python() {
    lacks_venv=
    for name in "${PYTHON:-python3}" ${PYTHON:-python3.14 python3.13 python3.12 python3.11}; do
        if is_new_enough "$name"; then
            if can_make_venvs "$name"; then
                echo "$name"
                return
            fi
            lacks_venv=${lacks_venv:-$name}
        fi
    done
    if [ -n "$lacks_venv" ]; then
        version=$("$lacks_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        echo "$lacks_venv cannot make virtual environments: its venv or ensurepip module is missing." >&2
        echo "On Debian and Ubuntu: apt-get install python$version-venv" >&2
    elif [ -n "${PYTHON:-}" ]; then
        echo "$PYTHON is not a Python 3.11 or newer." >&2
    else
        echo "Python 3.11 or newer is needed, and none was found; PYTHON=/path/to/python names one." >&2
    fi
    return 1
}

# An interrupted or moved environment is made anew; its pip must answer, not only its Python.
if ! "$python" -m pip --version >/dev/null 2>&1; then
    base=$(choose_python)
    echo "Making $venv with $("$base" --version)"
    rm -rf "$venv"
    "$base" -m venv "$venv"
fi

if [ $# -gt 0 ]; then
    # The copy of a lock says that it was installed: while it is equal there is nothing to do.
    stamp=$venv/installed-$(basename "$1")
    if ! cmp -s "$1" "$stamp"; then
        echo "Installing $1"
        # A lock names all there is, so there is nothing to resolve; and pip would ask for hashes of what a package wants
        # with extras, which the lock gives without.
        "$python" -m pip install --quiet --quiet --no-deps --require-hashes --requirement "$1"
        cp "$1" "$stamp"
    fi
fi
