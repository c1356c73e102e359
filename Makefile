# Two commands matter: `make demo` and `make test`. Each sets up everything it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_BASELINES := random first longest overlap

.PHONY: setup demo test lint bench clean

setup: $(READY)

$(READY): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,soundfont]'
	@# Its own requirement (pyaudio) needs a compiler and is for live playing, which we do not do.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'tinysoundfont==0.3.7' \
	  || echo "tinysoundfont is not to be had here: the built-in synthesiser will play"
	@touch $@

# Synthesises 48 chords, lets the listener and the blind baselines answer, writes a page.
demo: $(READY)
	@test -f demo/stimuli/truth.jsonl || \
	  $(BIN)/zhiyin stimuli make --task chords --n 48 --seed 1 --out demo/stimuli
	@for model in listener $(DEMO_BASELINES); do \
	  echo "== $$model"; \
	  $(BIN)/zhiyin run perception --task chords --source generated --n 48 --seed 1 \
	    --stimuli demo/stimuli -m $$model --out demo/$$model --json >/dev/null || exit $$?; \
	done
	$(BIN)/zhiyin show $(addprefix demo/,listener $(DEMO_BASELINES))
	$(BIN)/zhiyin report $(addprefix demo/,listener $(DEMO_BASELINES)) -o demo/report.html
	@echo "Open demo/report.html in a browser."

test: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n auto

lint: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/mypy

bench: $(READY)
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit $$?; done

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache
