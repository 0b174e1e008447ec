# Needs only Python 3.11 or later, git and make. Everything else is installed into .venv from the hashed lock.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Which uv writes the lock; it is needed by nothing else.
UV := uv==0.13.9
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test check bench soak docs client lock clean

help:
	@echo "make demo   install what users get, then run the examples (under 2 minutes)"
	@echo "make test   run every test but the soak tests"
	@echo "make check  format, lint, types, architecture and the quick tests (under 90 s)"
	@echo "make bench  run every benchmark"
	@echo "make soak   run the tests that take minutes or much memory"
	@echo "make docs   write the reference pages that come from the source"
	@echo "make client write the types of clients/typescript from docs/reference/openapi.json, and build it"
	@echo "make lock   write requirements/*.txt again (UPGRADE=--upgrade for newer versions)"
	@echo "make clean  remove .venv and all that was made"

demo: .venv/.base
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

# Last, so that pytest's closing line ends the output.
test: .venv/.dev
	@sh tests/install_system.sh
	$(BIN)/python -m pytest -n $(WORKERS) -m "not soak"

check: .venv/.dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy src $(wildcard benchmarks tests) clients/typescript/npm.py
	$(BIN)/lint-imports --no-logo
	# Whole commands, servers, remote judges and fuzzing are left to make test.
	$(BIN)/python -m pytest -n $(WORKERS) -m "not soak and not slow" --ignore=tests/app --ignore=tests/fuzz \
		--ignore=tests/judges/test_remote.py --ignore=tests/judges/test_runs.py --ignore=tests/judges/test_commands.py \
		--ignore=tests/judges/test_clients.py --ignore=tests/test_bare_install.py

bench: .venv/.dev
	@set -e; for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python "$$file"; done

soak: .venv/.dev
	$(BIN)/python -m pytest -m soak

docs: .venv/.dev
	$(BIN)/python docs/generate.py

client: .venv/.dev
	$(BIN)/python clients/typescript/npm.py ci
	$(BIN)/python clients/typescript/npm.py run generate
	$(BIN)/python clients/typescript/npm.py run build

# The lock is two hashed lists, without addresses: whoever installs decides where from.
COMPILE = $(BIN)/uv pip compile --no-config --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --custom-compile-command "make lock" $(UPGRADE)

lock: $(BIN)/python
	$(PIP) install "$(UV)"
	$(COMPILE) pyproject.toml --group build -o requirements/base.txt
	$(COMPILE) pyproject.toml --extra server --extra postgres --extra otel --extra schema --extra zstd --group build \
		-c requirements/base.txt -o requirements/server.txt
	$(COMPILE) pyproject.toml --all-extras --group build --group dev -c requirements/server.txt -o requirements/dev.txt
	@! grep -nE '://|^ *--(index|extra|find|trusted)|(^| )/|@ ' requirements/*.txt \
		|| { echo "an address or a path got into the lock" >&2; exit 1; }

clean:
	rm -rf clients/typescript/node_modules clients/typescript/dist
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

# Stamps: what users get, and what contributors need on top of it.
.venv/.base: requirements/base.txt pyproject.toml | $(BIN)/python
	$(PIP) install --require-hashes -r requirements/base.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src || true # what pip does for an installed wheel
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.base
	$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@
