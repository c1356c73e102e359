"""What is tried, and the one line of a failure."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from zhiyin.contract.benchmark import Benchmark
from zhiyin.engine.sequences import Walk
from zhiyin.errors import InputError, ModelError
from zhiyin.extensions import error_line
from zhiyin.record import Exchange, Model, Record, Reply, Sampling, Turn
from zhiyin.trial import Option, Trial, right_keys, say

BENCHMARK = "zhiyin.contract.Benchmark"
SOME = 40
"""Trials that are looked at one by one, and items that are asked."""


def broken(what: str, where: str) -> NoReturn:
    """Fail in one line: what is wrong, and the name in Python whose docstring says so."""
    line = f"{' '.join(what.split())} (see {where})"
    raise pytest.fail.Exception(line, pytrace=False) from None


@contextmanager
def blaming(what: str, where: str, *, ends: bool = False) -> Iterator[None]:
    """Fail in one line where code that is tried raises; `ends`: what the user can mend ends all."""
    try:
        yield
    except InputError as error:
        if ends:
            pytest.exit(f"{what}: {error}", 4)
        broken(f"{what}: {error}", where)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        broken(f"{what} raised {error_line(error)}, at {place}", where)


class Subject(NamedTuple):
    """A benchmark that is tried: as it was named, its flags, its class and all its options."""

    named: str
    flags: Mapping[str, Any]
    kind: type[Benchmark]
    options: Mapping[str, Any]

    def opened(self) -> Benchmark:
        """The benchmark, made anew."""
        with blaming("from_options", f"{BENCHMARK}.from_options"):
            return self.kind.from_options(self.options)

    def plain(self) -> list[Trial]:
        """Its plain trials, made anew."""
        with blaming("trials", f"{BENCHMARK}.trials"):
            return [*self.opened().trials()]

    def walked(self, walk: Walk, text: str = "") -> list[Record]:
        """The records of a sequence, at most `SOME`, with one reply to all that it asks."""
        records, exchange = list[Record](), Exchange((Turn(Reply(text)),))
        with blaming("a sequence", "zhiyin.sequence.Sequence.next"):
            benchmark = self.opened()
            walk.first()
            while (trial := walk.trial) is not None and len(records) < SOME:
                records.append(Record(trial.id, benchmark.score(trial, exchange), trial, exchange))
                walk.after(records[-1])
        return records


def spread(several: Sequence[Trial], most: int = SOME) -> Sequence[Trial]:
    """Some of them, from beginning to end."""
    return several[:: -(-len(several) // most) or 1]


def right_option(trial: Trial) -> Option | None:
    """The first of a trial's right options; None where there is none, or several are wanted."""
    right = [option for option in trial.options if option.key in right_keys(trial)]
    return right[0] if len({option.key for option in right}) == 1 else None


def worded(benchmark: Benchmark, trial: Trial, option: Option) -> str:
    """A reply that chooses an option, in a form that the benchmark's policy reads."""
    letter, text = option.letter, option.text
    forms = (letter, f"[[{letter}]]", text, f"{letter}. {text}", f"Answer: {letter}")
    read = benchmark.policy.extract
    return next((form for form in forms if read(form, trial.options).letter == letter), letter)


PLAIN = Trial(
    "contract-1",
    (say("user", "Which interval has twelve semitones?\nA. Fifth\nB. Octave"),),
    "Which interval has twelve semitones?",
    (Option("A", "Fifth", "A"), Option("B", "Octave", "B")),
)


async def reply_of(model: Model, trial: Trial, sampling: Sampling | None = None) -> Reply:
    """A model's reply, which has to be one; what it raises has to be a `ModelError`."""
    try:
        reply = await model.generate(trial.messages, sampling or Sampling(), trial.blind())
    except ModelError as error:
        if not str(error).strip():
            broken("a ModelError says nothing: give it a line", "zhiyin.ModelError")
        raise
    except Exception as error:
        broken(f"generate raised {error_line(error)}: raise a ModelError", "zhiyin.ModelError")
    if not isinstance(reply, Reply) or not isinstance(reply.text, str):
        broken(f"generate returned {type(reply).__name__}, no Reply with a text", "zhiyin.Reply")
    return reply
