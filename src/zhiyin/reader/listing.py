"""Options one after the other, each with talk about it: a list, and no answers by their place."""

from __future__ import annotations

import re

from zhiyin.reader.choices import Choices
from zhiyin.reader.clause import PLACED, Act

_WRITTEN = re.compile(
    r"([(\[]?|option |choice |选项)[a-z]([)\]]?[.:、,]|选项|项|的|[)\]])?(?![a-z])"
)


def without_lists(acts: list[Act], lower: str, choices: Choices) -> list[Act]:
    """`acts` with labels in a row, each followed by talk, as discussion instead of answers.

    "B. Minor" at the head of a reply is an answer; "A. ...", "B. ...", "C. ..." on lines one
    after the other are talk about each.
    """
    labels = [
        number
        for number, act in enumerate(acts)
        if len(act.letters) == 1 and (act.label or _leads(lower, act.start))
    ]
    labelled = [acts[number] for number in labels]
    changed = list(acts)
    for row, number in enumerate(labels):
        act = acts[number]
        if not act.declares or act.firmness != PLACED:
            continue
        if number and _broken_off(acts[:number], act, lower, choices):
            changed[number] = act._replace(kind="discussing", firmness=0, why="cut off")
        elif _in_list(labelled, row, number == 0, lower, choices):
            changed[number] = act._replace(kind="discussing", firmness=0, why="one of a list")
    return changed


def _in_list(labels: list[Act], row: int, opens: bool, lower: str, choices: Choices) -> bool:
    """Tell whether the label of a row stands in a list, and does not answer at its head."""
    act, later = labels[row], labels[row + 1 :]
    if row and _follow(labels[row - 1], act, lower, choices):
        return True
    if not later or not _follow(act, later[0], lower, choices):
        return False
    return not (opens and _answers(act, later[0], later, lower, choices))


def _follow(one: Act, other: Act, lower: str, choices: Choices) -> bool:
    """Tell whether `other` is the next letter after `one`, written alike."""
    if not {one.letters[0], other.letters[0]} <= set(choices.letters):
        return False
    step = choices.letters.find(other.letters[0]) - choices.letters.find(one.letters[0])
    return step == 1 and _written(lower, one) == _written(lower, other)


def _broken_off(earlier: list[Act], act: Act, lower: str, choices: Choices) -> bool:
    """Tell whether a walk through the options is cut off: "First, option A ... Option B"."""
    if act.place != "sentence" or act.end < len(lower):
        return False
    noun = _written(lower, act).partition("_")[0]
    step = choices.letters.find(act.letters[0])
    return step > 0 and any(
        one.letters == (choices.letters[step - 1],)
        and _written(lower, one).partition("_")[0] == noun
        for one in earlier
        if not one.declares
    )


def _written(lower: str, act: Act) -> str:
    """Return how a label is written: lists write theirs alike."""
    match = _WRITTEN.match(lower, act.start)
    return f"{match[1]}_{match[2]}" if match else ""


def _answers(opening: Act, later: Act, rest: list[Act], lower: str, choices: Choices) -> bool:
    """Tell whether the label that opens the reply is the answer, and talk about others follows."""
    if any(act.letters == opening.letters for act in rest):
        return True
    own = lower[opening.end : lower.find("\n", opening.end)].strip(" .:")
    end = lower.find("\n", later.end)
    other = lower[later.end : end if end >= 0 else len(lower)].strip(" .:")
    return choices.letters.find(opening.letters[0]) > 0 or (not own and bool(other))


def _leads(lower: str, start: int) -> bool:
    line = lower.rfind("\n", 0, start) + 1
    return not lower[line:start].strip(" \t>#-•·|✅❌✓✗[]x\"'(")
