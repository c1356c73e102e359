"""Clauses that speak for an option: praise and marks; shares, comparisons, and what only seems.

What is said in part, or in a draft, gives way to whatever is said in full; what only seems so is
undone by a contrast; of praise the comparative wins; and shares are compared.

Each function takes a clause and returns its act, or None where it is of another kind.
"""

from __future__ import annotations

import re

from zhiyin.reader.clause import (
    AFFIRMED,
    DECLARED,
    REACH,
    SENTENCE_ENDS,
    SUBJECT_START,
    Act,
    Clause,
    Kind,
    Yields,
    brief,
    own_words,
)
from zhiyin.reader.cues import after, before
from zhiyin.reader.rejections import last_symbol, symbol_after, symbol_before

_ABOUT = re.compile(
    r"\s?(?:\?|吗|\s(?:about|in|that)\b|\s(?:to|of|for) (?:an?|another|some"
    r"|the (?:next|last|previous|wrong|other|first|second|following|opposite))\b)"
)
_HEAD = re.compile(
    r"[\s|:=,)\]\"'-]*"
    r"(?:-\s|(?:on the other hand|(?:by|in) contrast|however|in turn|indeed)\b,?\s)?"
)
_PRAISE_OF_TEXT = re.compile(
    r"\s*(?:is|seems|looks|must|would|fits|matches|best|✓|✔|✅|是|则|与|正确|符合|最|更|对)"
)
_CELL = re.compile(r"\|\s?([a-z✓✗✔✘✅❌√×是否对错]+)[^|\n]{0,3}\s?\|?\s*$")
_CELL_YES = re.compile(r"(?:yes|true|correct|right|✓|✔|✅|√|是|对|match|fits)")
_CELL_NO = re.compile(r"(?:no|false|wrong|incorrect|✗|✘|❌|×|否|错|不)")
_LETTER_VERB = re.compile(
    r"[\"')\]]*\s(?:is|was|has|had|lacks?|fails?|would|does|can|uses?|sounds?|contains?|describes?"
    r"|names?|misses|requires?|needs?|came|wrote|lived|comes|goes|confuses)\b"
)
_ZH_START = re.compile(r"(?:^|[,.;:])[\s\"'(\[]*(?:排除法?)?$")
_OPENS = re.compile(r"\W*$")
_LABEL_START = re.compile(r"(?:^|[,;.!?\n])[\s>#*|\"'(\[-]*$")
_COLON = re.compile(r"[\"')\]]*\s?:")
_GOOD = re.compile(rf"\. {after.AFFIRMS.pattern}\s?[.!,;\n]")
_MANY = re.compile(r"(?P<two>两者|二者|两个|两项|这两|\bboth\b)|[都均皆]")
_CUT = re.compile(r"[,;:.!?\n]")

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
    if supported := _supported(clause):
        return clause.act("hedging", f"speaks for it: {supported!r}", supported=True)
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
    """Tell whether the option is a draft or right in part: "" if it is neither."""
    if before.DRAFT.search(clause.left):
        return "draft"
    if before.PARTLY.search(clause.left) or after.PARTLY.match(clause.right):
        return "partly"
    return ""


