#!/bin/sh
# Run every test. What mostly waits (for a browser, for programs in their own processes) runs beside what computes, so
# that two cores are enough for both; what it said is shown at the end. Usage: sh tools/tests.sh PYTHON
set -u

python=$1
said=build/tests-that-wait.log

mkdir -p build
"$python" -m pytest -p no:cacheprovider tests/browser tests/programs > "$said" 2>&1 &
waiting=$!
trap 'kill "$waiting" 2> /dev/null; exit 130' INT TERM

"$python" -m pytest --ignore=tests/browser --ignore=tests/programs
computed=$?
wait "$waiting"
waited=$?
cat "$said"
[ "$computed" -eq 0 ] && [ "$waited" -eq 0 ]
