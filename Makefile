# What can be done here. Each target sets up what it needs by itself; only Python 3.11 or newer and make must be there.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)
export UV_PYTHON_DOWNLOADS := never

.PHONY: help play terminal test check check-python check-web docs pictures reports bench ladder soak warm chromium postgresql unbuilt

help:
	@echo "make play      open the town in the browser"
	@echo "make terminal  open a game in the terminal (GAME=$(GAME))"
	@echo "make test      check the sources and run every test at a small count"
	@echo "make check     formatting, lint, types, who may import whom, and the client's own tests"
	@echo "make docs      build the pages in docs/games, docs/lab/observations.md, docs/protocol.md and web/src/wire.ts"
	@echo "make pictures  play every game and take the pictures in docs/pictures (some minutes)"
	@echo "make reports   measure the balance of every game; writes docs/reports (some minutes a game)"
	@echo "make soak      the same tests at full counts; writes docs/soak.md (make soak laws: one part)"
	@echo "make ladder    rate the baselines of every game anew, after its rules or the bots changed (ten minutes)"
	@echo "make bench     measure against other engines; writes docs/benchmarks.md"

GAME ?= hollywood

play: .venv/play
	@$(BIN)/cardtown

terminal: .venv/play
	@$(BIN)/cardtown play $(GAME)

test: check warm chromium postgresql
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/games
	$(BIN)/python -m pytest -n $(WORKERS) tests/games --cov --cov-config=tests/games/coverage.ini --cov-report=term-missing

check: .venv/test
	@$(MAKE) --no-print-directory -j2 -O check-python check-web

check-python:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-web:
	$(BIN)/python build_web.py check

docs: .venv/play
	$(BIN)/python -m cardtown.cli.pages docs
	$(BIN)/python -m cardtown.server.protocol docs/protocol.md
	$(BIN)/python -m cardtown.server.typescript web/src/wire.ts

pictures: .venv/test chromium
	$(BIN)/python -m tests.web.pictures docs/pictures

GAMES := $(notdir $(patsubst %/__init__.py,%,$(wildcard src/cardtown/games/*/__init__.py)))

reports: .venv/play
	@mkdir -p docs/reports
	@for game in $(GAMES); do $(BIN)/cardtown report $$game --out docs/reports/$$game.html || exit 1; done

warm: .venv/test
	$(BIN)/python -m tests.warm

ladder: .venv/play
	$(BIN)/python -m cardtown.cli.baselines

bench: .venv/bench chromium postgresql
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

# PyTorch is large: only who runs that part, or all of them, gets it.
soak: warm postgresql $(if $(filter learning,$(or $(PARTS),learning)),.venv/learn)
	$(BIN)/python -m tests.soak $(PARTS)

# The tests play in a real browser and keep towns in a real PostgreSQL; what is missing is installed as Debian does.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo "sudo -n")
INSTALL := $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y --no-install-recommends
chromium:
	@command -v chromium >/dev/null || { $(INSTALL) chromium >/dev/null; } || \
		{ echo "The tests need the browser Chromium: install it so that the command chromium is there."; exit 1; }

postgresql:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { $(INSTALL) postgresql >/dev/null; } || \
		{ echo "The tests need PostgreSQL: install it so that /usr/lib/postgresql is there."; exit 1; }

.venv/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Cardtown needs Python 3.11 or newer: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up .venv …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.8,<1"
	@touch $@

# To install the package from here builds its client (build_web.py): again whenever that is gone or its sources change.
SYNC := echo "Installing the package and building its client …" && $(BIN)/uv sync --quiet --inexact --reinstall-package cardtown
BUILT := $(if $(wildcard src/cardtown/web/index.html),,unbuilt)
PACKAGE := pyproject.toml build_web.py $(BUILT) $(shell find web -name node_modules -prune -o -type f -print)

.venv/play: .venv/uv $(PACKAGE)
	@$(SYNC)
	@touch $@

.venv/test: .venv/uv $(PACKAGE)
	@$(SYNC) --group test --no-compile-bytecode
	@touch $@ .venv/play

.venv/learn: .venv/uv $(PACKAGE)
	@$(SYNC) --group test --extra learn
	@touch $@ .venv/test .venv/play

.venv/bench: .venv/uv $(PACKAGE)
	@$(SYNC) --group test --group bench
	@touch $@ .venv/test .venv/play
