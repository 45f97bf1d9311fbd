# Two commands do everything: `make demo` and `make test`. `make help` lists the rest.
#
# Each sets up what it needs and can be repeated. Another Python goes beside the first:
#     make test PYTHON=python3.13 VENV=.venv-3.13

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
# uv takes 5 CPU seconds for what tests need, and pip 36. It does not know how pip is configured (a mirror, say): where it
# cannot install something, pip does.
INSTALL = install() { $(BIN)/uv pip install -q --python $(BIN)/python "$$@" || $(PIP) "$$@"; }; install
# Stamps, one for each step of the set-up: `make demo` takes the first three, all else that runs the project all but the
# third.
TOOLS := $(VENV)/.build-tools
COMPILED := $(VENV)/.compiled
INSTALLED := $(VENV)/.installed
PACKAGES := $(VENV)/.packages
DEVELOPED := $(VENV)/.developed
COLLECTED := $(VENV)/.collected
BUILT := $(COMPILED) $(DEVELOPED)
NATIVE := $(shell find cext gamepacks -name '*.pyx' -o -name '*.pxi' -o -name '*.pxd' ! -name '*_enums.pxd')
PROTOS := $(shell find protos -name '*.proto')
NUMBERS := cext/codegen.py $(shell grep -rl --include='*.py' '^C_CONSTANTS' cext gamepacks)

CHAOS_SECONDS ?= 300
SOAK_GAMES ?= 100
CHAOS_MATCHES ?= 288

# For `make matrix`: pyenv's where they are, else what the PATH has.
VERSIONS ?= 3.11 3.12 3.13
PYTHONS ?= $(foreach v,$(VERSIONS),$(firstword $(wildcard $(HOME)/.pyenv/versions/$(v).*/bin/python) python$(v)))

# For `make bench-peers`: the peers live in an environment of their own.
PEERS := .venv-peers

# Two at a time of the steps that do not wait for each other: pip and npm beside the compiler, mypy beside the page.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=2
endif

# What Python compiles is kept even where the environment forbids it: the tests start some hundred processes.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help setup node demo test lint style types pytest test-postgres chaos soak matrix rules docs ray-test bench bench-peers protos-image wheel wheel-check clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(BIN)/python:
	@$(PYTHON) tools/check_python.py
	$(PYTHON) -m venv $(VENV)

# What builds the project comes first, so that pip need not fetch it again for an isolated build.
$(TOOLS): pyproject.toml | $(BIN)/python
	@echo "installing the build tools"
	$(BIN)/python tools/requirements.py > $@.txt
	$(PIP) 'uv>=0.9,<1' -r $@.txt
	@touch $@

# Compiles and generates what changed since the last time.
$(COMPILED): $(TOOLS) setup.py clients/python/code_generation.py clients/python/omnilude/async_client.py $(NATIVE) $(PROTOS) $(NUMBERS)
	$(BIN)/python clients/python/code_generation.py
	$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

# What the service and the demo need. Reuses what was compiled.
$(INSTALLED): pyproject.toml setup.py clients/python/pyproject.toml clients/python/setup.py | $(COMPILED)
	@echo "installing omnilude, its Python client and what they need"
	rm -rf omnilude.egg-info  # of an older pyproject.toml: its entry points would be found first
	@$(INSTALL) --no-build-isolation -e clients/python -e .
	@touch $@

# What the tests and the checks need besides. Does not wait for the compiler.
$(PACKAGES): pyproject.toml | $(TOOLS)
	@echo "installing what the tests need"
	$(BIN)/python tools/requirements.py dev > $@.txt
	@$(INSTALL) -r $@.txt
	@touch $@

# All of that.
$(DEVELOPED): pyproject.toml setup.py clients/python/pyproject.toml clients/python/setup.py | $(COMPILED) $(PACKAGES)
	@echo "installing omnilude and its Python client for development"
	rm -rf omnilude.egg-info
	@$(INSTALL) --no-build-isolation -e clients/python -e '.[dev]'
	@touch $(INSTALLED) $@

setup: $(BUILT) node ## Make the virtual environment, compile, generate, build the page

node: $(BUILT) ## Make the clients in JavaScript and the page ready; where there is no Node.js, a Python package brings one
	@$(BIN)/python tools/node.py
	@$(BIN)/python -m tools.web_client

demo: $(COMPILED) $(INSTALLED) ## Let Python and Node bots play a round robin over gRPC, and verify the replays
	@$(BIN)/python tools/node.py --runtime
	$(BIN)/omnilude demo

test: pytest lint rules ## Set up, check the code, run all tests

