# make demo: a score in two minutes. make test: what every change must pass, in five minutes.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST ?= $(BIN)/pytest
RANDOMLY = -p randomly $(if $(SEED),--randomly-seed $(SEED) --hypothesis-seed $(SEED))
PARALLEL := --ignore tests/browser --numprocesses auto --maxprocesses 8 --dist loadscope --no-loadscope-reorder
# a process that a test starts would else compile all that it imports
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-all test-browser test-training test-pages test-firefox test-harness test-spark test-least test-spacy-pipelines test-spacy37 test-spacy38 test-docs docs docs-serve notebooks reproduce lint check check-all check-rest format fuzz mutation audit bench dist clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 24

$(VENV)/core: pyproject.toml .ci/docs.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/core  ## make the environment, install, score the bundled corpora
	@$(BIN)/clineval demo
	@echo "The command is $(BIN)/clineval; 'source $(BIN)/activate' puts it on your path."

test: $(VENV)/dev  ## lint, types, and the tests that every change must pass: five minutes on two cores
	@$(MAKE) --no-print-directory --jobs 2 lint check

test-all: lint check-all  ## lint, types, all tests, coverage: half an hour; SEED=1 for the same examples again

check: $(VENV)/dev
	$(PYTEST) $(PARALLEL)

check-all: $(VENV)/dev
	CLINEVAL_TESTS=thorough $(PYTEST) $(PARALLEL) $(RANDOMLY) --cov --cov-report term:skip-covered --cov-fail-under 97

# what check-all has beyond check
check-rest: $(VENV)/dev
	CLINEVAL_TESTS=rest $(PYTEST) $(PARALLEL) $(RANDOMLY)

lint: $(VENV)/dev  ## ruff, mypy --strict, the rules of who imports whom, and the prose
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/prose.py

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

$(VENV)-firefox/done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-firefox
	$(VENV)-firefox/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[firefox-tests]'
	@touch $@

test-firefox: $(VENV)-firefox/done  ## reports of every module in a real Firefox (Debian: apt-get install firefox-esr)
	CLINEVAL_TESTS=firefox $(VENV)-firefox/bin/pytest -W default tests/browser/test_firefox.py

$(VENV)-spacy%/done: tests/spacy_clin/pipelines/requirements-spacy%.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)-spacy$*
	$(VENV)-spacy$*/bin/python -m pip install --quiet --disable-pip-version-check --editable . --requirement $<
	@touch $@

$(VENV)-harness/done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-harness
	$(VENV)-harness/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[harness-tests]' hypothesis pytest
	@touch $@

test-harness: $(VENV)-harness/done  ## Inspect, lm-evaluation-harness and torchmetrics, with scripted models
	CLINEVAL_TESTS=harness $(VENV)-harness/bin/pytest tests/harness

$(VENV)-spark/done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-spark
	$(VENV)-spark/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[spark]' datasets hypothesis pytest
	@touch $@

test-spark: $(VENV)-spark/done  ## tables of Spark, on two cores (Debian: apt-get install openjdk-17-jre-headless)
	CLINEVAL_TESTS=spark $(VENV)-spark/bin/pytest tests/spark

# the first version that each requirement allows; what these require in turn may be new
$(VENV)-least/done: pyproject.toml tests/packaging/least.txt
	$(PYTHON) -m venv $(VENV)-least
	$(VENV)-least/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(VENV)-least/bin/uv pip compile --quiet --python $(VENV)-least/bin/python --resolution lowest-direct $(LEAST:%=--extra %) --constraint tests/packaging/least.txt pyproject.toml --output-file $(VENV)-least/versions.txt
	$(VENV)-least/bin/uv pip install --quiet --python $(VENV)-least/bin/python --constraint $(VENV)-least/versions.txt --editable '.[dev]'
	@touch $@

LEAST := answers arrow evaluate ir plot report spacy zst
test-least: $(VENV)-least/done  ## the checks with the oldest packages that are allowed; PYTHON=python3.11
	$(VENV)-least/bin/pytest $(PARALLEL)

