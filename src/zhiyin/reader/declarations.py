"""Clauses that give an answer, or might: declared, praised, concluded, placed, plainly said.

Each function takes a clause and returns its act, or None where it is of another kind.
"""

from __future__ import annotations

import re

from zhiyin.reader.acts import AFFIRMED, DECLARED, FINAL, PLACED, WEAK, Act, Kind, Place
from zhiyin.reader.choices import SHARED
from zhiyin.reader.clause import REACH, Clause, brief, own_words
from zhiyin.reader.cues import after, before
from zhiyin.reader.rejections import last_symbol, symbol_after, symbol_before

_SUBJECT_START = re.compile(
    r"(?:^|[,;.:!?\n]|\b(?:and|while|but|whereas|as|because|that)\b|[而但因为])"
    r"[\s>#*|\"'(\[-]*(?:the|an?)?\s?[\"']*$"
)
_SUBJECT_VERB = re.compile(
    r"[\"')\]]*\s(?:is|was|are|were|means?|meant|has|have|had|wrote|writes|composed|would|will|can"
    r"|could|does|did|keeps?|comes?|came|starts?|started|sounds?|plays?|uses?|used|needs?|lacks?"
    r"|puts?|refers?|denotes?|requires?|contains?|stresses?|climbs?|lived|worked|works|developed"
    r"|emphasi\w+|became|began|ends?|ended|belongs?|describes?|moves?|might|may|should|must|died"
    r"|led|founded|finished|published|premiered|flourished|originated|stands?|goes|makes?|gives?"
    r"|took|takes?|asks|concerns|mentions|states|claims|deals|focuses|covers|implies)\b|[\"')\]]*[\u4e00-\u9fff]"
)
_OPENING = re.compile(
    r"[\"')\]]*(?:\s*(?:[.,:;!、)\]\n(]|$|-\s|→|because\b|since\b|as\b|it is\b|i think\b"
    r"|i believe\b|obviously\b|definitely\b|clearly\b|for\b|due\b|given\b|instead of\b"
    r"|rather than\b|over\b|and not\b|not\b|[\u4e00-\u9fff]))"
)
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
_IT_IS = re.compile(r"\bit|that's|this is|是")
_LETTER_VERB = re.compile(
    r"[\"')\]]*\s(?:is|was|has|had|lacks?|fails?|would|does|can|uses?|sounds?|contains?|describes?"
    r"|names?|misses|requires?|needs?|came|wrote|lived|comes|goes|confuses)\b"
)
_ZH_START = re.compile(r"(?:^|[,.;:])[\s\"'(\[]*(?:排除法?)?$")
_LAST_WORD = re.compile(r"\w[^,;:]*[,;]\s?[\"'(\[]*$")
_ENDS = re.compile(r"[\"')\]]*\s?[.!\n]")
_OPENS = re.compile(r"\W*$")
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

_LABEL_START = re.compile(r"(?:^|[,;.!?\n])[\s>#*|\"'(\[-]*$")
_COLON = re.compile(r"[\"')\]]*\s?:")
_REASON = re.compile(r"[\"')\]]*(?:吧|了|哦|啊|因为|由于|理由|这|根据|的?理由)")
_ANSWERS = re.compile(
    r"\s*(?:(?:a|answer):|(?:it|this|that)(?:'s| is)(?: clearly| definitely| probably)?)\s?"
)
_GOOD = re.compile(rf"\. {after.AFFIRMS.pattern}\s?[.!,;\n]")
_COUNT = re.compile(r"\d|[a-z]{3,}(?![, ])")
_WHOLE = 15
"""Characters from which an option's text may be the sentence that the reply ends with."""

_MANY = re.compile(r"(?P<two>两者|二者|两个|两项|这两|\bboth\b)|[都均皆]")
_CUT = re.compile(r"[,;:.!?\n]")
_SENTENCE = re.compile(r"[\"')\]]*\s?(?:[.!\n]|$)")


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
    """Whether the letter is not that of the text it follows from: "it is a koto, so B"."""
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


def praised(clause: Clause) -> Act | None:
    """An option of which good or bad is said, by words or by marks."""
    group, left, right = clause.group, clause.left, clause.right
    if group.join == "rank" or (group.join == "list" and before.RANKED.search(left)):
        return clause.act(
            "declaring", "the first of a ranking", firmness=AFFIRMED, letters=group.letters[:1]
        )
    if clause.index and before.SO_IS.search(left):
        if clause.denied_before:
            return clause.act("rejecting", "as the one before")
        if not _is_affirmed_before(clause):
            return clause.act("mention", "as the one before")
        return clause.act("declaring", "as the one before", firmness=AFFIRMED, also=True)
    mark = symbol_before(clause)
    if mark and mark["good"]:
        return clause.act("declaring", f"marked {mark['good']}", firmness=AFFIRMED)
    if _repeats(clause) and not clause.concludes and not before.CORRECTS.search(left):
        return clause.act("discussing", "the same option again")
    mark = symbol_after(clause)
    if group.first.lead and mark and mark["good"]:
        return clause.act("declaring", f"marked {mark[0]}", firmness=AFFIRMED)
    answer = after.IS_ANSWER.match(right)
    if answer:
        rest = right[answer.end() :]
        if after.IF.match(rest) or _ABOUT.match(rest):
            return clause.act("conditional", "on a condition")
        why = f"said of it: {brief(answer[0])!r}"
        return clause.act("declaring", why, firmness=DECLARED)
    if group.first.sure == 0:
        return None
    if after.MAYBE.match(right):
        return clause.act("hedging", "possible")
    labelled = group.first.lead or _is_label(clause)
    if group.first.sure == 2 or labelled or _begins_clause(clause):
        return _verdict(clause)
    praise = _near_praise(clause)
    if praise:
        return clause.act("declaring", f"said of it: {praise!r}", firmness=AFFIRMED)
    return None


