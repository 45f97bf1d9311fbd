# Two commands do everything: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BUILT := $(VENV)/.built
NATIVE := $(wildcard cext/*.pyx cext/*.pxd gamepacks/*/*.pyx gamepacks/*/*.pxd)
PROTOS := $(shell find protos -name '*.proto')

.PHONY: help setup test lint clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml setup.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(BUILT)

# After the first installation only what changed is compiled and generated again.
$(BUILT): $(STAMP) $(NATIVE) $(PROTOS)
	$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

setup: $(BUILT) ## Make the virtual environment, compile, generate

test: $(BUILT) lint ## Set up and run all checks and tests
	$(BIN)/python -m pytest

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist *.egg-info node_modules
	find . -name '*.so' -not -path './$(VENV)/*' -delete
	find . \( -name '*_pb2.py' -o -name '*_pb2.pyi' -o -name '*_pb2_grpc.py' \) -not -path './$(VENV)/*' -delete
