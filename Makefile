# make demo: a score in two minutes. make test: everything that must hold.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST ?= $(BIN)/pytest

.PHONY: help demo test test-browser test-training test-pages test-spacy-pipelines test-spacy37 test-spacy38 lint check format bench clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 16

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

$(VENV)-training/done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-training
	$(VENV)-training/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,training-tests]'
	@touch $@

test-training: $(VENV)-training/done  ## Trainer and two processes, with PyTorch on the CPU
	CLINEVAL_TESTS=training $(VENV)-training/bin/pytest tests/training

$(VENV)-pages/done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-pages
	$(VENV)-pages/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,app,browser]'
	@touch $@

test-pages: $(VENV)-pages/done  ## pages of the Spaces in a real Chromium (Debian: apt-get install chromium)
	CLINEVAL_TESTS=pages CLINEVAL_BROWSER=required $(VENV)-pages/bin/pytest tests/hub/test_page.py

test-browser: $(VENV)-pages/done  ## reports and the app in a real Chromium (Debian: apt-get install chromium)
	CLINEVAL_BROWSER=required $(VENV)-pages/bin/pytest tests/browser

$(VENV)-spacy%/done: tests/spacy_clin/pipelines/requirements-spacy%.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)-spacy$*
	$(VENV)-spacy$*/bin/python -m pip install --quiet --disable-pip-version-check --editable . --requirement $<
	@touch $@

test-spacy-pipelines: test-spacy37 test-spacy38  ## real pipelines of medspaCy, negspaCy and edsnlp

# what the packages warn of is theirs
test-spacy37: $(VENV)-spacy37/done
	CLINEVAL_TESTS=spacy37 $(VENV)-spacy37/bin/pytest -W default tests/spacy_clin --ignore tests/spacy_clin/test_equality.py

# edsnlp changes how all Docs are copied, so beside it only its own tests
test-spacy38: $(VENV)-spacy38/done
	CLINEVAL_TESTS=spacy38 $(VENV)-spacy38/bin/pytest -W default tests/spacy_clin/pipelines

format: $(VENV)/dev  ## put the code in form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)-pages/done  ## measure the budgets of the design
	@for script in tests/benchmarks/bench_*.py; do $(VENV)-pages/bin/python $$script || exit 1; done

clean:  ## remove the environment and all caches
	rm -rf $(VENV) $(VENV)-training $(VENV)-pages $(VENV)-spacy37 $(VENV)-spacy38 build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