def _is_affirmed_before(clause: Clause) -> bool:
    other = clause.sentences.groups[clause.index - 1]
    ahead = clause.lower[max(clause.start, other.start - 60) : other.start]
    between = clause.lower[other.end : clause.group.start]
    return bool(before.DECLARES.search(ahead) or after.AFFIRMS.search(between))


def _repeats(clause: Clause) -> bool:
    """Whether the option was just named in this sentence, and its text only explains it."""
    if not clause.by_text or not clause.index:
        return False
    other = clause.sentences.groups[clause.index - 1]
    if len(other.letters) >= len(clause.choices.letters):
        return False  # all were offered
    return other.start >= clause.start and set(clause.group.letters) <= set(other.letters)


def _is_label(clause: Clause) -> bool:
    """Whether a text begins a clause and a verdict follows: "Minor seventh: unlikely."."""
    starts = clause.by_text and _LABEL_START.search(clause.left)
    return bool(starts and _COLON.match(clause.right))


def _begins_clause(clause: Clause) -> bool:
    """Whether a clause begins with the bare letter: "A写过歌剧，排除", "A is too fast"."""
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
    return bool(_SUBJECT_START.search(clause.left) and _LETTER_VERB.match(clause.right))


def _near_praise(clause: Clause) -> str:
    """Good words straight after a bare option: "B is right", "B正确"."""
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
    """What is said of a labelled option up to the next one: the last good or bad word."""
    right, group = clause.right, clause.group
    stop = min(clause.follows, group.end + 2 * REACH)
    line = clause.lower.find("\n", group.end, stop)
    more = clause.lower[clause.end : line if line >= 0 else stop] if clause.end < stop else ""
    cell = _CELL.search(right) if right.lstrip("\"') ").startswith("|") else None
    good: bool | None = None
    at_once = after.YES_OR_NO.match(right)
    if at_once:
        word, how, good = at_once[1], "said of it:", at_once[1] == "yes"
    if cell:
        word, how = cell[1], "marked"
        good = True if _CELL_YES.match(word) else False if _CELL_NO.match(word) else None
    if _OPENS.match(clause.lower[: group.start]):
        if clause.answers_first:
            return None
        if group.end - group.start > 3:
            more = more if not _SENTENCE.match(right) else ""
    symbol = last_symbol(right + more) if group.first.lead else None
    if good is None and symbol:
        good, word, how = bool(symbol["good"]), symbol[0], "marked"
    if good is None:
        judgement = _last_judgement(right)
        if not judgement and more and group.first.form == "letter":
            judgement = _last_judgement(own_words(more) if stop == clause.follows else more)
        if judgement is None:
            return None
        good, word, how = *judgement, "said of it:"
    kind: Kind = "declaring" if good else "rejecting"
    firmness = AFFIRMED if good else 0
    letters = _all_judged(clause, word)
    return clause.act(kind, f"{how} {word!r}", firmness=firmness, letters=letters)


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


def left_over(clause: Clause) -> Act:
    """What the other rules leave: conclusions, places, plain words, and mere mentions."""
    left, first = clause.left, clause.group.first
    if clause.denied_before and before.INSTEAD.match(left):
        why = f"instead: {brief(left)!r}"
        return clause.act("declaring", why, firmness=AFFIRMED, corrects=True)
    note = clause.by_text and clause.group.end - clause.group.start == 1
    if note and (clause.choices.closed or clause.lower[clause.group.start].isdigit()):
        note = not (clause.concludes or _ANSWERS.fullmatch(left))  # "3 and 3 makes 6", "A: 6"
    if first.sure == 0 and not (clause.closed and (clause.weakly or clause.concludes) and not note):
        return _placed(clause) or clause.act("mention", "")
    looked_at = before.CONSIDERS.search(left)
    lone_value = not clause.choices.closed and len(clause.choices.own) == 1
    lone_value = lone_value and bool(_COUNT.match(clause.named))  # "about 72"
    if looked_at and not lone_value and not clause.concludes:
        return clause.act("discussing", looked_at[0])
    if after.LIKELY.match(clause.right):
        return clause.act("declaring", "said to be likely", firmness=AFFIRMED)
    return _corrected(clause) or _concluded(clause) or _placed(clause) or _plain(clause)


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
    """Whether the option is what the clause says of something, not its subject."""
    if clause.closed or clause.group.first.sure == 2:
        return True
    return clause.by_text and not _is_subject(clause)