lint: style types node ## Check style, types, layers, the wire contract
	$(BIN)/python tools/node.py types

style: $(BUILT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/image.binpb

types: $(BUILT)
	$(BIN)/mypy

# The tests of a file stay together: what they share is made once. Many tests wait for processes that start or end, so two
# workers more than there are processors keep these busy. Files start in the order of tests/conftest.py.
IN_PARALLEL = -n $$($(BIN)/python -c 'import os; print(2 + (os.cpu_count() or 1))') --dist loadfile --no-loadscope-reorder

# The first collection compiles the test files and rewrites their assertions, which takes three times as long as the next.
# One process does this for all workers.
$(COLLECTED): | $(BUILT)
	$(BIN)/python -m pytest --collect-only -qq > $@

pytest: node | $(COLLECTED)
	$(BIN)/python -m pytest $(IN_PARALLEL)

test-postgres: $(BUILT) ## Run the tests of the service whose matches are in memory otherwise on PostgreSQL
	OMNILUDE_TEST_STORE=postgres $(BIN)/python -m pytest tests/rpc tests/replay tests/store $(IN_PARALLEL)

chaos: $(BUILT) ## Play at three replicas that are killed again and again, with their database, CHAOS_MATCHES for CHAOS_SECONDS
	OMNILUDE_CHAOS_SECONDS=$(CHAOS_SECONDS) OMNILUDE_CHAOS_MATCHES=$(CHAOS_MATCHES) $(BIN)/python -m pytest tests/chaos/run_chaos.py -s -q

soak: $(BUILT) ## Check the packs by SOAK_GAMES random matches in each check, far more than the tests play
	@set -e; for pack in ominoes omega omen olomoc; do $(BIN)/omnilude pack check $$pack --games $(SOAK_GAMES); done

matrix: ## Run all tests on each Python of VERSIONS, in an environment of its own
	@set -e; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "== Python $$version"; \
	  $(MAKE) --no-print-directory pytest PYTHON=$$python VENV=.venv-$$version; \
	done

rules: $(BUILT) ## List the rules of each pack that no test proves
	$(BIN)/python -m gamepacks.api.kit.rules

docs: $(BUILT) ## Write docs/rpc.md and docs/errors.md from the comments of the .proto files, and the tables of Omen's RULES.md
	$(BIN)/python tools/rpc_docs.py
	$(BIN)/python -m tools.omen_docs

ray-test: $(BUILT) ## Install Ray, and test tournaments on a cluster of two nodes on this machine
	@$(INSTALL) --no-build-isolation -e '.[ray]'
	$(BIN)/python -m pytest tests/ray/ray_executor.py

bench: $(BUILT) ## Measure play-outs, clones and the wire; `make bench WRITE=1` keeps the table in docs/
	$(BIN)/python -m bench $(if $(WRITE),--write docs/benchmarks.md)

$(PEERS)/.installed: bench/peers.txt
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install -q --disable-pip-version-check -r bench/peers.txt
	@touch $@

bench-peers: $(BUILT) $(PEERS)/.installed ## The same beside OpenSpiel
	PEERS_PYTHON=$(PEERS)/bin/python $(BIN)/python -m bench peers $(if $(WRITE),--write docs/benchmarks-peers.md)

# At a release: what later changes of the contract must stay compatible with.
protos-image: $(BUILT) ## Freeze the wire contract that `make lint` compares with
	$(BIN)/buf build protos --exclude-source-info -o protos/image.binpb

# auditwheel proves that the wheel runs on every Linux with the C library of its tag, and sets the tag.
wheel: $(BUILT) node ## Build the wheels of the service and of the Python client, fit for publishing, into dist/
	rm -rf dist build/lib* build/bdist* build/wheel clients/python/build
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel .
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist ./clients/python

wheel-check: wheel ## Install the wheels into clean environments; play a demo, and a bot with the client alone
	$(BIN)/python tools/check_wheel.py dist

clean: ## Remove everything that was built
	rm -rf .venv .venv-* build dist *.egg-info clients/python/build clients/python/*.egg-info clients/node/node_modules clients/web/node_modules clients/web/dist clients/web/src/gen clients/table/src/gen clients/table/node_modules engine_service/web/page tests/web/browser/node_modules tests/web/screenshots .demo
	rm -f clients/python/omnilude/client.py
	find cext gamepacks engine_service clients tests -name '*.so' -delete
	find gamepacks clients tests \( -name '*_pb2.py' -o -name '*_pb2.pyi' -o -name '*_pb2_grpc.py' -o -name '*_enums.py' -o -name '*_enums.pxd' \) -delete
