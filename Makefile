# Two commands matter: `make demo` and `make test`. Each sets up everything it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_BASELINES := random first longest overlap

.PHONY: setup demo test chromium lint bench clean

setup: $(READY)

$(READY): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,soundfont,figures,tables,notation,parquet,questions]'
	@# Its own requirement (pyaudio) needs a compiler and is for live playing, which we do not do.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'tinysoundfont==0.3.7' \
	  || echo "tinysoundfont is not to be had here: the built-in synthesiser will play"
	@# Local models: a plain build of torch is enough for the tests (PIP_EXTRA_INDEX_URL can name one).
	@# The newest mistral-common holds numpy back on Python 3.11, and works with later ones.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'torch==2.13.0' -e '.[hf]' && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps \
	    'mistral-common==1.13.1' pydantic-extra-types pycountry soxr \
	  || echo "torch cannot be installed here: the tests of local models will be skipped"
	@touch $@

# Synthesises 48 chords, lets the listener and the blind baselines answer; asks the listener a
# hundred questions about twenty synthesised pieces; has three more reviewed by ear and the reviews
# graded; and writes a page with all of it. No key and no network are needed.
DEMO_CHORDS := $(addprefix demo/,listener $(DEMO_BASELINES))
demo: $(READY)
	@test -f demo/stimuli/truth.jsonl || \
	  $(BIN)/zhiyin stimuli make --task chords --n 48 --seed 1 --out demo/stimuli
	@test -f demo/questions/muchomusic.csv || \
	  $(BIN)/zhiyin data make muchomusic --out demo/questions --seed 1
	@for model in listener $(DEMO_BASELINES); do \
	  echo "== chords: $$model"; \
	  $(BIN)/zhiyin run perception --task chords --source generated --n 48 --seed 1 \
	    --stimuli demo/stimuli -m $$model --out demo/$$model --json >/dev/null || exit $$?; \
	done
	@echo "== questions about pieces: listener"
	@$(BIN)/zhiyin run muchomusic --data demo/questions --repeats 1 -m listener \
	  --out demo/muchomusic --json >/dev/null
	@echo "== reviews of pieces: the listener's reviewer, judged by word lists"
	$(BIN)/zhiyin run appraisal --source generated --n 3 --seed 1 --language en \
	  --stimuli demo/pieces -m python:zhiyin.benchmarks.appraisal.reviewer:review \
	  --out demo/appraisal --judge lexical --quiet
	$(BIN)/zhiyin show $(DEMO_CHORDS)
	$(BIN)/zhiyin report $(DEMO_CHORDS) demo/muchomusic demo/appraisal -o demo/report.html
	@echo "Open demo/report.html in a browser."

test: $(READY) chromium
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadgroup -rs

# The report is tested in a real browser; without one those tests are skipped and say so.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  command -v google-chrome >/dev/null || \
	  { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium \
	      >/dev/null; } || \
	  echo "no chromium is to be had: the tests of the report in a browser will be skipped"

lint: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/mypy

bench: $(READY)
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit $$?; done

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache
