"""Looks for bytes that a reader cannot stand: ``python bench/fuzz.py TARGET --seconds 1800``.

Without a target all are tried, one after the other, and a table says for how long and how often.

Coverage-guided, by atheris (``pip install atheris``). The targets are those of
``tests/fuzz_targets.py``. It begins with the texts kept in ``tests/data/fuzz/TARGET`` and puts new
ones into ``--corpus``, with a text that breaks the reader beside them; mend the reader and keep
that text with the others, where `make test` tries it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", help="all, one after the other, if none is named")
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
    with atheris.instrument_imports(include=["zhiyin", "fuzz_study"]):
        from fuzz_targets import TARGETS

        if chosen.target == "study":  # heavy: imported by its target otherwise
            import fuzz_study  # noqa: F401
    if chosen.target is None:
        return _all(list(TARGETS), sys.argv[1:])
    target = TARGETS.get(chosen.target)
    if target is None:
        raise SystemExit(f"no target {chosen.target}: there are {', '.join(TARGETS)}")
    found = chosen.corpus / chosen.target
    found.mkdir(parents=True, exist_ok=True)
    kept = TESTS / "data" / "fuzz" / chosen.target
    flags = [f"-max_total_time={chosen.seconds}", f"-max_len={chosen.longest}"]
    flags += [f"-artifact_prefix={found}-fault-"]
    flags += [f"-timeout={chosen.slow}", "-rss_limit_mb=2048", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *flags, str(found), *[str(kept)] * kept.is_dir()], target)
    atheris.Fuzz()
    return 0


def _all(names: list[str], flags: list[str]) -> int:
    """Each target in a process of its own; the exit status is that of the worst."""
    worst = 0
    for name in names:
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, __file__, name, *flags], capture_output=True, text=True, check=False
        )
        tried = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
        shown = f"{int(tried[1]):,} texts" if tried else "no count"
        print(f"{name:14} {time.monotonic() - begun:6.0f} s  {shown:>18}  "
              f"{'a fault' if done.returncode else 'no fault'}", flush=True)  # fmt: skip
        if done.returncode:
            worst = done.returncode
            print(done.stderr[-3000:], flush=True)
    return worst


if __name__ == "__main__":
    sys.exit(main())