def _only_seems(clause: Clause) -> bool:
    """Tell whether the option comes to mind, or seems right, and is then doubted."""
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
    """Tell whether the contrast ends with another option, of which no doubt is said."""
    if stop != clause.follows or clause.index + 1 >= len(clause.sentences.groups):
        return False
    following = clause.sentences.groups[clause.index + 1]
    behind = clause.lower[following.end : following.end + REACH // 2].partition("\n")[0]
    taken = (after.MAYBE.match, after.DISLIKES.search, after.AS_GOOD.match)
    return not any(taken_back(behind) for taken_back in taken)


def _supported(clause: Clause) -> str:
    """The words by which something speaks for the option; "" where it is chosen besides."""
    decides = clause.concludes or clause.corrects or before.OUTWEIGHS.search(clause.left)
    beyond = clause.group.first.letter not in clause.choices.letters
    if decides or beyond or before.FINALLY.search(clause.left):
        return ""
    behind = after.SUPPORTED.match(clause.right)
    found = behind or before.SUPPORTS.search(clause.left)
    return brief(found[0]) if found else ""


def _compared(clause: Clause) -> bool:
    """Tell whether the next option is the lesser one: C比A更接近."""
    groups = clause.sentences.groups
    following = groups[clause.index + 1] if clause.index + 1 < len(groups) else None
    if following is None or following.start - clause.group.end > 6:
        return False
    return bool(after.IS_MORE.match(clause.lower, following.end))


def praised(clause: Clause) -> Act | None:
    """An option of which good or bad is said, by words or by marks."""
    said = _ranked_first(clause) or _as_before(clause) or _ticked(clause) or _called_answer(clause)
    if said or clause.group.first.sure == 0:
        return said
    if after.MAYBE.match(clause.right):
        return clause.act("hedging", "possible", supported=True)
    first = clause.group.first
    if first.sure == 2 or first.lead or _is_label(clause) or _begins_clause(clause):
        return _verdict(clause)
    praise = _near_praise(clause)
    return clause.act("declaring", f"said of it: {praise!r}", firmness=AFFIRMED) if praise else None


def _ranked_first(clause: Clause) -> Act | None:
    group = clause.group
    if group.join != "rank" and not (group.join == "list" and before.RANKED.search(clause.left)):
        return None
    first = group.letters[:1]
    return clause.act("declaring", "the first of a ranking", firmness=AFFIRMED, letters=first)


def _as_before(clause: Clause) -> Act | None:
    """Read a repeated verdict, as in "A is right, and so is B"."""
    if not (clause.index and before.SO_IS.search(clause.left)):
        return None
    if clause.denied_before:
        return clause.act("rejecting", "as the one before")
    other = clause.sentences.groups[clause.index - 1]
    ahead = clause.lower[max(clause.start, other.start - 60) : other.start]
    between = clause.lower[other.end : clause.group.start]
    if not (before.DECLARES.search(ahead) or after.AFFIRMS.search(between)):
        return clause.act("mention", "as the one before")
    return clause.act("declaring", "as the one before", firmness=AFFIRMED, also=True)


def _ticked(clause: Clause) -> Act | None:
    """A tick before the option, or after one that begins its line; the same option again."""
    mark = symbol_before(clause)
    if mark and mark["good"]:
        return clause.act("declaring", f"marked {mark['good']}", firmness=AFFIRMED)
    if _repeats(clause) and not clause.concludes and not before.CORRECTS.search(clause.left):
        return clause.act("discussing", "the same option again")
    mark = symbol_after(clause)
    if clause.group.first.lead and mark and mark["good"]:
        return clause.act("declaring", f"marked {mark[0]}", firmness=AFFIRMED)
    return None


def _called_answer(clause: Clause) -> Act | None:
    """Read a verdict such as "B is the answer"."""
    answer = after.IS_ANSWER.match(clause.right)
    if answer is None:
        return None
    rest = clause.right[answer.end() :]
    if after.IF.match(rest) or _ABOUT.match(rest):
        return clause.act("conditional", "on a condition")
    return clause.act("declaring", f"said of it: {brief(answer[0])!r}", firmness=DECLARED)


def _repeats(clause: Clause) -> bool:
    """Tell whether the option was just named in this sentence, and its text only explains it."""
    if not clause.by_text or not clause.index:
        return False
    other = clause.sentences.groups[clause.index - 1]
    if len(other.letters) >= len(clause.choices.letters):
        return False  # all were offered
    return other.start >= clause.start and set(clause.group.letters) <= set(other.letters)


def _is_label(clause: Clause) -> bool:
    """Tell whether a text begins a clause and a verdict follows: "Minor seventh: unlikely."."""
    starts = clause.by_text and _LABEL_START.search(clause.left)
    return bool(starts and _COLON.match(clause.right))


def _begins_clause(clause: Clause) -> bool:
    """Tell whether a clause begins with the bare letter: "A写过歌剧，排除", "A is too fast"."""
    end = clause.group.end
    if not clause.by_text and clause.index and not clause.left.strip():
        full_stop = clause.lower[end : end + 2] == ". "
        if full_stop and (
            after.DISLIKES.match(clause.lower, end + 2) or _GOOD.match(clause.lower, end)
        ):
            return True  # "A. Too low. B. Too bright. C. Correct."
    if "\u4e00" <= clause.right[:1] <= "\u9fff":
        return bool(_ZH_START.search(clause.left))
    if clause.by_text:
        return False
    return bool(SUBJECT_START.search(clause.left) and _LETTER_VERB.match(clause.right))


def _near_praise(clause: Clause) -> str:
    """Read good words straight after a bare option: "B is right", "B正确"."""
    right = clause.right
    head = _HEAD.match(right)
    start = head.end() if head else 0
    apart = right[:start].strip(" \"')")
    if clause.by_text and not apart and not _PRAISE_OF_TEXT.match(right):
        return ""
    filled = after.SAID_OF.match(right, start)
    good = after.AFFIRMS.match(right, filled.end() if filled else start)
    good = good or after.AFFIRMS.match(right, start)
    return good[0].strip() if good else ""


def _verdict(clause: Clause) -> Act | None:
    """Read the verdict on a labelled option up to the next one: the last good or bad word."""
    opens = _OPENS.match(clause.lower[: clause.group.start])
    if opens and clause.answers_first:
        return None
    whole_sentence = clause.group.end - clause.group.start > 3 and SENTENCE_ENDS.match(clause.right)
    more = "" if opens and whole_sentence else _more_said(clause)
    said = _said_at_once(clause.right) or _said_later(clause, more)
    if said is None:
        return None
    good, word, how = said
    kind: Kind = "declaring" if good else "rejecting"
    firmness = AFFIRMED if good else 0
    letters = _all_judged(clause, word)
    return clause.act(kind, f"{how} {word!r}", firmness=firmness, letters=letters)


def _more_said(clause: Clause) -> str:
    """Return what follows a labelled option's sentence on its line, up to the next option."""
    end, stop = clause.end, _reach(clause)
    line = clause.lower.find("\n", clause.group.end, stop)
    return clause.lower[end : line if line >= 0 else stop] if end < stop else ""


def _reach(clause: Clause) -> int:
    return min(clause.follows, clause.group.end + 2 * REACH)


_Judgement = tuple[bool, str, str]
"""Whether it is good, the word that says so, and how it is said."""


def _said_at_once(right: str) -> _Judgement | None:
    """Read yes or no, or the mark in a cell of a table."""
    cell = _CELL.search(right) if right.lstrip("\"') ").startswith("|") else None
    if cell and _CELL_YES.match(cell[1]):
        return True, cell[1], "marked"
    if cell:
        return (False, cell[1], "marked") if _CELL_NO.match(cell[1]) else None
    at_once = after.YES_OR_NO.match(right)
    return (at_once[1] == "yes", at_once[1], "said of it:") if at_once else None


def _said_later(clause: Clause, more: str) -> _Judgement | None:
    """The last tick or cross; or else the last good or bad word."""
    symbol = last_symbol(clause.right + more) if clause.group.first.lead else None
    if symbol:
        return bool(symbol["good"]), symbol[0], "marked"
    judgement = _last_judgement(clause.right)
    if not judgement and more and clause.group.first.form == "letter":
        to_next = _reach(clause) == clause.follows
        judgement = _last_judgement(own_words(more) if to_next else more)
    return (*judgement, "said of it:") if judgement else None


def _all_judged(clause: Clause, word: str) -> tuple[str, ...]:
    """The options that `word` judges: others too in "A is slow, B is long: both fit"."""
    up_to_word = clause.right.partition(word)[0] + word
    many = _MANY.search(up_to_word)
    letters = clause.group.letters
    if many is None or clause.group.join:
        return letters
    end = clause.group.start
    for other in reversed(clause.sentences.groups[: clause.index]):
        between = clause.lower[other.end : end]
        if other.start < clause.start or (_CUT.search(between) and not many["two"]):
            break
        letters = tuple(dict.fromkeys((*other.letters, *letters)))
        end = other.start
        if many["two"] and len(letters) > 1:
            break
    return letters


def _last_judgement(words: str) -> tuple[bool, str] | None:
    """The last word of praise (True) or blame (False) in `words`."""
    bad = [(m.start(), m.end(), False, m[0].strip()) for m in after.DISLIKES.finditer(words)]
    good = [(m.start(), m.end(), True, m[0].strip()) for m in after.AFFIRMS.finditer(words)]
    free = [
        praise
        for praise in good
        if not any(
            blame[0] <= praise[0] + 1 and blame[0] <= praise[1] and praise[0] <= blame[1] + 12
            for blame in bad
        )
    ]
    both = sorted([*bad, *free])
    return (both[-1][2], both[-1][3]) if both else None