test-spacy-pipelines: test-spacy37 test-spacy38  ## real pipelines of medspaCy, negspaCy, edsnlp, clinlp, MedCAT, spacy-llm

# what the packages warn of is theirs
test-spacy37: $(VENV)-spacy37/done
	CLINEVAL_TESTS=spacy37 $(VENV)-spacy37/bin/pytest -W default tests/spacy_clin --ignore tests/spacy_clin/test_equality.py

# edsnlp changes how all Docs are copied, clinlp which factories there are: each by itself
test-spacy38: $(VENV)-spacy38/done
	@for package in negspacy edsnlp clinlp medcat spacy_llm; do \
	  CLINEVAL_TESTS=spacy38 $(VENV)-spacy38/bin/pytest -W default tests/spacy_clin/pipelines/test_$$package.py || exit 1; done

$(VENV)-docs/core: pyproject.toml
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)-docs/done: $(VENV)-docs/core
	$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[docs-tests]'
	@touch $@

docs: $(VENV)-docs/core  ## build the site of all manuals: build/docs/site/index.html
	cd docs && $(abspath $(VENV)-docs)/bin/python -m assembly

docs-serve: $(VENV)-docs/core  ## show the site on 127.0.0.1:8000; start it anew to see a change
	cd docs && $(abspath $(VENV)-docs)/bin/python -m assembly serve --dev-addr 127.0.0.1:8000

notebooks: $(VENV)-docs/done $(VENV)-training/done  ## run the tutorials anew and keep what they give
	cd docs && $(abspath $(VENV)-docs)/bin/python -m assembly.execution $(filter-out %/trainer.ipynb,$(abspath $(wildcard docs/tutorials/*.ipynb)))
	cd docs && $(abspath $(VENV)-training)/bin/python -m assembly.execution tutorials/trainer.ipynb

test-docs: $(VENV)-docs/done  ## the site in a real Chromium, and its tutorials (Debian: apt-get install chromium)
	CLINEVAL_TESTS=docs CLINEVAL_BROWSER=required $(VENV)-docs/bin/pytest tests/documentation/site

format: $(VENV)/dev  ## put the code in form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(VENV)/dev  ## try the contract for bad input: make fuzz CALLS=1000000 SEED=7 (calls in all)
	CLINEVAL_TESTS=fuzz CLINEVAL_FUZZ=$(or $(CALLS),200000) $(PYTEST) -n auto $(if $(SEED),--hypothesis-seed $(SEED)) tests/fuzz

mutation: $(VENV)/dev  ## change the code in small ways and see whether tests notice: make mutation COUNT=300 SEED=1 SUITE=fast
	$(BIN)/python tests/mutation/run.py --count $(or $(COUNT),300) --seed $(or $(SEED),1) --suite $(or $(SUITE),fast)

$(VENV)-audit/done: pyproject.toml
	$(PYTHON) -m venv --upgrade-deps $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' pip-audit
	@touch $@

audit: $(VENV)-audit/done  ## whether what the extras install has known weaknesses (asks PyPI)
	$(VENV)-audit/bin/pip-audit --skip-editable

reproduce: $(VENV)/dev  ## score anew what others published, from files that you have: make reproduce FILES=folder
	$(BIN)/python -m clineval.hub.reproduced $(FILES)

bench: $(VENV)-pages/done  ## measure the budgets of the design
	@for script in tests/benchmarks/bench_*.py; do $(VENV)-pages/bin/python $$script || exit 1; done

# the time of the commit is that of every file, so that whoever builds it gets the same bytes
dist: $(VENV)/dev  ## build the wheel and the source distribution, and check them
	$(BIN)/python .ci/metadata.py
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*

clean:  ## remove the environment and all caches
	rm -rf $(VENV) $(VENV)-training $(VENV)-pages $(VENV)-firefox $(VENV)-harness $(VENV)-spark $(VENV)-least $(VENV)-spacy37 $(VENV)-spacy38 $(VENV)-docs $(VENV)-audit build dist .coverage .hypothesis .mutation .mypy_cache .pytest_cache .ruff_cache
