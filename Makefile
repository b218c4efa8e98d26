# Raven & Dog: what is done with this repository, by name. Needs Python 3.11 or newer, make and git; `make help` lists it.
#
# Tools are always run as modules of .venv/bin/python: the scripts that pip writes name their interpreter by its full
# path, which breaks when that path holds a space or the directory moves.

PYTHON ?=
UV := uv==0.13.9
LOCK_OPTIONS ?=
ARCHITECTURE ?= arm64

python := .venv/bin/python
venv := PYTHON="$(PYTHON)" sh tools/venv.sh
compile := build/lock/bin/python -m uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(LOCK_OPTIONS)
as_dev := --constraints requirements/dev.txt --no-annotate

# What stands after a command can be read by everybody on the machine who lists its processes.
ifeq ($(origin TELEGRAM_TOKEN),command line)
$(error Please give the token before the command, where no list of processes shows it: TELEGRAM_TOKEN=… make $(MAKECMDGOALS))
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help play host package deploy doctor remove test bench transcript lint format lock clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\): ## /  make \1|/p' Makefile | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

play: ## open the local table on http://127.0.0.1:8080 (PORT=9000: on another port)
	@$(venv) requirements/local.txt
	$(python) -m handler.play

host: ## run the bot against Telegram by long polling; needs TELEGRAM_TOKEN
	@$(venv) requirements/local.txt
	$(python) -m handler.host

package: ## build the Lambda function's package and print its size (ARCHITECTURE=x86_64: for that instead of arm64)
	$(if $(filter arm64 x86_64,$(ARCHITECTURE)),,$(error ARCHITECTURE is arm64 or x86_64, not "$(ARCHITECTURE)"))
	@$(venv) requirements/aws.txt
	$(python) -m infra.operator.package --architecture $(ARCHITECTURE) --output build/package/function.zip

deploy: ## put the bot on AWS, or bring it up to date; asks for its token (credentials, settings: docs/deploy.md)
	@$(venv) requirements/aws.txt
	@VENV=build/sam $(venv) requirements/sam.txt
	$(python) -m handler.deploy

doctor: ## say whether the bot on AWS is well, and what to do where it is not (REGION, STACK: docs/deploy.md)
	@$(venv) requirements/aws.txt
	$(python) -m handler.doctor

remove: ## take the bot off AWS after exporting its matches; asks first (TABLE=delete, REGION, STACK: docs/deploy.md)
	@$(venv) requirements/aws.txt
	$(python) -m handler.remove

test: ## check formatting, lint and types, then run every test
	@$(venv) requirements/dev.txt
	@sh tools/chromium.sh
	$(python) -m ruff format --check
	$(python) -m ruff check
	$(python) -m mypy
	@sh tools/tests.sh $(python)

bench: ## measure how fast and how cheap the bot is (docs/performance.md); takes four minutes on an idle machine
	@$(venv) requirements/dev.txt
	@sh tools/aws.sh $(python)
	$(python) -m benchmarks

transcript: ## write docs/transcripts anew: whole matches, as people see them
	@$(venv) requirements/dev.txt
	$(python) -m tests.transcripts docs/transcripts

lint: ## check formatting, lint and types
	@$(venv) requirements/dev.txt
	$(python) -m ruff format --check
	$(python) -m ruff check
	$(python) -m mypy

format: ## format the code and mend what ruff can mend by itself
	@$(venv) requirements/dev.txt
	$(python) -m ruff format
	$(python) -m ruff check --fix

lock: ## write requirements/ anew from pyproject.toml (LOCK_OPTIONS=--upgrade: with the newest releases)
	@$(venv)
	$(python) -m venv build/lock
	build/lock/bin/python -m pip install --quiet $(UV)
	$(compile) pyproject.toml --extra local --extra aws --extra dev --output-file requirements/dev.txt
	$(compile) pyproject.toml --extra local $(as_dev) --output-file requirements/local.txt
	$(compile) pyproject.toml --extra aws $(as_dev) --output-file requirements/aws.txt
	$(compile) pyproject.toml $(as_dev) --output-file requirements/runtime.txt
	$(compile) requirements/sam.in --no-annotate --output-file requirements/sam.txt
	$(compile) requirements/lambda.in --no-annotate --output-file requirements/lambda.txt

clean: ## remove what these commands made, except the matches in var/ and export/
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
