#!/bin/sh
# Run every test, in two halves at once. One mostly waits, for a browser and for programs in their own processes; with it
# go the tests of AWS, some of which need what is made first here, and the simulation, so that both take as long. The
# other computes. So two cores are enough for both; what the first half said is shown at the end.
# Usage: sh tools/tests.sh PYTHON
set -u

python=$1
said=build/tests-that-wait.log

mkdir -p build
{
    sh tools/aws.sh "$python"
    exec "$python" -m pytest -p no:cacheprovider tests/browser tests/programs tests/aws tests/simulation
} > "$said" 2>&1 &
waiting=$!
trap 'kill "$waiting" 2> /dev/null; exit 130' INT TERM

"$python" -m pytest --ignore=tests/browser --ignore=tests/programs --ignore=tests/aws --ignore=tests/simulation
computed=$?
wait "$waiting"
waited=$?
cat "$said"
[ "$computed" -eq 0 ] && [ "$waited" -eq 0 ]