def _is_subject(clause: Clause) -> bool:
    rest = clause.lower[clause.group.end : clause.group.end + 24]
    return (
        clause.by_text
        and bool(_SUBJECT_VERB.match(rest))
        and bool(_SUBJECT_START.search(clause.left))
    )


def _concluded(clause: Clause) -> Act | None:
    if not (clause.concludes and _is_predicate(clause)):
        return None
    why = f"concluded: {brief(clause.left)!r}"
    return clause.act("declaring", why, firmness=AFFIRMED, concluded=True)


def _plain(clause: Clause) -> Act:
    """A plain "it is B"; a sentence that comes to B; or no more than B's name."""
    left, first = clause.left, clause.group.first
    if _predicate_of_another(clause):
        return clause.act("mention", "one option said of another", named="named")
    if clause.by_text and clause.closed and _APPOSITION.search(left):
        return clause.act("declaring", f"said: {brief(left)!r}", firmness=WEAK, plainly=True)
    if clause.weakly and _are_offered(clause):
        return clause.act("listing", "a list of all options")
    if clause.weakly and _is_predicate(clause):
        if before.UNSURE.search(left[-24:]):
            return clause.act("hedging", brief(left))
        opens = not clause.index and clause.start == 0
        opens = opens and (not clause.by_text or bool(before.PLAINLY.match(left)))
        opens = opens and not left.rstrip(" \"'([").endswith(":")  # "v1: A, v2: B"
        return clause.act(
            "declaring",
            f"said: {brief(left)!r}",
            firmness=PLACED if opens else WEAK,
            plainly=bool(_IT_IS.search(left)),
        )
    if (
        clause.single
        and not clause.by_text
        and _LAST_WORD.search(left)
        and _ENDS.match(clause.right)
    ):
        return clause.act("declaring", "the last word of its sentence", firmness=WEAK)
    if _sums_up(clause):
        why = "concluded: the option that the sentence comes to"
        return clause.act("declaring", why, firmness=AFFIRMED, concluded=True)
    if _are_offered(clause):
        return clause.act("listing", "a list of all options")
    if _is_subject(clause):
        return clause.act("mention", "spoken of", named="spoken of")
    if first.sure == 2 or (first.sure == 1 and first.form != "letter"):
        return clause.act("mention", "named", named="named")
    return clause.act("mention", "")


def _are_offered(clause: Clause) -> bool:
    """Whether all options are named as what one may choose from."""
    all_named = set(clause.group.letters) >= set(clause.choices.letters)
    if not all_named:
        return False
    several = len(clause.choices.letters) > 2 and clause.weakly
    return several or bool(after.OFFERED.match(clause.right))


def _predicate_of_another(clause: Clause) -> bool:
    """Whether the clause says one option of another: "the relative of C major is A minor"."""
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
    """Whether the option is the only one, and not denied, in a sentence that sums up."""
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
    first = clause.group.first
    if not first.lead:
        return _own_sentence(clause)
    rest, line_end = clause.rest_of_line()
    alone = not re.search(r"[\w#♯♭+°/?%]", rest)
    opens = not re.search(r"\w", clause.lower[: clause.group.start])
    if alone and len(clause.group.letters) == len(clause.choices.letters) > 1:
        return clause.act("listing", "a list of all options")
    if alone:
        if "…" in rest and not opens:
            return None
        last = not clause.lower[line_end:].strip()
        return _at(clause, "alone" if opens and last else "last line" if last else "own line")
    if not opens:
        return None
    if not clause.by_text:
        clear = first.sure == 2 or _OPENING.match(clause.lower, clause.group.end)
        if clear and _speaks_of(clause) and not _REASON.match(clause.lower, clause.group.end):
            groups = clause.sentences.groups
            alone = all(group.letters == clause.group.letters for group in groups)
            alone = alone or first.sure == 2
            return clause.act("mention", "spoken of first", named="named" if alone else "")
        return _at(clause, "opens") if clear else None
    if clause.closed:
        whole = bool(re.match(r"[\"')\]]*\s?[.!\n]", clause.lower[clause.group.end :]))
        return _at(clause, "opens", PLACED if whole else WEAK)
    return None


def _speaks_of(clause: Clause) -> bool:
    """Whether a letter, without its text, is the subject of a sentence about it."""
    first, lower = clause.group.first, clause.lower
    own = clause.choices.own.get(first.letter, "")
    if own and own in lower[first.start : first.end]:
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
    if not _SENTENCE.match(lower[group.end : clause.end + 1]):
        return None
    if second:
        return clause.act("declaring", "corrected to it", firmness=DECLARED, corrects=True)
    return _at(clause, "sentence")
