"""Clauses that give an answer, or might: declared, concluded, placed, plainly said.

Each function takes a clause and returns its act, or None where it is of another kind.
"""

from __future__ import annotations

import re

from zhiyin.reader.choices import SHARED
from zhiyin.reader.clause import (
    AFFIRMED,
    DECLARED,
    FACT,
    FINAL,
    PLACED,
    REACH,
    SENTENCE_ENDS,
    SUBJECT_START,
    WEAK,
    Act,
    Clause,
    Place,
    brief,
)
from zhiyin.reader.cues import after, before

_SUBJECT_VERB = re.compile(
    r"[\"')\]]*(?: (?:scale|mode|key|chord|player|music|style|form|rhythm|piece|song|section)s?)?"
    r"(?: (?:\w+ly|often|also|always|sometimes|never))?"
    r"\s(?:is|was|are|were|means?|meant|has|have|had|wrote|writes|composed|would|will|can"
    r"|could|does|did|keeps?|comes?|came|starts?|started|sounds?|plays?|uses?|used|needs?|lacks?"
    r"|puts?|refers?|denotes?|requires?|contains?|stresses?|climbs?|lived|worked|works|developed"
    r"|emphasi\w+|became|began|ends?|ended|belongs?|describes?|moves?|might|may|should|must|died"
    r"|led|founded|finished|differs?|consists?|tends?|published|premiered|flourished|originated|stands?|goes|makes?|gives?"
    r"|took|takes?|asks|concerns|mentions|states|claims|deals|focuses|covers|implies)\b|[\"')\]]*[\u4e00-\u9fff]"
)
_OPENING = re.compile(
    r"[\"')\]]*(?:\s*(?:[.,:;!、)\]\n(]|$|-\s|→|because\b|since\b|as\b|it is\b|i think\b"
    r"|i believe\b|obviously\b|definitely\b|clearly\b|for\b|due\b|given\b|instead of\b"
    r"|rather than\b|over\b|and not\b|not\b|[\u4e00-\u9fff]))"
)
_IT_IS = re.compile(r"\bit|that's|this is|是")
_LAST_WORD = re.compile(r"\w[^,;:]*[,;]\s?[\"'(\[]*$")
_ENDS = re.compile(r"[\"')\]]*\s?[.!\n]")
_EQUALS = re.compile(r"\s(?:is|are|was|were)\s(?:an? |the )?|(?:是|为)")
_APPOSITION = re.compile(r"\b(?:it's|it is|this is|that's|that is) [^,.;:!?]{3,40},\s$")
"""Before a text: what is asked about is described, and then named."""

_OF_A_PART = re.compile(
    r"\b(?:the|its|his|her) (?!answer|option|choice|correct|right)\w+ (?:is|are)\s+$"
)
"""Before a text that is said of a part, and not of what is asked about: "the third is minor"."""

_OPEN_ENDED = re.compile(r"[\"')\]]*\s?,?\s?(?:or|and|或者?|还是|和|与)\s*$")
_ANSWER_DUE = re.compile(
    r"answer|option|choice|choose|pick|select|boxed|final|[<\[{:=]|答|选|respuesta|r[ée]ponse"
    r"|antwort|l[öo]sung|resposta|risposta|ответ|正解|정답"
)
"""A declaration that calls for a letter: one beyond the options is then an answer, and wrong."""

_REASON = re.compile(r"[\"')\]]*(?:吧|了|哦|啊|因为|由于|理由|这|根据|的?理由)")
_ANSWERS = re.compile(
    r"\s*(?:(?:a|answer):|(?:it|this|that)(?:'s| is)(?: clearly| definitely| probably)?)\s?"
)
_COUNT = re.compile(r"\d|[a-z]{3,}(?![, ])")
_WHOLE = 15
"""Characters from which an option's text may be the sentence that the reply ends with."""


def declared(clause: Clause) -> Act | None:
    """The answer in so many words: "the answer is B", 答案是B."""
    declaration = clause.declaration
    if declaration is None and before.CHANGES_TO.search(clause.whole):
        return clause.act("declaring", "changed to it", firmness=DECLARED, corrects=True)
    if declaration is None:
        return None
    if _OPEN_ENDED.match(clause.right):
        return clause.act("hedging", "one of several")
    beyond = clause.group.first.letter not in clause.choices.letters + SHARED
    if beyond and clause.group.first.form != "letters":
        due = clause.group.first.sure == 2 or _ANSWER_DUE.search(declaration[0])
        if not (clause.closed and due):
            return None
    if clause.by_text and re.search(r"[,;]\s", declaration[0].strip()):
        return None
    if after.MAYBE.match(clause.right) and clause.single and not clause.group.join:
        return clause.act("hedging", "possible")
    if _other_than_identified(clause):
        letters = (*clause.group.letters, SHARED)
        return clause.act(
            "declaring", "not what it was said to be", firmness=DECLARED, letters=letters
        )
    firmness = FINAL if before.FINALLY.search(declaration[0]) else DECLARED
    return clause.act("declaring", f"declared: {brief(declaration[0])!r}", firmness=firmness)


