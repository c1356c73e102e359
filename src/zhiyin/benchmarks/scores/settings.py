"""What the user may set."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from zhiyin.benchmarks.scores.fresh.asked import TASKS, Task
from zhiyin.benchmarks.scores.fresh.knobs import KNOBS, LEVELS, Knobs, Level
from zhiyin.benchmarks.scores.fresh.music import Clef
from zhiyin.errors import InputError
from zhiyin.flags import Flag

_SHARE = msgspec.Meta(ge=0, le=1)
_MUSIC = ("clefs", "keys", "accidentals", "ledger", "rests", "chords", "voices", "dynamics")


class Settings(msgspec.Struct, frozen=True):
    """Which pictures, from where, in which language."""

    source: Annotated[
        Literal["published", "generated"],
        Flag("the published pictures, by --data, or fresh ones"),
    ] = "published"
    split: Annotated[
        tuple[str, ...],
        Flag("published: which folders of --data; default all that are there", "S,...", once=True),
    ] = ()
    asking: Annotated[
        Literal["ours", "published"],
        Flag("published: our own words, or the question as the data have it"),
    ] = "ours"
    language: Annotated[Literal["en", "zh"], Flag("of the words around a picture")] = "en"
    task: Annotated[
        tuple[Task, ...],
        Flag(f"generated: of {','.join(TASKS)}; default all", "T,...", once=True),
    ] = ()
    difficulty: Annotated[
        tuple[Level, ...], Flag(f"generated: {', '.join(LEVELS)}", "L,...", once=True, chooses=True)
    ] = ("default",)
    n: Annotated[
        int,
        Flag("generated: pictures a task and difficulty", chooses=True),
        msgspec.Meta(ge=1, le=10_000),
    ] = 20
    clefs: Annotated[
        tuple[Clef, ...],
        Flag(
            "generated: treble,bass,alto,tenor; default by difficulty",
            "C,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    keys: Annotated[
        int | None,
        Flag("most sharps or flats of a key signature", chooses=True),
        msgspec.Meta(ge=0, le=7),
    ] = None
    accidentals: Annotated[
        float | None,
        Flag("probability that a note is altered against its key", chooses=True),
        _SHARE,
    ] = None
    ledger: Annotated[
        int | None, Flag("most ledger lines of a note", chooses=True), msgspec.Meta(ge=0, le=4)
    ] = None
    rests: Annotated[
        float | None, Flag("probability of a rest", chooses=True), msgspec.Meta(ge=0, le=0.8)
    ] = None
    chords: Annotated[float | None, Flag("probability of a chord", chooses=True), _SHARE] = None
    voices: Annotated[
        int | None, Flag("on the staff: 1 or 2", chooses=True), msgspec.Meta(ge=1, le=2)
    ] = None
    dynamics: Annotated[
        Literal["yes", "no"] | None,
        Flag("whether marks from pp to ff are drawn and asked for", chooses=True),
    ] = None
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    seed: Annotated[int, Flag("of generated pictures")] = 0
    data: Annotated[str | None, Flag("the published pictures", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("pictures may be missing", place=True)] = False

    def __post_init__(self) -> None:
        if self.source == "generated":
            for name in ("data", "split"):
                if getattr(self, name):
                    raise InputError(f"--{name} is for --source published; leave it out")
            if self.extract == "music-bench":
                raise InputError(
                    "--extract music-bench reads lists of notes as the published script does, and "
                    "generated questions have other answers too; leave it out"
                )
            if self.asking == "published":
                raise InputError("--asking published is for --source published; leave it out")
            return
        for name in ("task", *_MUSIC):
            if getattr(self, name) not in (None, ()):
                raise InputError(f"--{name} is for --source generated; add that, or leave it out")
        if self.asking == "published" and self.language == "zh":
            raise InputError("--asking published: the published questions are in English alone")

    def knobs(self, level: Level) -> Knobs:
        """How hard pictures of a difficulty are, with what the user set."""
        given = {name: getattr(self, name) for name in _MUSIC}
        given["dynamics"] = None if self.dynamics is None else self.dynamics == "yes"
        return msgspec.structs.replace(
            KNOBS[level],
            **{name: value for name, value in given.items() if value not in (None, ())},
        )

    def tasks(self, level: Level) -> tuple[Task, ...]:
        """The tasks that are asked: where the user named none, all for which there is music."""
        if self.task:
            return self.task
        knobs = self.knobs(level)
        needs: dict[Task, bool] = {
            "triad": knobs.chords > 0,
            "signature": knobs.keys > 1,
            "marking": knobs.dynamics,
            "silences": knobs.rests > 0,
        }
        return tuple(task for task in TASKS if needs.get(task, True))
