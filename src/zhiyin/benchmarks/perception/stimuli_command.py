"""`zhiyin stimuli`: make fresh perception items, or check a folder of them."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.music.stimuli import Difficulty


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `make` and `check`."""
    actions = parser.add_subparsers(dest="action", metavar="make|check", required=True)
    make = actions.add_parser("make", help="make items", allow_abbrev=False)
    make.add_argument("--task", required=True, choices=("syncopation", "transposition", "chords"))
    make.add_argument("--n", type=int, required=True, help="how many items")
    make.add_argument("--seed", type=int, default=0, help="0 or more (default 0)")
    make.add_argument("--out", type=Path, required=True, help="folder to write to")
    make.add_argument(
        "--exemplars", type=Path, metavar="DIR", help="also make the few-shot examples, there"
    )
    make.add_argument("--renderer", default="auto", help="tinysoundfont, builtin or auto (default)")
    hard = make.add_argument_group("difficulty (the paper's unless said otherwise)")
    hard.add_argument("--inversions", action="store_true", help="chords in any inversion")
    hard.add_argument("--qualities", metavar="Q,Q", help="chord qualities, or 'all'")
    hard.add_argument("--instruments", metavar="I,I", help="for chords and melodies")
    hard.add_argument("--tempo", metavar="BPM[-BPM]", help="one tempo or a range, 40-240")
    hard.add_argument("--altered", action="store_true", help="pairs that differ in one note")
    hard.add_argument("--noise", type=float, metavar="DB", help="white noise, SNR in dB")
    hard.add_argument("--reverb", type=float, metavar="S", help="reverberation time in seconds")
    check = actions.add_parser("check", help="check a folder", allow_abbrev=False)
    check.add_argument("folder", type=Path)


class MadeStimuli(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was made; `exemplars_in` is the folder of the worked examples, if any were."""

    task: str
    items: int
    exemplars: int
    folder: str
    renderer: str
    seconds: float
    exemplars_in: str = ""


class CheckedStimuli(msgspec.Struct, frozen=True):
    """What a folder holds: how many items, and how many of each answer."""

    folder: str
    items: int
    answers: dict[str, int]


def execute(args: argparse.Namespace) -> MadeStimuli | CheckedStimuli:
    """Make or check: what there is then."""
    return _make(args) if args.action == "make" else _check(args)


def show(results: MadeStimuli | CheckedStimuli) -> str:
    """What was made, or what was found, in a line or two."""
    folder, items = results.folder, results.items
    if isinstance(results, CheckedStimuli):
        counts = ", ".join(f"{answer} {count}" for answer, count in results.answers.items())
        return f"{folder}: {items} items agree with their files (answers: {counts})"
    lines = [f"{items} items in {folder}, {results.seconds:.1f} s, by {results.renderer}"]
    if results.exemplars:
        lines.append(f"{results.exemplars} examples in {results.exemplars_in}")
    return "\n".join(lines)


def difficulty_of(args: argparse.Namespace) -> Difficulty:
    """The difficulty that the flags ask for."""
    from zhiyin.music.stimuli import Difficulty
    from zhiyin.music.theory import QUALITIES

    qualities = Difficulty().qualities
    if args.qualities:
        qualities = tuple(QUALITIES) if args.qualities == "all" else _names(args.qualities)
    return Difficulty(
        inversions=args.inversions,
        qualities=qualities,
        instruments=_names(args.instruments) if args.instruments else (),
        tempo=_tempo(args.tempo) if args.tempo else None,
        altered=args.altered,
        noise_db=args.noise,
        reverb_s=args.reverb,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _tempo(text: str) -> tuple[int, int]:
    slow, _, fast = text.partition("-")
    try:
        return int(slow), int(fast or slow)
    except ValueError as error:
        raise InputError(f"--tempo {text}: write 120 or 90-140") from error


def _make(args: argparse.Namespace) -> MadeStimuli:
    from zhiyin.music.render import open_renderer
    from zhiyin.music.stimuli import make, make_exemplars

    difficulty = difficulty_of(args)
    renderer = open_renderer(args.renderer)
    began = time.perf_counter()
    items = make(args.task, args.n, args.seed, args.out, difficulty, renderer)
    examples = []
    if args.exemplars:
        examples = make_exemplars(args.task, args.seed, args.exemplars, difficulty, renderer)
    return MadeStimuli(
        args.task,
        len(items),
        len(examples),
        str(args.out),
        renderer.label,
        round(time.perf_counter() - began, 3),
        str(args.exemplars or ""),
    )


def _check(args: argparse.Namespace) -> CheckedStimuli:
    from collections import Counter

    from zhiyin.music.stimuli import verify

    items = verify(args.folder)
    answers = dict(sorted(Counter(item.answer for item in items).items()))
    return CheckedStimuli(str(args.folder), len(items), answers)
