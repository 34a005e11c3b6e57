# The State Store from a bare machine: `make run` needs Python 3.11 and nothing else.

.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
ARGS ?=

# Each process takes tests that lie together, so that a server for a file is seldom started twice.
PYTEST := $(BIN)/pytest -n $(JOBS) --dist worksteal

# What is not kept is compiled at every start, and the tests start many servers and commands.
unexport PYTHONDONTWRITEBYTECODE

# The first Python 3.11 on the PATH, unless `make PYTHON=/path/to/python3.11` names another.
PYTHON ?=

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Only the public registry is asked: hashes of files that lie on one machine would fail elsewhere.
PIP_COMPILE := env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE=/dev/null \
	CUSTOM_COMPILE_COMMAND='make lock' \
	$(BIN)/pip-compile --quiet --no-config --allow-unsafe --generate-hashes --strip-extras \
	--no-emit-options

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# exec: the server itself receives the signals, and its exit code is the recipe's.
.PHONY: run
run: $(VENV)/.runtime ## Install what is missing and serve; ARGS="--help" shows the options
	@exec $(BIN)/statestore serve $(ARGS)

.PHONY: demo
demo: $(VENV)/.runtime ## Fill the running server with a data platform and an incident; ARGS="--tour"
	@exec $(BIN)/statestore demo $(ARGS)

.PHONY: test
test: $(VENV)/.dev dynamodb-local graphql-audit graphiql ## Run the tests; ARGS="-k incident" picks some, JOBS=4 uses more cores
	$(PYTEST) $(ARGS)

.PHONY: check
check: $(VENV)/.dev ## Look for mistakes: style, format, types, imports, pins
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/check_pins.py

.PHONY: format
format: $(VENV)/.dev ## Put the code into its one format
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

.PHONY: bench
bench: $(VENV)/.dev dynamodb-local ## Measure; ARGS is handed on
	$(BIN)/python -m benchmarks $(ARGS)

.PHONY: path
path: $(VENV)/.dev ## List the files that an update of a signal, its projection and a read enter
	$(BIN)/python -m tools.path

.PHONY: soak
soak: $(VENV)/.dev dynamodb-local graphql-audit graphiql ## Run every test at full scale; takes long
	TEST_SCALE=full $(PYTEST) -m "" -o faulthandler_timeout=3600 $(ARGS)
	TEST_ENGINE=dynamodb $(PYTEST) tests/entrypoints/http

.PHONY: generated
generated: protos openapi graphql reference ## Write every generated file; tests fail while one is out of date

.PHONY: openapi
openapi: $(VENV)/.runtime ## Write the description of the API to docs/openapi.json
	$(BIN)/statestore openapi > docs/openapi.json

.PHONY: golden
golden: $(VENV)/.dev ## Record the structure that is public or stored anew, in tests/golden/files
	$(BIN)/pytest tests/golden --update-golden

.PHONY: protos
protos: $(VENV)/.dev ## Write the code of the gRPC contract; refuses what breaks the contract
	$(BIN)/python -m tools.protos

.PHONY: graphql
graphql: $(VENV)/.runtime ## Write the GraphQL schema to docs/schema.graphql
	$(BIN)/statestore graphql > docs/schema.graphql

.PHONY: reference
reference: $(VENV)/.runtime ## Write the description of the tables to docs/tables.md
	$(BIN)/python -m tools.table_reference

.PHONY: lock
lock: $(VENV)/.dev ## Pin the dependencies again; ARGS=--upgrade moves to newer releases
	$(PIP_COMPILE) $(ARGS) --output-file=requirements.txt requirements.in
	$(PIP_COMPILE) $(ARGS) --output-file=requirements-dev.txt requirements-dev.in
	$(BIN)/python tools/check_pins.py

.PHONY: clean
clean: ## Remove what was installed, fetched and cached; keeps var/, the data
	rm -rf $(VENV) .tools build dist *.egg-info client/build client/dist client/*.egg-info
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: dynamodb-local
dynamodb-local: $(VENV)/.dev ## Fetch DynamoDB Local into .tools; docs/event-log.md says how to start it
	@$(BIN)/python -m tools.fetch dynamodb-local

.PHONY: graphql-audit
graphql-audit: $(VENV)/.dev ## Fetch the audit of GraphQL over HTTP into .tools, for the tests
	@$(BIN)/python -m tools.fetch graphql-audit

.PHONY: graphiql
graphiql: $(VENV)/.runtime ## Fetch GraphiQL into .tools, for browsers at /graphql; needs npm
	@$(BIN)/python -m tools.fetch graphiql

# Stamps: what is older than the pins is installed again, anything else is left alone.

$(VENV)/.runtime: requirements.txt requirements.in pyproject.toml client/pyproject.toml | $(BIN)/python
	@echo "Installing what the State Store needs into $(VENV)"
	@$(PIP_INSTALL) --require-hashes -r requirements.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e . -e ./client
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt requirements.in pyproject.toml client/pyproject.toml | $(BIN)/python
	@echo "Installing what working on the State Store needs into $(VENV)"
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e . -e ./client
	@touch $(VENV)/.runtime $@

$(BIN)/python:
	@tools/make_venv.sh $(VENV) "$(PYTHON)"