def _other_than_identified(clause: Clause) -> bool:
    """Tell whether the letter is not that of the text it follows from: "it is a koto, so B"."""
    if not clause.index or clause.by_text:
        return False
    other = clause.sentences.groups[clause.index - 1]
    if (
        other.first.form != "text"
        or SHARED in other.letters
        or other.letters == clause.group.letters
    ):
        return False
    between = clause.lower[other.end : clause.group.start]
    ahead = clause.lower[max(0, other.start - 60) : other.start]
    return bool(before.FOLLOWS.match(between) and before.IDENTIFIES.search(ahead))


def left_over(clause: Clause) -> Act:
    """Read what the other rules leave: conclusions, places, plain words, and mere mentions."""
    left = clause.left
    if clause.denied_before and before.INSTEAD.match(left):
        why = f"instead: {brief(left)!r}"
        return clause.act("declaring", why, firmness=AFFIRMED, corrects=True)
    if clause.group.first.sure == 0 and not _due_here(clause):
        return _placed(clause) or clause.act("mention", "")
    looked_at = before.CONSIDERS.search(left)
    if looked_at and not _is_lone_value(clause) and not clause.concludes:
        return clause.act("discussing", looked_at[0])
    if likely := after.LIKELY.match(clause.right):
        most = "most" in likely[0]
        return clause.act("declaring", "said to be likely", firmness=AFFIRMED, better=most)
    return _corrected(clause) or _concluded(clause) or _placed(clause) or _plain(clause)


def _due_here(clause: Clause) -> bool:
    """Tell whether an option that counts only where an answer is due stands where one is."""
    if not (clause.closed and (clause.weakly or clause.concludes)):
        return False
    if not clause.by_text or clause.group.end - clause.group.start != 1:
        return True
    if not (clause.choices.closed or clause.lower[clause.group.start].isdigit()):
        return False  # a note
    return clause.concludes or bool(_ANSWERS.fullmatch(clause.left))  # "3 and 3 makes 6", "A: 6"


def _is_lone_value(clause: Clause) -> bool:
    """Tell whether it is the only number of the reply: "about 72"."""
    only = not clause.choices.closed and len(clause.choices.own) == 1
    return only and bool(_COUNT.match(clause.named))


def _corrected(clause: Clause) -> Act | None:
    left = clause.left
    if not before.CORRECTS.search(left[-60:]):
        return None
    if clause.denied_before and clause.last > clause.start:
        return None
    if before.UNSURE.search(left):
        return clause.act("hedging", brief(left))
    if clause.by_text and _OF_A_PART.search(left):
        return None
    if clause.closed or clause.group.first.sure == 2:
        why = f"corrected: {brief(left)!r}"
        return clause.act("declaring", why, firmness=DECLARED, corrects=True)
    return None


def _is_predicate(clause: Clause) -> bool:
    """Tell whether the option is what the clause says of something, not its subject."""
    if clause.closed or clause.group.first.sure == 2:
        return True
    return clause.by_text and not _is_subject(clause)


def _is_subject(clause: Clause) -> bool:
    rest = clause.lower[clause.group.end : clause.group.end + 24]
    return (
        clause.by_text
        and bool(_SUBJECT_VERB.match(rest))
        and bool(SUBJECT_START.search(clause.left))
    )


def _concluded(clause: Clause) -> Act | None:
    if not (clause.concludes and _is_predicate(clause)):
        return None
    why = f"concluded: {brief(clause.left)!r}"
    return clause.act("declaring", why, firmness=AFFIRMED, concluded=True)


def _plain(clause: Clause) -> Act:
    """A plain "it is B"; a sentence that comes to B; or no more than B's name."""
    if _predicate_of_another(clause):
        return clause.act("mention", "one option said of another", named="named")
    return _said_weakly(clause) or _sum(clause) or _no_more_than_named(clause)


def _said_weakly(clause: Clause) -> Act | None:
    """Read a weak statement such as "It is B"."""
    left = clause.left
    if clause.by_text and clause.closed and _APPOSITION.search(left):
        return clause.act("declaring", f"said: {brief(left)!r}", firmness=WEAK, plainly=True)
    if clause.weakly and _are_offered(clause):
        return clause.act("listing", "a list of all options")
    if clause.weakly and _is_predicate(clause):
        if before.UNSURE.search(left[-24:]):
            return clause.act("hedging", brief(left))
        firmness = PLACED if _opens_plainly(clause) else WEAK
        plainly = bool(_IT_IS.search(left))
        return clause.act("declaring", f"said: {brief(left)!r}", firmness=firmness, plainly=plainly)
    ends = clause.single and _LAST_WORD.search(left) and _ENDS.match(clause.right)
    if ends and not clause.by_text:
        return clause.act("declaring", "the last word of its sentence", firmness=WEAK)
    return None


def _opens_plainly(clause: Clause) -> bool:
    """Tell whether a plain "it is" opens the reply: no "v1: A, v2: B"."""
    if clause.index or clause.start or (clause.by_text and not before.PLAINLY.match(clause.left)):
        return False
    return not clause.left.rstrip(" \"'([").endswith(":")


