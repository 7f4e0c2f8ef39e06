# Every command that people and CI run. `make setup` installs once into .venv;
# the others reuse it and ask no registry again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help setup demo test quick bench lint docs clean
help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP) ## install isomatch and what its tests need into .venv

# pip compiles on one core; compileall uses all, and commands start cold faster for it.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[dev]'
	-$(BIN)/python -m compileall -q -j 0 $(VENV)/lib python
	touch $(STAMP)

demo: $(STAMP) ## load, index and ask a sample graph
	$(BIN)/isomatch demo

lint: $(STAMP) ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(STAMP) lint ## everything: lint, unit, integration, end to end
	$(BIN)/pytest

quick: $(STAMP) ## the part of the tests that takes under two minutes
	$(BIN)/ruff check .
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -q -x -m 'not slow'

bench: $(STAMP) ## the table of figures, with the baseline in the same run
	$(BIN)/python -m tests.bench.bench

docs: $(STAMP) ## run the examples of README and docs
	$(BIN)/pytest -q tests/docs

clean: ## remove what the commands above made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench.json
