# What can be done here. Each target sets up what it needs by itself; only Python 3.11 or newer and make must be there.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)
export UV_PYTHON_DOWNLOADS := never

.PHONY: help play test check docs bench soak warm

help:
	@echo "make play   open a game in the terminal (GAME=$(GAME))"
	@echo "make test   check the sources and run every test at a small count"
	@echo "make check  formatting, lint, types, and who may import whom"
	@echo "make docs   build the games' pages in docs/games, and docs/protocol.md"
	@echo "make soak   the same tests at full counts; writes docs/soak.md (make soak laws: one part)"
	@echo "make bench  measure against other engines; writes docs/benchmarks.md"

GAME ?= hollywood

play: .venv/play
	@$(BIN)/cardtown play $(GAME)

test: check warm
	$(BIN)/python -m pytest -n $(WORKERS) --ignore tests/games
	$(BIN)/python -m pytest -n $(WORKERS) tests/games --cov --cov-config=tests/games/coverage.ini --cov-report=term-missing

check: .venv/test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/play
	$(BIN)/python -m cardtown.cli.pages docs/games
	$(BIN)/python -m cardtown.server.protocol docs/protocol.md

warm: .venv/test
	$(BIN)/python -m tests.warm

bench: .venv/bench
	$(BIN)/python -m benchmarks.run

# `make soak PART`: the words after `soak` name parts, not targets.
ifeq (soak,$(firstword $(MAKECMDGOALS)))
PARTS := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
ifneq (,$(PARTS))
.PHONY: $(PARTS)
$(PARTS):
	@:
endif
endif

soak: warm
	$(BIN)/python -m tests.soak $(PARTS)

.venv/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Cardtown needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up .venv …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.8,<1"
	@touch $@

.venv/play: .venv/uv pyproject.toml
	@$(BIN)/uv sync --quiet --inexact
	@touch $@

.venv/test: .venv/uv pyproject.toml
	@$(BIN)/uv sync --quiet --inexact --group test
	@touch $@ .venv/play

.venv/bench: .venv/uv pyproject.toml
	@$(BIN)/uv sync --quiet --inexact --group test --group bench
	@touch $@ .venv/test .venv/play
