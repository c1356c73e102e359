"""`zhiyin stimuli`: make fresh perception items, or check a folder of them."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.words import said, say, spoken

if TYPE_CHECKING:
    from zhiyin.plugins.music.stimuli import Difficulty


ACTIONS = ("make", "check")


class StimuliDifficulty(msgspec.Struct, frozen=True):
    """Settings that make items harder, as the command line says them."""

    inversions: Annotated[bool, Flag("chords in any inversion")] = False
    qualities: Annotated[tuple[str, ...], Flag("chord qualities, or 'all'", "Q,...")] = ()
    instruments: Annotated[tuple[str, ...], Flag("for chords and melodies", "I,...")] = ()
    tempo: Annotated[str, Flag("one tempo or a range, 40-240", "BPM[-BPM]")] = ""
    altered: Annotated[bool, Flag("pairs that differ in one note")] = False
    noise: Annotated[float | None, Flag("white noise, SNR in dB", "DB")] = None
    reverb: Annotated[float | None, Flag("reverberation time in seconds", "S")] = None

    def read(self) -> Difficulty:
        """The difficulty that is asked for."""
        from zhiyin.plugins.music.stimuli import Difficulty
        from zhiyin.plugins.music.theory import QUALITIES

        every = tuple(QUALITIES) if self.qualities == ("all",) else self.qualities
        return Difficulty(
            inversions=self.inversions,
            qualities=every or Difficulty().qualities,
            instruments=self.instruments,
            tempo=_tempo(self.tempo) if self.tempo else None,
            altered=self.altered,
            noise_db=self.noise,
            reverb_s=self.reverb,
        )


class MadeStimuli(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stimuli that were made; `exemplars_in` is the folder of the worked examples, if any."""

    task: str
    items: int
    exemplars: int
    folder: str
    renderer: str
    seconds: float
    exemplars_in: str = ""


class CheckedStimuli(msgspec.Struct, frozen=True):
    """The contents of a folder: how many items, and how many of each answer."""

    folder: str
    items: int
    answers: dict[str, int]


def show(results: MadeStimuli | CheckedStimuli) -> str:
    """Describe what was made, or what was found, in a line or two."""
    facts = msgspec.structs.asdict(results)
    if isinstance(results, CheckedStimuli):
        counts = [f"{answer} {count}" for answer, count in results.answers.items()]
        return say(said("stimuli-checked", **{**facts, "answers": counts}), spoken())
    lines = [said("stimuli-made", **facts)]
    if results.exemplars:
        lines.append(said("stimuli-exemplars", **facts))
    return "\n".join(say(line, spoken()) for line in lines)


def _tempo(text: str) -> tuple[int, int]:
    slow, _, fast = text.partition("-")
    try:
        return int(slow), int(fast or slow)
    except ValueError as error:
        raise InputError(f"--tempo {text}: write 120 or 90-140") from error


def make(
    *,
    task: Literal["syncopation", "transposition", "chords"],
    n: int,
    seed: int = 0,
    out: Path,
    exemplars: Path | None = None,
    renderer: str = "auto",
    harder: Annotated[
        StimuliDifficulty, "difficulty (the paper's unless said otherwise)"
    ] = StimuliDifficulty(),
) -> MadeStimuli:
    """Make items.

    Parameters
    ----------
    n
        how many items
    seed
        0 or more
    out : DIR
        folder to write to
    exemplars : DIR
        also make the few-shot examples, there
    renderer
        tinysoundfont, builtin or auto
    """
    from zhiyin.plugins.music.render import open_renderer
    from zhiyin.plugins.music.stimuli.folder import make as make_items
    from zhiyin.plugins.music.stimuli.folder import make_exemplars

    difficulty, player = harder.read(), open_renderer(renderer)
    began = time.perf_counter()
    items = make_items(task, n, seed, out, difficulty, player)
    examples = make_exemplars(task, seed, exemplars, difficulty, player) if exemplars else []
    seconds = round(time.perf_counter() - began, 3)
    folder = str(exemplars or "")
    return MadeStimuli(task, len(items), len(examples), str(out), player.label, seconds, folder)


def check(folder: Path) -> CheckedStimuli:
    """Check a folder.

    Parameters
    ----------
    folder : DIR
        what `make` wrote
    """
    from zhiyin.plugins.music.stimuli.folder import verify

    items = verify(folder)
    answers = dict(sorted(Counter(item.answer for item in items).items()))
    return CheckedStimuli(str(folder), len(items), answers)
