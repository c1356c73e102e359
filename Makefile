# Three commands matter: `make demo`, `make check` (before each commit, a minute) and `make test`.
# Each sets up everything it needs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# A process whose test waits for ever ends, see pyproject.toml; another would wait for it once more.
TESTS = $(BIN)/pytest -n auto --dist loadgroup --max-worker-restart 0 -rs
READY := $(VENV)/.ready
DEV := $(VENV)/.ready-to-develop
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# What pip compiles file after file, all processors compile together, before any test: a program
# on a full disk would leave torn bytecode behind. Of the giants only a part is ever imported.
GIANTS := litellm|ray|sympy|torch|transformers
COMPILE := $(BIN)/python -m compileall -qq -x 'packages/($(GIANTS))/|/tests/' $(VENV)/lib
TORCH := torch==2.13.0

.PHONY: setup demo check test trust chromium postgresql lint bench docs release-check sbom clean

setup: $(DEV)

$(READY): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade pip || true
	$(PIP) -e '.[soundfont,figures,tables,notation,scores,parquet,questions]'
	@# Its own requirement (pyaudio) needs a compiler and is for live playing, which we do not do.
	$(PIP) --no-deps 'tinysoundfont==0.3.7' \
	  || echo "tinysoundfont cannot be installed here: the built-in synthesiser will play"
	@$(COMPILE) -j 0 || true
	@touch $@

# Local models are tested on a plain build of torch, never one for CUDA: several gigabytes. Where
# pip finds only that, PIP_EXTRA_INDEX_URL can name an index with plain builds.
# The newest mistral-common holds numpy back on Python 3.11, and works with later ones.
# pip keeps one processor busy: what it has brought by then is compiled on another, and so are the
# tests, which each process of pytest would compile again; types are checked a first time.
$(DEV): $(READY)
	$(PIP) -e '.[dev]'
	@# What exports to Every Eval Ever are checked by; it asks for Python 3.12, and runs with 3.11.
	$(PIP) --no-deps --ignore-requires-python 'every-eval-ever==0.3.0' \
	  || echo "every-eval-ever cannot be installed here: exports are checked by its schemas alone"
	@rm -f $(VENV)/.without-torch
	@{ $(COMPILE); PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --collect-only -q >/dev/null 2>&1; \
	  $(BIN)/mypy >/dev/null 2>&1; } & \
	if $(PIP) --dry-run --report - '$(TORCH)' 2>/dev/null | grep -q '"name": "nvidia'; then \
	  echo "pip finds only torch for CUDA: the tests of local models will be skipped"; \
	  touch $(VENV)/.without-torch; \
	else \
	  { $(PIP) '$(TORCH)' -e '.[hf]' && $(PIP) --no-deps \
	    'mistral-common==1.13.1' pydantic-extra-types pycountry soxr; } || \
	  { echo "torch cannot be installed here: the tests of local models will be skipped"; \
	  touch $(VENV)/.without-torch; }; \
	fi; \
	$(PIP) -e '.[ray]' || echo "Ray cannot be installed here: its tests will be skipped"; \
	$(PIP) -e '.[mlflow,wandb]' || echo "no tracker can be installed here: its tests will be skipped"; \
	wait
	@$(COMPILE) -j 0 || true
	@touch $@

# The listener hears what it was not tuned on: a hundred questions about twenty pieces composed for
# it, of what it can hear; pairs of recordings that differ in one thing; and 48 chords. `first`, which
# hears nothing, is found out by the same questions over silence. Then a page with all of it, and one
# with what the listener hears. No key and no network are needed.
DEMO_ASK := contour,key,mode,metre,tempo,dynamics,sections
DEMO_CLIPS := 20
DEMO_PAIRS := 4
DEMO_CHORDS := 48
DEMO_HEARING := pitch,onset,gap
demo_pieces := muchomusic --data demo/questions --repeats 1 --audio true,silence
demo_pairs := pairs --fact third,note,tempo --change gain,codec,padding --n $(DEMO_PAIRS)
demo_chords := perception --task chords --source generated --n $(DEMO_CHORDS) --seed 1 \
  --stimuli demo/stimuli
