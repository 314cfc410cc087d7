# `make demo` opens the demo, `make test` runs the tests; each makes its own virtual environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-spark fuzz lint bench train format reference pictures clean

demo: $(VENV)/installed
	$(BIN)/ehrtui demo

test: $(VENV)/tested
	$(BIN)/python -m pytest -n auto --dist worksteal -rs

# Spark itself is some 450 MB, and needs Java 17: its tests run only where somebody asks for them.
test-spark: $(VENV)/tested-spark
	$(BIN)/python -m pytest -rs -k spark tests/engines tests/commands

fuzz: $(VENV)/tested
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile=fuzz tests

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/tested
	$(BIN)/python -m benchmarks

train: $(VENV)/tested
	$(BIN)/python -m benchmarks.calibration
	$(BIN)/python -m benchmarks.model_confidence

reference: $(VENV)/tested
	$(BIN)/python -m tests.logic.algebra.reference_page

pictures: $(VENV)/tested
	$(BIN)/python -m tests.tui.pictures

format: $(VENV)/tested
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("ehrtui needs Python 3.11 or newer: make PYTHON=python3.11 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/tested: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	touch $@ $(VENV)/installed

$(VENV)/tested-spark: $(VENV)/tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pyspark[connect]>=4.1,<4.2'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
