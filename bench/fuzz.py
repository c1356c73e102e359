"""Looks for bytes that a reader cannot stand: ``python bench/fuzz.py TARGET --seconds 1800``.

Without a target all are tried, one after the other. Each go is put on record in
``bench/fuzz_record.jsonl``; ``--table`` sums the record up, as docs/trust.md shows it.

Coverage-guided, by atheris (``pip install atheris``). The targets are those of
``tests/fuzz_targets.py``. It begins with the texts kept in ``tests/data/fuzz/TARGET`` and puts new
ones into ``--corpus``, with a text that breaks the reader beside them; mend the reader and keep
that text with the others, where `make test` tries it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
RECORD = Path(__file__).with_name("fuzz_record.jsonl")
TRIED = re.compile(r"number_of_executed_units: *(\d+)")
sys.path[:0] = [str(ROOT / "src"), str(TESTS)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="*", help="all, one after the other, if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="of each target")
    parser.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--longest", type=int, default=4096, help="bytes of a text")
    parser.add_argument("--slow", type=int, default=10, help="seconds that one text may take")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--table", action="store_true", help="only sum up what is on record")
    parser.add_argument("--within", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.table:
        print("\n".join(table(chosen.record)))
        return 0
    try:
        import atheris
    except ImportError:
        raise SystemExit("atheris is not installed: pip install atheris") from None
    if chosen.within:
        with atheris.instrument_imports(include=["zhiyin", "fuzz_study"]):
            from fuzz_targets import TARGETS

            if chosen.within == "study":  # heavy: imported by its target otherwise
                import fuzz_study  # noqa: F401
        found = chosen.corpus / chosen.within
        found.mkdir(parents=True, exist_ok=True)
        kept = TESTS / "data" / "fuzz" / chosen.within
        flags = [f"-max_total_time={chosen.seconds}", f"-max_len={chosen.longest}"]
        flags += [f"-artifact_prefix={found}-fault-"]
        flags += [f"-timeout={chosen.slow}", "-rss_limit_mb=2048", "-print_final_stats=1"]
        corpora = [str(found), *[str(kept)] * kept.is_dir()]
        atheris.Setup([sys.argv[0], *flags, *corpora], TARGETS[chosen.within])
        atheris.Fuzz()
        return 0
    from fuzz_targets import TARGETS

    if unknown := set(chosen.target) - set(TARGETS):
        raise SystemExit(f"no target {min(unknown)}: there are {', '.join(TARGETS)}")
    return max(_tried(name, chosen.record) for name in chosen.target or TARGETS)


def _tried(name: str, record: Path) -> int:
    """Fuzz one target in a process of its own, put the go on record; its exit status."""
    begun, cpu, source = time.monotonic(), _cpu(), fingerprint()
    flags = [flag for flag in sys.argv[1:] if flag.startswith("-") or flag not in _names()]
    done = subprocess.run(
        [sys.executable, __file__, *flags, "--within", name],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    tried = TRIED.search(done.stderr)
    go = {
        "target": name, "seconds": round(time.monotonic() - begun), "cpu": round(_cpu() - cpu),
        "texts": int(tried[1]) if tried else 0, "faults": int(done.returncode != 0),
        "source": source,
    }  # fmt: skip
    if done.returncode and not tried:
        print(done.stderr[-3000:], flush=True)
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps(go) + "\n")
    print(f"{name:14} {go['seconds']:6} s, {go['cpu']:6} s of CPU, {go['texts']:10,} texts, "
          f"{'a fault' if go['faults'] else 'no fault'}", flush=True)  # fmt: skip
    if done.returncode:
        print(done.stderr[-3000:], flush=True)
    return done.returncode


def _names() -> set[str]:
    from fuzz_targets import TARGETS

    return set(TARGETS)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fingerprint() -> str:
    """What tells one state of the source from another."""
    source = ROOT / "src" / "zhiyin"
    digest = hashlib.sha256()
    for path in sorted(source.rglob("*.py")):
        digest.update(str(path.relative_to(source)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def table(record: Path = RECORD) -> list[str]:
    """All goes on record, a line of Markdown for each target."""
    goes = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    lines = ["| target | goes | minutes | of CPU | texts tried | faults |", "|---" * 6 + "|"]
    for name in dict.fromkeys(go["target"] for go in goes):
        held = [go for go in goes if go["target"] == name]
        seconds, cpu, texts, faults = (
            sum(go[key] or 0 for go in held) for key in ("seconds", "cpu", "texts", "faults")
        )
        row = f"{name} | {len(held)} | {seconds / 60:.0f} | {cpu / 60:.0f} | {texts:,} | {faults}"
        lines.append(f"| {row} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