DEMO_RUNS := $(foreach what,pieces pairs chords,demo/$(what)/listener demo/$(what)/first)
demo_run = $(foreach model,listener first,echo "== $(1): $(model)" && \
  $(BIN)/zhiyin run $(demo_$(1)) -m $(model) --out demo/$(1)/$(model) --json >/dev/null &&) true
# Two processors each have something to do: what the second half says is shown after the first.
demo: $(READY)
	@test -f demo/stimuli/truth.jsonl || \
	  $(BIN)/zhiyin stimuli make --task chords --n $(DEMO_CHORDS) --seed 1 --out demo/stimuli
	@test -f demo/questions/muchomusic.csv || \
	  $(BIN)/zhiyin data make muchomusic --clips $(DEMO_CLIPS) --out demo/questions --seed 1 \
	    --ask $(DEMO_ASK)
	@{ $(call demo_run,pairs) && $(call demo_run,chords) && \
	    echo "== the smallest differences that the listener hears" && \
	    $(BIN)/zhiyin run thresholds --dimension $(DEMO_HEARING) -m listener \
	      --out demo/thresholds/listener --json >/dev/null; } >demo/.said 2>&1 & half=$$!; \
	  $(call demo_run,pieces); first=$$?; \
	  wait $$half; second=$$?; cat demo/.said; rm demo/.said; exit $$((first | second))
	$(BIN)/zhiyin show $(DEMO_RUNS)
	@$(BIN)/zhiyin hearing demo/pairs/* demo/thresholds/listener -o demo/hearing \
	    >demo/.said 2>&1 & half=$$!; \
	  echo "$(BIN)/zhiyin report $(DEMO_RUNS) -o demo/report.html"; \
	  $(BIN)/zhiyin report $(DEMO_RUNS) -o demo/report.html; first=$$?; \
	  wait $$half; second=$$?; cat demo/.said; rm demo/.said; exit $$((first | second))
	@echo "Open demo/report.html and demo/hearing/listener.html in a browser."

# Style, types, and the tests that are not marked as slow: under a minute on two processors.
check: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/mypy & types=$$!; \
	  $(TESTS) -m 'not slow and not trust'; tests=$$?; \
	  wait $$types && exit $$tests

# Tests start the program hundreds of times: it need not be compiled each time.
check test trust: export PYTHONDONTWRITEBYTECODE =

test: $(DEV) chromium postgresql
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	@# Types are checked beside the tests, which wait a part of their time. First comes what all can
	@# try, as it is for who has no published data; then, where those are, what is tried on them.
	$(BIN)/mypy & types=$$!; env -u ZHIYIN_SHARED $(TESTS) -m 'not data and not trust' && \
	  $(TESTS) -m 'data and not trust'; tests=$$?; wait $$types && exit $$tests

# What takes minutes a test: larger samples, more kills, all cases, whole data.
trust: $(DEV) chromium postgresql
	$(TESTS) -m 'trust or hypothesis' -o faulthandler_timeout=3600 \
	  --hypothesis-profile thorough

# The report is tested in a real browser; without one those tests are skipped and say so.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  command -v google-chrome >/dev/null || \
	  { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium \
	      >/dev/null; } || \
	  echo "no chromium can be installed here: the tests of the report in a browser will be skipped"

# Studies are tested on PostgreSQL too; the tests start a cluster of their own.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  { command -v apt-get >/dev/null && \
	    if [ "$$(id -u)" = 0 ]; then as=; else as="sudo -n"; fi && \
	    $$as apt-get update -qq 2>/dev/null && \
	    $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	      postgresql >/dev/null 2>&1; } || \
	  echo "no PostgreSQL can be installed here: the tests of studies on it will be skipped"

lint: $(DEV)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/mypy

bench: $(DEV)
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit $$?; done

# The documentation as a site, from docs/ and the docstrings. A broken link is an error; nothing is
# loaded from the network while it is built or read.
docs: $(READY)
	$(PIP) -e '.[docs]'
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/site
	@echo "Open build/site/index.html in a browser."

# Wheel and sdist; the wheel alone in a clean environment does what the README shows first.
release-check: $(READY)
	$(PIP) -e '.[release]'
	$(BIN)/python scripts/release_check.py

# Licences, a bill of materials and known weaknesses of what Zhiyin depends on.
sbom: $(READY)
	$(PIP) -e '.[release]'
	$(BIN)/python scripts/dependencies.py

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache
