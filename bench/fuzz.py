"""Looks for bytes that a reader cannot stand: ``python bench/fuzz.py TARGET --seconds 1800``.

Coverage-guided, by atheris (``pip install atheris``). The targets are those of
``tests/fuzz_targets.py``. It begins with the texts kept in ``tests/data/fuzz/TARGET`` and puts new
ones into ``--corpus``. A text that breaks the reader is written to the folder it is run in; mend
the reader and keep the text beside the others, where `make test` tries it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--longest", type=int, default=4096, help="bytes of a text")
    parser.add_argument("--slow", type=int, default=10, help="seconds that one text may take")
    chosen = parser.parse_args()
    try:
        import atheris
    except ImportError:
        raise SystemExit("atheris is not installed: pip install atheris") from None
    sys.path.insert(0, str(TESTS))
    with atheris.instrument_imports(include=["zhiyin"]):
        from fuzz_targets import TARGETS
    target = TARGETS.get(chosen.target)
    if target is None:
        raise SystemExit(f"no target {chosen.target}: there are {', '.join(TARGETS)}")
    found = chosen.corpus / chosen.target
    found.mkdir(parents=True, exist_ok=True)
    kept = TESTS / "data" / "fuzz" / chosen.target
    flags = [f"-max_total_time={chosen.seconds}", f"-max_len={chosen.longest}"]
    flags += [f"-timeout={chosen.slow}", "-rss_limit_mb=2048", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(found), *[str(kept)] * kept.is_dir()], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
