"""Music appraisal: option questions about songs, and reviews of them that are judged afterwards.

`docs/benchmarks/appraisal.md` is its page.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.benchmarks import CheckResult, Section
from zhiyin.errors import InputError
from zhiyin.judges.rules import ASKING, JUDGING

if TYPE_CHECKING:
    from zhiyin.benchmarks.appraisal.benchmark import Appraisal
    from zhiyin.coverage import Published
    from zhiyin.session import Order, Watch
    from zhiyin.statistics.parts import Scored

NAME = "appraisal"
SUMMARY = "option questions about songs, and reviews of them, judged afterwards (zhiyin judge)"
PAPER = (
    "Comprehensive Music Appraisal Benchmark (ReactionEval): option questions 30 %, "
    "completeness 40 %, precision 20 %, novelty 10 %"
)
LICENCE = "published questions and details: none stated; generated pieces: none needed"
BIBTEX = ""
PROTOCOLS = (ASKING,)
CHANCE = None
"""Questions have two to nine options; there is no one level. `details` gives that of a run."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the benchmark's own flags to ``zhiyin run appraisal``."""
    add = parser.add_argument
    add(
        "--source",
        choices=("data", "generated"),
        default="data",
        help="songs in --data (the default), or pieces made by Zhiyin, of which all is known",
    )
    add("--n", type=int, default=3, metavar="N", help="how many pieces to make; default 3")
    add("--qa", metavar="FILE", help="questions; default DIR/option_qa.jsonl")
    add("--details", metavar="FILE", help="song details; default DIR/song_details.jsonl")
    add("--audio-root", metavar="DIR", help="where audio paths begin; default: beside the file")
    add(
        "--parts",
        choices=("both", "qa", "appraisal"),
        default="both",
        help="questions, reviews, or both (the default)",
    )
    add(
        "--reviews",
        choices=("all", "details"),
        default="all",
        help="of all songs (the default), or of those alone that have details",
    )
    add(
        "--language",
        default="zh",
        metavar="LANG",
        help="of the prompts: zh (the default), en, or the folder of a language pack",
    )
    add("--prompts", metavar="DIR", help="prompts that replace ours by file name")
    add("--stimuli", metavar="DIR", help="where generated pieces are kept; default runs/pieces-...")
    add(
        "--judge",
        type=judge_that_opens,
        metavar="JUDGE",
        help="judge the reviews when the run is whole, e.g. lexical or openai:MODEL",
    )


def judge_that_opens(spec: str) -> str:
    """A judge's spec as it was given, once it is sure that it opens: before the run, not after it.

    Raises
    ------
    InputError
        It names no model, or one that cannot be opened (a key is missing, say).
    """
    from zhiyin.models import open_model

    try:
        judge = open_model(spec)
    except InputError as error:
        raise InputError(f"--judge: {error}") from None
    asyncio.run(judge.close())
    return spec


def from_options(options: dict[str, Any]) -> Appraisal:
    """The benchmark as `options` say: parsed flags, or a run's manifest. Reads no data yet.

    Raises
    ------
    InputError
        A value that no flag takes.
    """
    from zhiyin.benchmarks.appraisal.benchmark import Appraisal, read_settings

    return Appraisal(read_settings(options))


def published() -> None:
    """No figures have been published."""


def expected() -> Published:
    """What the published data hold."""
    from zhiyin.coverage import read_published

    return read_published(Path(__file__).with_name("published_counts.json"))


def check(options: dict[str, Any]) -> CheckResult:
    """Every flaw of the data: broken lines, bad answers, songs that are missing."""
    from zhiyin.benchmarks.appraisal.benchmark import Appraisal, read_settings

    return Appraisal(read_settings(options)).check()


async def before(order: Order) -> None:
    """Make sure of the judge that is to follow, before the first call. Raises `InputError`."""
    from zhiyin.judges.judging import check_judge

    judge = order.options.get("judge")
    if judge and order.options.get("parts") != "qa":
        await check_judge(judge)


async def after(folder: Path, order: Order, watch: Watch) -> None:
    """Judge the reviews of a whole run, where ``--judge`` asks for it and there are any."""
    from zhiyin.judges.cases import has_reviews
    from zhiyin.judges.judging import Request, judge_run

    judge = order.options.get("judge")
    if not judge or not has_reviews(folder):
        return
    options = judging_options(order.options)
    request = Request(str(folder), judge, options, order.limits)
    await judge_run(request, watch)


def judging_options(options: dict[str, Any]) -> dict[str, Any]:
    """How the reviews of a run with these options are judged: in its language, by its protocol."""
    language = options.get("language") or "zh"
    if options.get("protocol") in (None, "ours"):
        return {"language": language}
    return {**JUDGING.usual(), "language": language, "protocol": options["protocol"]}


def parts(folder: Path) -> list[Scored]:
    """The scores of a run by song, once for each judge of its reviews."""
    from zhiyin.judges.scored import scored

    return scored(folder)


def details(folder: Path) -> list[Section]:
    """The judgements of a run, one table for each judge, and its headline."""
    from zhiyin.judges.sections import run_sections

    return run_sections(folder)
