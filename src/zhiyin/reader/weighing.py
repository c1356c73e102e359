"""How much a clause says for an option: a share, a half, an appearance, a draft, more than others.

What is said in part, or in a draft, gives way to whatever is said in full; what only seems so is
undone by a contrast; of praise the comparative wins; and shares are compared. All these are one
kind of clause, that weighs, and stand here together.
"""

from __future__ import annotations

import re

from zhiyin.reader.acts import AFFIRMED, Act, Yields
from zhiyin.reader.clause import REACH, Clause, brief
from zhiyin.reader.cues import after, before

_SCORED = re.compile(
    r"\bscores?\b|out of|\bratings?\b|\bp\(|probabilit|confidence|chances?\b|likelihood|打分|评分"
    r"|得分|置信|概率|可能性|how (?:likely|probable|plausible|sure|certain)|plausibility"
)
"""In a reply: bare numbers beside options are shares."""

_SAID = 12
"""Characters from which a contrast says something."""


def weighed(clause: Clause) -> Act | None:
    """A clause that says how much speaks for an option, and not that it is the answer."""
    if not clause.single or clause.group.join or clause.group.first.sure == 0:
        return None
    share = _share(clause)
    if share is not None:
        return clause.act("hedging", f"{share:g} %", share=share)
    if clause.index and after.AS_GOOD.match(clause.right):
        return clause.act("hedging", "as good as the one before", also=True)
    yields = _yields(clause)
    if yields:
        return clause.act("hedging", brief(clause.left) or yields, yields=yields)
    if _only_seems(clause):
        return clause.act("reported", "it only seems so")
    better = after.BETTER.match(clause.right)
    if better and not after.IF.match(clause.right[better.end() :]):
        why = f"said of it: {brief(better[0])!r}"
        return clause.act("declaring", why, firmness=AFFIRMED, better=True)
    if after.COMPARED.match(clause.lower, clause.group.end) and _compared(clause):
        return clause.act("declaring", "the better of two", firmness=AFFIRMED, better=True)
    return None


def _share(clause: Clause) -> float | None:
    """The share of a hundred, or the score, that is given to the option."""
    if clause.declaration:
        return None
    lower, group = clause.lower, clause.group
    ahead, behind = before.SHARE.search(clause.left), after.SHARE.match(clause.right)
    if ahead and behind:  # all of a line stand on one side
        line = max(lower.rfind("\n", 0, group.start) + 1, group.start - 2 * REACH)
        first = next(one for one in clause.sentences.groups if one.start >= line)
        ahead = ahead if before.SHARE.search(lower[line : first.start]) else None
    given = ahead or behind
    degree = after.DEGREE.match(clause.right) if given is None else None
    if degree and _SCORED.search(lower):
        return _of_degree(degree[0])
    if given is None or not (given["unit"] or given["tenths"] or _SCORED.search(lower)):
        return None
    if given["tenths"]:
        return 10.0 * "零一二三四五六七八九".index(given["tenths"])
    share = float(given["share"])
    return 100 * share if share < 1 and not given["unit"] else share


def _of_degree(phrase: str) -> float:
    """A share for a word such as "very low"."""
    return float(next(share for word, share in after.DEGREES if word.search(phrase)))


def _yields(clause: Clause) -> Yields:
    """Whether the option is a draft or right in part: "" where it is neither."""
    if before.DRAFT.search(clause.left):
        return "draft"
    if before.PARTLY.search(clause.left) or after.PARTLY.match(clause.right):
        return "partly"
    return ""


def _only_seems(clause: Clause) -> bool:
    """Whether the option comes to mind, or seems right, and is then doubted."""
    left, right, lower = clause.left, clause.right, clause.lower
    stop = min(clause.follows, clause.group.end + REACH)
    contrast = after.CONTRAST.search(lower, clause.group.end, stop)
    if contrast is None:
        return False
    allures = before.ALLURES.search(left) or after.ALLURES.match(right)
    if not allures and not before.SEEMS.search(left) and not after.SEEMS.match(right):
        return False
    if allures and _next_stands(clause, stop):
        return True
    rest = lower[contrast.start() : stop].partition("\n")[0]
    if after.UNCERTAIN.search(rest):
        return False
    if stop == clause.follows < len(lower):
        rest = rest[: max(map(rest.rfind, ",;.:"))]  # what follows speaks of the next option
    return bool(allures and len(rest) > _SAID) or bool(
        after.DOUBTS.search(rest) or after.DISLIKES.search(rest)
    )


def _next_stands(clause: Clause, stop: int) -> bool:
    """Whether the contrast ends with another option, of which no doubt is said."""
    if stop != clause.follows or clause.index + 1 >= len(clause.sentences.groups):
        return False
    following = clause.sentences.groups[clause.index + 1]
    behind = clause.lower[following.end : following.end + REACH // 2].partition("\n")[0]
    taken = (after.MAYBE.match, after.DISLIKES.search, after.AS_GOOD.match)
    return not any(taken_back(behind) for taken_back in taken)


def _compared(clause: Clause) -> bool:
    """Whether the next option is the lesser one: C比A更接近."""
    groups = clause.sentences.groups
    following = groups[clause.index + 1] if clause.index + 1 < len(groups) else None
    if following is None or following.start - clause.group.end > 6:
        return False
    return bool(after.IS_MORE.match(clause.lower, following.end))
