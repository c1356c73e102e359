"""What the user may set."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from zhiyin.benchmarks.exercises.exercise import LEVELS, Level
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import Flag

Task = Literal["theory", "chinese", "continuation"]
TASKS: tuple[Task, ...] = get_args(Task)
Wrong = Literal["others", "transposed", "rhythm", "cadence"]
WRONG: tuple[Wrong, ...] = get_args(Wrong)
"""Where the wrong continuations of a tune come from: other tunes, or the tune itself, altered."""
_TUNES = ("tunes", "corpus", "phrases")


class Settings(msgspec.Struct, frozen=True):
    """Which exercises, in which language, how many."""

    task: Annotated[
        tuple[Task, ...],
        Flag(f"of {','.join(TASKS)}; default theory,chinese", "T,...", once=True, chooses=True),
    ] = ("theory", "chinese")
    kind: Annotated[
        tuple[str, ...],
        Flag(
            "which kinds, such as interval,row or jianpu-read; default all",
            "K,...",
            once=True,
            chooses=True,
        ),
    ] = ()
    difficulty: Annotated[
        tuple[Level, ...],
        Flag(f"of theory and chinese: {', '.join(LEVELS)}", "L,...", once=True, chooses=True),
    ] = ("default",)
    language: Annotated[Literal["en", "zh"], Flag("of questions and options")] = "en"
    n: Annotated[
        int,
        Flag("exercises of each kind and difficulty", chooses=True),
        msgspec.Meta(ge=1, le=100_000),
    ] = 10
    tunes: Annotated[
        str | None,
        Flag(
            "continuation: tunes of your own: ABC, MusicXML, kern; a file or folder",
            "PATH",
            chooses=True,
        ),
    ] = None
    corpus: Annotated[
        str | None,
        Flag(
            "continuation: tunes that music21 brings, such as essenFolksong/han1",
            "NAME",
            chooses=True,
        ),
    ] = None
    phrases: Annotated[
        Literal["lines", "bars"] | None,
        Flag(
            "continuation: a phrase is a line of the ABC, or four bars; default lines for "
            "essenFolksong, else bars",
            chooses=True,
        ),
    ] = None
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    seed: Annotated[int, Flag("for everything random")] = 0

    def __post_init__(self) -> None:
        known = self.known()
        for kind in self.kind:
            if kind not in known:
                raise InputError(
                    f"--kind {kind}: none of --task {','.join(self.task)}: "
                    + did_you_mean(kind, known)
                )
        given = [name for name in _TUNES if getattr(self, name)]
        if "continuation" not in self.task:
            if given:
                raise InputError(f"--{given[0]} is for --task continuation; add that")
        elif bool(self.tunes) == bool(self.corpus):
            raise InputError(
                "--task continuation: give either --tunes PATH, a file or folder of tunes, or "
                "--corpus NAME, such as essenFolksong/han1, which music21 brings"
            )

    def known(self) -> dict[str, Task]:
        """The kinds of the tasks that are asked for, each with its task."""
        from zhiyin.benchmarks.exercises.chinese import MAKERS as CHINESE
        from zhiyin.benchmarks.exercises.theory import MAKERS as THEORY

        kinds: dict[Task, tuple[str, ...]] = {
            "theory": tuple(THEORY), "chinese": tuple(CHINESE), "continuation": WRONG,
        }  # fmt: skip
        return {kind: task for task in self.task for kind in kinds[task]}

    def kinds(self, task: Task) -> tuple[str, ...]:
        """The kinds of a task that are asked for."""
        all_of = tuple(kind for kind, theirs in self.known().items() if theirs == task)
        if not self.kind:
            return ("others",) if task == "continuation" else all_of
        return tuple(kind for kind in all_of if kind in self.kind)
