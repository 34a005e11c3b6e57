#!/bin/sh
# Make the virtual environment $1 with Python 3.11: the one named in $2, or the first on the PATH.
set -eu

is_3_11() {
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null
}

for python in ${2:-python3.11 python3 python}; do
    if is_3_11 "$python"; then
        "$python" -m venv "$1" && exit
        # Half an environment would look like a whole one the next time.
        rm -rf "$1"
        exit 1
    fi
done

cat >&2 <<END
The State Store needs Python 3.11, and ${2:-what is on the PATH} is not that. Get it with one of

    apt-get install python3.11 python3.11-venv   Debian 12
    dnf install python3.11                       Fedora, RHEL
    brew install python@3.11                     macOS
    pyenv install 3.11                           anywhere

or name one that you have: make PYTHON=/path/to/python3.11
END
exit 1
