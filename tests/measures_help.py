"""Runs of benchmarks that measure by degrees: in cents, in milliseconds, error rates above 1."""

import random
from pathlib import Path

import msgspec

from findings_help import choice, manifest
from zhiyin.contract import Benchmark
from zhiyin.contract.stand_in import Origin, declaration_of
from zhiyin.engine.folder import MANIFEST, RECORDS
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.measures import Measure, score

CENTS = score("off", unit="cents", lower_is_better=True, range=(0.0, None))
LATENCY = score("delay", unit="ms", lower_is_better=True, range=(None, None))
WER = score("wer", lower_is_better=True, range=(0.0, None))
LOUDNESS = score("loudness", unit="dB", range=(None, None))
CORRELATION = score("r", unit="", range=(-1.0, 1.0))
KINDS = {
    "off": (CENTS, 5.0, 250.0), "delay": (LATENCY, -3.0, 40.0), "wer": (WER, 0.4, 2.6),
    "loudness": (LOUDNESS, -4.0, -31.0), "r": (CORRELATION, 0.6, -0.5),
}  # fmt: skip
"""A measure, and what a good and a poor model get."""


def measured_run(
    folder: Path, measure: Measure, level: float, *, silent: int = 0, items: int = 24, **changes
) -> Path:
    """A run whose replies score about `level`; the first `silent` have no score."""
    kind = type("Meter", (Benchmark,), {"name": "meter", "measures": (measure,)})
    folder.mkdir(parents=True)
    draw, lines = random.Random(folder.name), []
    for n in range(items):
        trial = choice(f"t{n}", groups=("low" if n < items // 2 else "high",))
        value = level + 0.1 * abs(level) * draw.gauss(0, 1)
        least, most = measure.range
        value = value if least is None else max(value, least)
        value = value if most is None else min(value, most)
        told = Verdict("no_answer", None) if n < silent else Verdict(
            "ungraded", "x", scores={measure.name: value})  # fmt: skip
        lines.append(Record(trial.id, told, trial, Exchange((Turn(Reply(f"{value}")),))))
    made = manifest("meter", folder.name, items, **changes)
    declared = declaration_of(kind, Origin("object", "tests:Meter"))
    made = msgspec.structs.replace(made, declared=declared)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(made))
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(r) + b"\n" for r in lines))
    return folder
