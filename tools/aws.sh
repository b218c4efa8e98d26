#!/bin/sh
# Make the environments that tests of AWS need beside .venv: Lambda's runtime in build/lambda, SAM in build/sam. Without
# them those tests skip, so this script only ever says what is missing: it never fails. Usage: sh tools/aws.sh PYTHON
set -u

for name in lambda sam; do
    if ! PYTHON=$1 VENV=build/$name sh tools/venv.sh "requirements/$name.txt"; then
        echo "build/$name cannot be made (is there a network?). The tests that need it will be skipped."
    fi
done