def _sum(clause: Clause) -> Act | None:
    if not _sums_up(clause):
        return None
    why = "concluded: the option that the sentence comes to"
    return clause.act("declaring", why, firmness=AFFIRMED, concluded=True)


def _no_more_than_named(clause: Clause) -> Act:
    first = clause.group.first
    if _are_offered(clause):
        return clause.act("listing", "a list of all options")
    if clause.by_text and before.RELATED.search(clause.left):
        return clause.act("discussing", FACT, named="named")
    if _is_subject(clause):
        why = FACT if after.TOLD.match(clause.right) else "spoken of"
        return clause.act("mention", why, named="spoken of")
    if first.sure == 2 or (first.sure == 1 and first.form != "letter"):
        return clause.act("mention", "named", named="named")
    return clause.act("mention", "")


def _are_offered(clause: Clause) -> bool:
    """Tell whether all options are named as what one may choose from."""
    all_named = set(clause.group.letters) >= set(clause.choices.letters)
    if not all_named:
        return False
    several = len(clause.choices.letters) > 2 and clause.weakly
    return several or bool(after.OFFERED.match(clause.right))


def _predicate_of_another(clause: Clause) -> bool:
    """Tell whether the clause says one option of another: "the relative of C major is A minor"."""
    if not (clause.by_text and clause.index and clause.single):
        return False
    other = clause.sentences.groups[clause.index - 1]
    between = clause.lower[other.end : clause.group.start]
    return (
        other.first.form == "text"
        and other.letters != clause.group.letters
        and bool(_EQUALS.fullmatch(between))
    )


def _sums_up(clause: Clause) -> bool:
    """Tell whether the option is the only one, and not denied, in a sentence that sums up."""
    if not (clause.by_text or clause.group.first.sure == 2) or clause.group.join:
        return False
    if not before.SUMS_UP.search(
        clause.lower, max(clause.start, clause.group.start - 3 * REACH), clause.group.start
    ):
        return False
    here = [g for g in clause.sentences.groups if clause.start <= g.start < clause.end]
    return all(set(g.letters) == set(clause.group.letters) for g in here)


def _placed(clause: Clause) -> Act | None:
    """An option that opens the reply, or stands alone on its line."""
    if not clause.group.first.lead:
        return _own_sentence(clause)
    rest, line_end = clause.rest_of_line()
    opens = not re.search(r"\w", clause.lower[: clause.group.start])
    if re.search(r"[\w#♯♭+°/?%]", rest):
        return _opening(clause) if opens else None
    if len(clause.group.letters) == len(clause.choices.letters) > 1:
        return clause.act("listing", "a list of all options")
    if "…" in rest and not opens:
        return None
    last = not clause.lower[line_end:].strip()
    return _at(clause, "alone" if opens and last else "last line" if last else "own line")


def _opening(clause: Clause) -> Act | None:
    """An option that opens the reply, with more behind it on its line."""
    first, lower, end = clause.group.first, clause.lower, clause.group.end
    if clause.by_text:
        whole = re.match(r"[\"')\]]*\s?[.!\n]", lower[end:])
        return _at(clause, "opens", PLACED if whole else WEAK) if clause.closed else None
    if first.sure != 2 and not _OPENING.match(lower, end):
        return None
    if not _speaks_of(clause) or _REASON.match(lower, end):
        return _at(clause, "opens")
    groups = clause.sentences.groups
    alone = first.sure == 2 or all(group.letters == clause.group.letters for group in groups)
    return clause.act("mention", "spoken of first", named="named" if alone else "")


def _speaks_of(clause: Clause) -> bool:
    """Tell whether a letter, without its text, is the subject of a sentence about it."""
    first, lower = clause.group.first, clause.lower
    own = clause.choices.own.get(first.letter, "")
    article = clause.lower.startswith(f"a {own}", first.start)  # "A guitar has frets"
    if own and not article and own in lower[first.start : first.end]:
        return False
    return bool(_SUBJECT_VERB.match(lower, clause.group.end))


_WHERE: dict[Place, str] = {
    "opens": "the option opens the reply",
    "own line": "the option on its own line",
    "last line": "the option on the last line",
    "alone": "the option alone",
    "sentence": "the option is a sentence of its own",
}


def _at(clause: Clause, place: Place, firmness: int = PLACED) -> Act:
    return clause.act("declaring", _WHERE[place], firmness=firmness, place=place)


def _own_sentence(clause: Clause) -> Act | None:
    """An option that is a sentence of its own, first of all: "Certainly! D."."""
    if clause.left.strip(" \"'(["):
        return None
    group, lower = clause.group, clause.lower
    second = clause.index > 0 and before.WAITS.search(lower, clause.last, group.start)
    ends = not re.search(r"\w", lower[group.end :])
    if not second and not ends and (clause.index or group.start > 80):
        return None
    if ends and not second and clause.by_text and group.end - group.start < _WHOLE:
        return None
    if not SENTENCE_ENDS.match(lower[group.end : clause.end + 1]):
        return None
    if second:
        return clause.act("declaring", "corrected to it", firmness=DECLARED, corrects=True)
    return _at(clause, "sentence")
