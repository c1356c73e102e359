"""Small benchmarks of the core's and models of known gifts, for golden files of whole outputs.

It lies beside the runs as ``desk.py``, too: ``zhiyin run desk.py:Tuning -m python:desk.py:fine``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from zhiyin.analysis.question_set import fingerprint_words
from zhiyin.contract import (
    ACCURACY,
    Benchmark,
    Flag,
    Headline,
    Protocol,
    Published,
    Reference,
    Section,
    Way,
)  # fmt: skip
from zhiyin.contract.declared import pack
from zhiyin.contract.description import PrintedTable
from zhiyin.contract.published_table import OWN, RowFacts
from zhiyin.record import Record, Reply, Verdict
from zhiyin.runs.measures import USUAL, score
from zhiyin.sequence import Sequence as Ordered
from zhiyin.trial import Option, Trial, say

NOTES = ("C", "D", "E", "F", "G", "A", "B")
NAMES = ("second", "third", "fourth", "fifth")


def draw(*words: object) -> float:
    """From 0 to 1, the same for the same words on every machine."""
    return int.from_bytes(sha256("|".join(map(str, words)).encode()).digest()[:6], "big") / 2**48


def right(question: str) -> str:
    """What is right: of "... from C up to E ...", and of the triads below."""
    if question.split(". ")[-1].startswith("On the "):
        return "minor" if question.endswith("F ?") else "major"
    if "from " not in question:
        return "C"
    low, high = (NOTES.index(question.split(word)[1].split()[0]) for word in ("from ", "up to "))
    return NAMES[(high - low) % 7 - 1]


def rows(number: int = 48) -> Iterator[dict[str, str]]:
    """Questions on intervals, three to a piece, of two groups that have groups of their own."""
    for n in range(number):
        low, step = n * 5 % 7, 1 + n * 3 % 4
        names = random.Random(n).sample(NAMES, 4)
        yield {
            "id": f"q{n:02}",
            "question": f"{n}. Which interval is it from {NOTES[low]} up to "
            f"{NOTES[(low + step) % 7]} ?",
            **dict(zip("ABCD", names, strict=True)),
            "answer": "ABCD"[names.index(NAMES[step - 1])],
            "group": ("near/white", "near/black", "far")[n % 3],
            "track": f"piece {n // 3}",
        }


def _says(
    name: str, gift: float, question: str, options: Sequence[str], trouble: int, heard: str
) -> Reply:
    """A reply; of `trouble` in a hundred there is none, a refusal, half a one, or many words."""
    fate = draw(name, question, *options, "fate") * 100
    usage = {"prompt_tokens": 40 + len(question) % 9, "completion_tokens": 3 + len(options)}
    if fate < trouble:
        raise RuntimeError("the model is worn out")
    if fate < 2 * trouble:
        return Reply("I am sorry, but I cannot help with that.", "refusal", usage)
    if fate < 3 * trouble:
        return Reply("Let me think. The first looks likely, since", "length", usage)
    if fate < 4 * trouble:
        return Reply("It might be any of them.", "stop", usage)
    if not options:
        return Reply("7 beats, C and E" if draw(name, question) < gift else "D", "stop", usage)
    wrong = int(draw(name, question, *options, "wrong") * len(options))
    known = draw(name, question, heard) < gift + 0.3 * draw(question) - 0.15
    known = known and right(question) in options
    letter = "ABCDEFGH"[[*options].index(right(question)) if known else wrong]
    letter += " and C" if known and right(question) == "C" and question[0] in "1357" else ""
    return Reply(f"The answer is {letter}.", "stop", usage, detail={"model": f"{name}-1"})


def strong(audio_path: str | None, question: str, options: Sequence[str]) -> Reply:
    """Listens: it knows more where there is a recording."""
    gift = 0.95 if audio_path else 0.6
    heard = sha256(Path(audio_path).read_bytes()).hexdigest() if audio_path else ""
    return _says("strong", gift, question, options, 2, heard)


def weak(audio_path: str | None, question: str, options: Sequence[str]) -> Reply:
    return _says("weak", 0.4, question, options, 4, "")


class Tuning(Benchmark):
    """How far off a tuning is: an error in cents, some of it unread."""

    name = "tuning"
    summary = "mean absolute error in cents"
    measures = (
        score("cents", unit="cents", lower_is_better=True, range=(0.0, None)),
        score("sharp", over="settled", unread=0.0),
    )

    def trials(self) -> Iterator[Trial]:
        for k in range(30):
            stem = f"How many cents has step {k} of 12?"
            groups = ("low",) if k < 12 else ("high", "high/top" if k > 20 else "high/middle")
            yield Trial(
                id=f"step/{k}", messages=(say("user", stem),), stem=stem, target=str(100 * k),
                groups=groups, cluster=f"string {k // 4}",
            )  # fmt: skip

    def score(self, trial, exchange):  # type: ignore[no-untyped-def]
        text = exchange.final.text
        if not text[:1].isdigit():
            return Verdict("no_answer", None)
        off = float(text) - float(trial.target)
        return Verdict("ungraded", text, scores={"cents": abs(off), "sharp": float(off > 0)})


def _tuned(name: str, width: float, messages: list[dict[str, object]]) -> str:
    step = int(str(messages[-1]["content"]).split("step ")[1].split()[0])
    return f"{100 * step + 150 + width * (2 * draw(name, step) - 1):.2f}"


def fine(messages: list[dict[str, object]]) -> str:
    return _tuned("fine", 14, messages)


def coarse(messages: list[dict[str, object]]) -> str:
    text = _tuned("coarse", 300, messages)
    return "I cannot say" if draw(text) < 0.1 else text


class TriadSettings(msgspec.Struct, frozen=True):
    seed: Annotated[int, Flag("of the order of the options")] = 0
    mode: Annotated[Literal["all", "plain"], Flag("which timbres are asked for")] = "all"


class Triads(Benchmark[TriadSettings]):
    """All that a class may declare: ways, titles, skills, published rows, an extent, a table."""

    name = "triads"
    version = "3"
    summary = "which triad stands on a step"
    paper = "A. Author: Triads. Journal of Tests 3, 2024"
    licence = "CC0"
    home = "https://example.org/triads"
    bibtex = "@misc{triads, title={Triads}}"
    chance = 0.25
    headline = Headline(group="major", metric="accuracy")
    titles = {"major": "major triads", "minor": "minor triads", "minor/high": "high minor ones"}
    skills = {"major": "harmony", "minor": "theory"}
    panels = ("minor",)
    ways = (
        Way("timbre", plain="piano", contrast="piano", changes="sound"),
        Way("shots", changes="examples"),
    )
    Settings = TriadSettings

    def trials(self) -> Iterator[Trial]:
        kinds = ("major", "minor", "diminished", "augmented")
        for number in range(24):
            for timbre in ("piano", "organ", "none")[: 1 if self.settings.mode == "plain" else 3]:
                kind = kinds[number % 2]
                groups = (kind, f"{kind}/{'high' if number % 3 else 'low'}")
                name = f"triad-{number}/{timbre}"
                shown = random.Random(f"{self.settings.seed} {number}").sample(kinds, 4)
                stem = f"{number}. On the {timbre}: from C up to {'EF'[number % 2]} ?"
                yield Trial(
                    id=name, messages=(say("user", f"{stem} {shown}"),), stem=stem,
                    options=tuple(map(Option, "ABCD", shown, shown)), target=kind,
                    groups=groups if timbre == "piano" else
                    (*(f"timbre={timbre}/{g}" for g in groups), f"timbre={timbre}"),
                    cluster=f"song {number // 2}", item=f"triad-{number}",
                    condition="" if timbre == "piano" else f"timbre={timbre}",
                    tags={"timbre": timbre, "level": number % 3},
                )  # fmt: skip

    def remarks(self) -> Sequence[str]:
        return ["2 triads of the paper are left out"]

    @classmethod
    def published(cls) -> Reference:
        return Reference(
            "Triads", "A. Author 2024",
            {
                "a class of 20": {"all": {"accuracy": 0.81}, "major": {"accuracy": 0.84}},
                "a coin": {"all": {"accuracy": 0.5}, "major": {"accuracy": 0.5}},
                "Model 1": {"major": {"accuracy": 0.61}, "minor": {"accuracy": 0.55}},
                "Model 2": {"major": {"accuracy": 0.95}},
            },
            {"a class of 20": "human", "a coin": "chance", "Model 1": "model", "Model 2": "model"},
            ranges={"a class of 20": {"major": {"accuracy": (0.5, 1.0)}}},
            facts={
                "Model 1": RowFacts("2024-05", "A. Author 2024", "", OWN),
                "Model 2": RowFacts("2025-01", "B. Other 2025", "shots=5", "B. Other"),
            },
        )  # fmt: skip

    @classmethod
    def expected(cls) -> Published:
        counts = {"all": 24, "major": 12, "minor": 12}
        return Published("the paper", "triads", counts, narrowed={"mode": "mode {}"})

    @classmethod
    def methods(cls, options):  # type: ignore[no-untyped-def]
        return [f"Options were shuffled by the seed {options['seed']}."]

    @classmethod
    def details(cls, rows, manifest):  # type: ignore[no-untyped-def]
        by_level = rows.settled.by(row.tags["level"] for row in rows.settled)
        lines = [[level, len(own), int(own.right.sum())] for level, own in by_level.items()]
        made = Section("By level", ["level", "asked", "right"], lines, ["0 is the lowest"])
        return [*super().details(rows, manifest), made]


class Tunes(Triads):
    """The same as a package declares it: an entry point, protocols, tables of a paper, contents."""

    name = "tunes"
    measures = (msgspec.structs.replace(ACCURACY, group="major"), *USUAL[1:], score("depth"))
    protocols = (
        Protocol(
            "released", "as in the paper", "the paper, section 3",
            {"extract": "first-letter", "temperature": 0.0, "mode": ("all", "plain")},
            ("its order has no seed",), "a clone of it",
        ),
    )  # fmt: skip
    printed = (
        PrintedTable(
            "table-1", "Table 1",
            (("Major: all", "major", "accuracy"), ("Minor: all", "minor", "f1")),
            sets={"extract": "first-letter"}, short={"Model 1": "M1"}, renamed={"f1": "accuracy"},
            mean="mean", note="It was measured once.",
        ),
        PrintedTable(
            "table-2", "Table 2", (("high", "*/high", "accuracy"), ("low", "*/low", "ifr")),
            (("Major", "major"), ("Minor", "minor")),
        ),
        PrintedTable("figure-1", "Figure 1", drawn="steps"),
    )  # fmt: skip

    def score(self, trial, exchange):  # type: ignore[no-untyped-def]
        verdict = super().score(trial, exchange)
        return msgspec.structs.replace(verdict, scores={"depth": len(exchange.final.text) / 60})

    @classmethod
    def expected(cls) -> Published:
        """Of 3 of 12 major triads other words are the published ones."""
        asked = [t for t in Triads(TriadSettings()).trials() if not t.condition]
        contents = {}
        for part in ("major", "minor"):
            words = [
                fingerprint_words(
                    t.stem + "!" * (t.id in ("triad-0/piano", "triad-2/piano", "triad-4/piano")),
                    [(o.key, o.text) for o in t.options], t.target,
                )
                for t in asked if part in t.groups
            ]  # fmt: skip
            contents[part] = pack(words)
        return Published(
            "the paper", "tunes", {"all": 24, "major": 12, "minor": 12}, ("major", "minor"),
            contents, clusters=12, narrowed={"mode": ""}, not_known="the order",
        )  # fmt: skip


class Stairs(Ordered):
    """A staircase that ends after 8 trials, or where the least step is heard."""

    at_least, at_most = 2, 8

    def __init__(self, start: str) -> None:
        self.id, self.groups = start, ("falling",)

    def next(self, done: Sequence[Record]) -> Trial | None:
        size = 3
        for record in done:
            size += -1 if record.verdict.state == "correct" else 1
        if len(done) == self.at_most or size == 0:
            return None
        stem = f"{len(done)} of {self.id}, {size} wide: from C up to {'DE'[len(done) % 2]} ?"
        options = (Option("A", "second", "second"), Option("B", "third", "third"))
        return Trial(
            id=f"{self.id}/{len(done) + 1}", messages=(say("user", stem),), stem=stem,
            options=options, target=("second", "third")[len(done) % 2],
            groups=("falling",), tags={"size": size},
        )  # fmt: skip


class Steps(Benchmark):
    """Sequences, some of which end early, and a plain trial beside them."""

    name = "steps"
    summary = "a staircase"
    measures = (*USUAL[:1], score("depth"))

    def sequences(self) -> Iterator[Ordered]:
        yield from map(Stairs, NOTES)

    def trials(self) -> Iterator[Trial]:
        yield Trial("plain", (say("user", "Sing."),), "Sing.", (), None, ("songs",))

    def score(self, trial, exchange):  # type: ignore[no-untyped-def]
        if trial.options:
            return super().score(trial, exchange)
        return Verdict("ungraded", exchange.final.text, scores={"depth": 0.5})
