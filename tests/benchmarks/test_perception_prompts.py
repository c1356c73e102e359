"""Every word of every cell, against tests/golden/perception_prompts.txt.

A changed prompt moves scores: raise `Perception.version`, then write the file anew with
``python tests/benchmarks/test_perception_prompts.py``.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from perception_help import make_muse, perfect, take, words
from zhiyin.contract.registry import open_benchmark
from zhiyin.plugins.benchmarks.perception.tasks import TASKS, identifiers
from zhiyin.plugins.music.solvers import Parsed, parse_schema
from zhiyin.prompts import Prompts
from zhiyin.record import Reply
from zhiyin.trial import Audio

GOLDEN = Path(__file__).parent.parent / "golden" / "perception_prompts.txt"


def conversations(folder: Path) -> Iterator[str]:
    """One conversation of every few-shot cell, then repairs and final questions."""
    options = {
        "source": "muse",
        "data": str(folder),
        "modality": "audio,midi",
        "shots": "few",
        "strategy": "standalone,cot,logiclm",
    }
    benchmark = open_benchmark("perception", options)
    shown = {}
    for trial in sorted(benchmark.trials(), key=lambda trial: trial.id):
        shown.setdefault(trial.groups[2], trial)
    for cell, trial in shown.items():
        yield f"##### {cell}"
        yield from map(in_words, trial.messages)

    def clumsy(trial, messages):
        if len(messages) == 1:  # the repair's own conversation
            good = perfect(trial, trial.messages)
            return "```" if "cannot be" in messages[0].text else good
        return "It cannot be said." if messages == trial.messages else Reply("Final Answer: A")

    few = open_benchmark("perception", {**options, "modality": "audio", "strategy": "logiclm"})
    seen = set()
    for record in sorted(take(few, clumsy), key=lambda record: record.id):
        if record.trial.groups[0] not in seen:
            seen.add(record.trial.groups[0])
            yield f"##### {record.trial.groups[0]}: repair and final question"
            for turn in record.exchange.turns[1:]:
                yield from map(in_words, turn.sent)


def in_words(message) -> str:
    sounds = sum(isinstance(part, Audio) for part in message.parts)
    return f"--- {message.role}{f' ({sounds} sounds)' if sounds else ''}\n{words(message)}"


@pytest.mark.slow
def test_prompts_are_those_of_the_golden_file(tmp_path):
    written = "\n".join(conversations(make_muse(tmp_path))) + "\n"
    assert written == GOLDEN.read_text("utf-8")


@pytest.mark.slow
def test_four_bars_are_told_in_logiclm_only(tmp_path):
    """As in supplement S2; standalone and chain of thought said "four bars in 4/4 time"."""
    told = set()
    cell = ""
    for part in conversations(make_muse(tmp_path)):
        cell = part if part.startswith("#####") else cell
        if re.search(r"\bfour bars\b|\b4/4\b|four main pulses", part):
            told.add("logiclm" if "repair" in cell else cell.rpartition("/")[2])
    assert told == {"logiclm"}


# The example lines as S2 prints them (1c, 2c, 3c), but for the identifiers, and what they show.
PRINTED = {
    "syncopation": (((*range(1, 32, 2),),), "A"),
    "transposition": (((60, 62, 64), (65, 67, 69)), "Yes"),
    "chords": (((56, 60, 64, 67, 72, 76),), None),
}


@pytest.mark.parametrize("modality", ["audio", "midi"])
@pytest.mark.parametrize("name", PRINTED)
def test_the_example_lines_of_logiclm_are_the_printed_ones(name, modality):
    task = TASKS[name]
    instructions = Prompts("zhiyin.plugins.benchmarks.perception").texts[
        f"{name}-logiclm-{modality}"
    ]
    lines = "\n".join(re.findall(rf"^{task.kind}\(example.*$", instructions, re.M))
    ids = identifiers("example", len(task.ids)) if len(task.ids) > 1 else ("example",)
    shown, decided = PRINTED[name]
    assert parse_schema(task.kind, lines, ids) == Parsed(shown)
    assert getattr(task.decide(shown), "key", None) == decided


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        GOLDEN.write_text("\n".join(conversations(make_muse(Path(place)))) + "\n", "utf-8")
