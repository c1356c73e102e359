"""The study file that `zhiyin study make` writes: whole, with a word on each setting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zhiyin.study.design import quoted
from zhiyin.study.words import words_of

if TYPE_CHECKING:
    from zhiyin.study.making import Wish


def study_file(name: str, wish: Wish, runs: Sequence[str] = ()) -> str:
    """The text of a study file: the researcher edits it before anybody takes part.

    `runs` says which run each number of the figures stands for.
    """
    graded = "".join(f"# {run}\n" for run in runs)
    exam = wish.kind == "exam"
    rules = f"{'' if wish.attention > 1 else '# '}attention_wrong = 2\n"
    rules += f"{'' if wish.gold else '# '}gold_right = 0.5\n"
    notes = (
        "most = 5\nstop_when_agreed = true  # no more where the first answers are all the same\n"
    )
    notes = "# most = 5\n" if exam else notes
    head = f"""\
# A study. Everything here is fixed once somebody has taken part.
format = 1
name = {quoted(name)}
kind = {quoted(wish.kind)}
languages = {quoted(list(wish.languages))}
seed = {wish.seed}
{graded}# per_person = 40        # items that one person is given; left out: all
shuffle = true           # options in an order of chance, kept with the answer
fields = ["education", "music_major", "music_background"]
# scale_file = "scale.json"   # statements of a self-report; see the docs
idle_s = 30              # after so many seconds without a sign, time does not count

[annotations]            # how many answers an item gets
least = 3
{notes}
[listening]              # times that each sound is heard to its end before an answer
least = 1
# most = 3

[checks]
volume = true
headphones = "none"      # or "woods", "huggins"
tries = 2

[exclude]                # whose answers are set aside: declared before any is seen
{rules}# median_seconds = 2.0
# same_place = 0.9
# headphones = true
# unfinished = true      # who has not answered everything

[keep]                   # which questions pass validation
annotations = 3
right = 0.5
distractors = 0.5
rule = "any"

[end]
complete = "COMPLETE"
screened_out = "SCREENED"
no_consent = "NOCONSENT"
# address = "https://app.prolific.com/submissions/complete?cc={{code}}"
"""
    return head + "".join(_texts(language, wish) for language in wish.languages)


def _texts(language: str, wish: Wish) -> str:
    words = words_of(language if language in ("en", "zh") else "en")
    consent = ",\n".join(f"  {quoted(words[f'consent_{n}'])}" for n in (1, 2, 3, 4))
    return f"""
[texts.{language}]
title = {quoted(words["default_title"])}
information = {quoted(words["default_information"])}
instructions = {quoted(words[f"instructions_{wish.kind}"])}
contact = ""
consent = [
{consent},
]
"""
