# make demo: a score in two minutes. make test: everything that must hold.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST ?= $(BIN)/pytest

.PHONY: help demo test test-browser lint check format bench clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 10

$(VENV)/core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/core  ## make the environment, install, score the bundled corpora
	@$(BIN)/clineval demo
	@echo "The command is $(BIN)/clineval; 'source $(BIN)/activate' puts it on your path."

test: lint check  ## lint, all tests, coverage

check: $(VENV)/dev
	$(PYTEST) --ignore tests/browser --numprocesses 2 --cov --cov-report term:skip-covered --cov-fail-under 95

lint: $(VENV)/dev  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/browser: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,browser,app]'
	@touch $@

test-browser: $(VENV)/browser  ## the report in a real Chromium (Debian: apt-get install chromium)
	CLINEVAL_BROWSER=required $(PYTEST) tests/browser

format: $(VENV)/dev  ## put the code in form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev  ## measure the budgets of the design
	@for script in tests/benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done

clean:  ## remove the environment and all caches
	rm -rf $(VENV) build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
