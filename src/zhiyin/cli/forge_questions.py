"""`zhiyin forge questions CAPTIONS`: captions or texts become a benchmark, in stages."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from zhiyin.cli import forge_common
from zhiyin.cli.values import positive, whole
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.forge.pipeline import Plan

_STAGES = ("select", "write", "check", "validate", "label", "build")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("captions", metavar="CAPTIONS", help="a CSV or JSON lines file, or a data set's folder")
    add("--texts", action="store_true",
        help="they are texts: books (.txt, .md), passages, exam questions")  # fmt: skip
    add("-m", "--model", metavar="MODEL", help="who writes the questions, and files them")
    add("--out", metavar="DIR", required=True, help="the folder of the stages and the benchmark")
    add("--name", default="forged", help="of the benchmark; default forged")
    add("--until", choices=_STAGES, default="build", metavar="STAGE",
        help=f"the last stage: {', '.join(_STAGES)} (default)")  # fmt: skip
    add("--use", action="append", default=[], metavar="STAGE=FILE", help="your own in its place")
    add("--seed", type=int, default=0, help="of all that is drawn; default 0")
    _add_selection(parser.add_argument_group("which tracks"))
    _add_checks(parser.add_argument_group("which questions"))
    _add_folder(parser.add_argument_group("the folder"))
    forge_common.add_asking(parser)
    forge_common.add_printing(parser)


def _add_selection(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the captions")
    add("--audio", metavar="DIR", help="where the recordings lie; default: beside the captions")
    add("--no-sound", action="store_true", help="keep tracks without a recording too")
    add("--captions-each", type=positive, default=2, metavar="N", help="that it needs; default 2")
    add("--words", type=positive, default=30, metavar="N", help="or one caption of N; default 30")
    add("--longest", type=positive, default=6000, metavar="N", help="characters; default 6000")
    add("--per-genre", type=whole, default=0, metavar="N", help="tracks at most; default: all")


def _add_checks(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--per-track", type=positive, default=3, metavar="N", help="questions; default 3")
    add("--blind", action="append", default=[], metavar="MODEL", help="must not answer unheard")
    add("--least-index", type=float, default=0.5, metavar="X", help="perceptual index; default 0.5")
    add("--annotations", metavar="FILE", help="what people said of the questions: a table")
    add("--annotation-columns", action="append", default=[], metavar="MEANING=NAME", help="of it")
    add("--answers", choices=("auto", "letters", "numbers", "texts"), default="auto", help="in it")
    add("--least", type=positive, default=3, metavar="N", help="annotations; default 3")
    add("--right", type=float, default=0.5, metavar="X", help="share that must mark the right one")
    add("--wrong", type=float, default=0.5, metavar="X", help="share that may mark a wrong one")
    add("--together", action="store_true", help="wrong ones are counted together, not each")
    add("--unvalidated", action="store_true", help="go on without people")


def _add_folder(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--private", type=float, default=0.5, metavar="X", help="share of the tracks; default 0.5")
    add("--dev", type=whole, default=1, metavar="N", help="tracks for worked examples; default 1")
    add("--licence", default="", metavar="TEXT", help="of the questions")


def plan_of(args: argparse.Namespace) -> Plan:
    """What the flags ask for."""
    from zhiyin.forge.folder import Building
    from zhiyin.forge.pipeline import Plan, asker_of
    from zhiyin.forge.selecting import Selecting
    from zhiyin.forge.validating import Rule

    for flag in ("right", "wrong"):
        if not 0 <= getattr(args, flag) <= 1:
            raise InputError(f"--{flag} {getattr(args, flag):g}: give a share from 0 to 1")
    base = forge_common.asker(args, args.model or "")
    return Plan(
        captions=args.captions,
        work=args.out,
        writer=base if args.model else None,
        blind=tuple(asker_of(model, base) for model in dict.fromkeys(args.blind)),
        least_index=args.least_index,
        count=args.per_track,
        selecting=Selecting(
            args.captions_each,
            args.words,
            args.longest,
            args.per_genre,
            not (args.no_sound or args.texts),
            args.seed,
        ),
        rule=Rule(args.least, args.right, args.wrong, args.together),
        building=Building(args.name, args.private, args.dev, args.licence, args.seed),
        annotations=args.annotations,
        unvalidated=args.unvalidated,
        use=_used(args.use),
        until=args.until,
        audio=args.audio,
        columns=tuple(args.columns),
        annotation_columns=tuple(args.annotation_columns),
        answers=args.answers,
        texts=args.texts,
    )


def _used(words: list[str]) -> dict[str, str]:
    files = {}
    for word in words:
        stage, equals, file = word.partition("=")
        if not equals or not file:
            raise InputError(f"--use {word}: write STAGE=FILE, such as write=my_questions.jsonl")
        files[stage] = file
    return files


def execute(args: argparse.Namespace) -> int:
    """Make it, print the funnel; 1 where calls failed, 130 where it was interrupted."""
    from zhiyin.forge.asking import Interrupted
    from zhiyin.forge.pipeline import make

    try:
        made = make(plan_of(args), forge_common.watch_of(args))
    except Interrupted:
        return 130
    if args.json:
        forge_common.print_object(made)
    else:
        forge_common.print_funnels(made.funnels)
        notes = [f"\nnext: {made.next}"] if made.next else []
        if made.folder:
            notes.append(f"\n{made.folder}: `zhiyin run {made.folder} -m MODEL` examines a model")
        if not made.funnels[-1].kept and not made.folder:
            notes.append("\nnothing is left to go on with")
        forge_common.print_notes(notes)
    failed = ("failed", "unreadable", "not-probed", "unlabelled")
    return int(any(why in one.fell for one in made.funnels for why in failed))
