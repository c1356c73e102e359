"""From the acts of a reply to one answer, or to none and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from zhiyin.reader import cues
from zhiyin.reader.acts import AFFIRMED, DECLARED, FINAL, PLACED, WEAK, Act
from zhiyin.reader.choices import SHARED, Choices

_BROKEN = re.compile(r"(?:'s|\.\.\.|…|[,;:]\s?(?:option |选项)[a-z])$")


class Outcome(NamedTuple):
    """`letter` is "" where there is no answer; `act` is the one that it rests on."""

    letter: str
    why: str
    confidence: str = ""
    start: int = 0
    end: int = 0


def resolve(acts: list[Act], lower: str, choices: Choices) -> Outcome:
    """The answer that stands at the end of the reply.

    A later declaration replaces an earlier one; praise of another option, or talk about it,
    replaces nothing unless it corrects; two that stand are none.
    """
    acts = _without_lists(acts, lower, choices)
    firm = [act for act in acts if act.kind == "declaring" and act.firmness >= DECLARED]
    if firm:
        return _firm(firm, acts, lower, choices)
    placed = _placed(acts, lower, choices)
    if placed:
        return placed if not placed.letter else _taken_back(placed, acts, lower)
    praised = _praised(acts, lower, choices)
    if praised:
        return praised
    return _inferred(acts, lower, choices)


def _outcome(act: Act, confidence: str, choices: Choices) -> Outcome:
    if len(act.letters) > 1:
        if SHARED in act.letters:
            return Outcome("", "ambiguous: a letter and a text of different options")
        return Outcome("", "ambiguous: several options named together")
    letter = act.letters[0]
    if letter == SHARED:
        return Outcome("", "ambiguous: a text that two options share")
    if letter not in choices.letters:
        return Outcome("", f"declared a letter beyond the options: {letter}")
    return Outcome(letter, act.why, confidence, act.start, act.end)


def _firm(firm: list[Act], acts: list[Act], lower: str, choices: Choices) -> Outcome:
    """The last declaration, unless others stand beside it or it is taken back."""
    last = firm[-1]
    final = [act for act in firm if act.firmness == FINAL]
    if final and not last.corrects and last.firmness < FINAL:
        last = final[-1]
    alike = {act.letters for act in firm if act.line == last.line and act.line}
    if (
        len(alike) > 2 or (len(alike) > 1 and cues.FIELD.fullmatch(last.line))
    ) and not last.corrects:
        return Outcome("", "ambiguous: several answers declared alike")
    if last.also and not last.corrects:
        others = {act.letters for act in firm[:-1]} - {last.letters}
        praised = {
            act.letters for act in acts if act.kind == "declaring" and act.start < last.start
        } - {last.letters}
        if others or (praised and last.firmness < FINAL):
            return Outcome("", "ambiguous: two answers stand side by side")
    also = [
        act
        for act in acts
        if act.kind == "declaring" and act.also and act.start > last.start
        and act.letters != last.letters and act.firmness >= AFFIRMED and "also" in act.why
    ]  # fmt: skip
    if also:
        return Outcome("", "ambiguous: two answers stand side by side")
    corrected = [
        act
        for act in acts
        if act.kind == "declaring" and act.start > last.start
        and (act.corrects or _correction_between(lower, last, act))
    ]  # fmt: skip
    last = corrected[-1] if corrected else last
    outcome = _outcome(last, "declared", choices)
    if outcome.letter and len(last.letters) == 1:
        return _taken_back(outcome, acts, lower)
    if len(last.letters) > 1 and not any(letter == SHARED for letter in last.letters):
        left = _exclude(set(last.letters), acts, last.start)
        if left:
            return Outcome(
                left, "the only one left of those declared", "inferred", last.start, last.end
            )
        placed = [a for a in acts if a.firmness == PLACED and a.start > last.start]
        if placed:
            return _outcome(placed[-1], "declared", choices)
    return outcome


def _correction_between(lower: str, last: Act, act: Act) -> bool:
    """Whether a plain "it is C" comes after a "wait", however much is explained between."""
    if act.firmness not in (WEAK, PLACED) or act.label:
        return False
    if act.end - act.start > 12 and "it" not in act.why and "是" not in act.why:
        return False
    return bool(cues.CORRECTS.search(lower, last.end, min(act.start, last.end + 400)))


def _exclude(among: set[str], acts: list[Act], after: int) -> str:
    rejected = {
        letter
        for act in acts
        if act.kind == "rejecting" and act.start > after
        for letter in act.letters
    }
    left = among - rejected
    return left.pop() if len(left) == 1 else ""


def _taken_back(outcome: Outcome, acts: list[Act], lower: str) -> Outcome:
    """`outcome`, unless it is taken back and nothing takes its place."""
    refused = [
        act
        for act in acts
        if act.kind == "rejecting" and act.start >= outcome.end and outcome.letter in act.letters
        and cues.WAITS.search(lower, outcome.end, act.start)
    ]  # fmt: skip
    if refused and not any(
        act.kind == "declaring" and act.start > refused[-1].start for act in acts
    ):
        return Outcome("", "ambiguous: an answer taken back")
    for match in cues.WITHDRAWS.finditer(lower, outcome.end):
        later = [act for act in acts if act.kind == "declaring" and act.start >= match.start()]
        if not later:
            return Outcome("", f"ambiguous: an answer taken back: {match[0].strip()!r}")
    return outcome


def _placed(acts: list[Act], lower: str, choices: Choices) -> Outcome | None:
    """An answer by its place: it opens the reply, or stands alone on a line."""
    placed = [act for act in acts if act.kind == "declaring" and act.firmness == PLACED]
    ranked = cues.RANKED_LINES.search(lower)
    listed = [act for act in acts if ranked and act.start >= ranked.end() - 1]
    if listed and len(listed[0].letters) > 0:
        return _outcome(
            listed[0]._replace(letters=listed[0].letters[:1], why="first of a ranking"),
            "declared",
            choices,
        )
    corrects = [
        act for act in acts if act.kind == "declaring" and act.corrects and len(act.letters) == 1
    ]
    concluded = [act for act in acts if act.kind == "declaring" and act.why.startswith("concluded")]
    if not placed:
        return None
    last = placed[-1]
    beside = [
        act
        for act in acts
        if act.kind == "declaring" and act.also and act.start > placed[0].start
        and act.letters != placed[0].letters
    ]  # fmt: skip
    if beside:
        return Outcome("", "ambiguous: two answers stand side by side")
    for act in (*concluded[-1:], *corrects[-1:]):
        if act.start > last.start:
            last = act
    letters = {act.letters for act in placed}
    if len(letters) > 1 and last in placed:
        if not ("last line" in last.why or placed[0].why.endswith("opens the reply")):
            return None
        if "last line" not in last.why:
            last = placed[0]
        elif placed[0].why != last.why and "own line" in placed[-2].why:
            return Outcome("", "ambiguous: several options on lines of their own")
    if len(last.letters) > 1:
        return Outcome("", "ambiguous: several options named together")
    return _outcome(last, "declared", choices)


def _praised(acts: list[Act], lower: str, choices: Choices) -> Outcome | None:
    """The one option that is praised or concluded, or the last where it corrects."""
    good = [act for act in acts if act.kind == "declaring" and act.firmness == AFFIRMED]
    if not good:
        return None
    bad = {letter for act in acts if act.kind == "rejecting" for letter in act.letters}
    last = good[-1]
    after = [
        act
        for act in acts
        if act.kind == "declaring" and act.start > last.start and len(act.letters) == 1
        and _correction_between(lower, last, act)
    ]  # fmt: skip
    if after:
        return _taken_back(_outcome(after[-1], "declared", choices), acts, lower)
    if last.why.startswith("concluded") or last.corrects:
        found = _outcome(last, "declared", choices)
        return _taken_back(found, acts, lower) if found.letter else found
    letters = {letter for act in good for letter in act.letters}
    standing = letters - bad if letters - bad else letters
    if len(standing) == 1:
        letter = standing.pop()
        act = next(act for act in reversed(good) if letter in act.letters)
        found = _outcome(act._replace(letters=(letter,)), "declared", choices)
        return _taken_back(found, acts, lower) if found.letter else found
    return Outcome("", "ambiguous: several options said to be right")


def _inferred(acts: list[Act], lower: str, choices: Choices) -> Outcome:
    """What a reply without a declaration leaves: weak words, exclusion, the only one named."""
    weak = [act for act in acts if act.kind == "declaring" and act.firmness == WEAK]
    hedged = [act for act in acts if act.kind == "hedging"]
    rejected = {letter for act in acts if act.kind == "rejecting" for letter in act.letters}
    likely = _likeliest(hedged)
    if likely:
        return likely
    named = {letter for act in (*weak, *hedged) for letter in act.letters} - rejected
    if weak and weak[-1].corrects:
        found = _outcome(weak[-1], "declared", choices)
        return _taken_back(found, acts, lower) if found.letter else found
    letters = {letter for act in weak for letter in act.letters}
    if weak and (len(named) == 1 or (len(letters) == 1 and len(weak[-1].letters) == 1)):
        found = _outcome(weak[-1], "declared", choices)
        if not found.letter:
            return found
        others = (
            {
                letter
                for act in acts
                if act.kind == "mention" and act.why == "named"
                for letter in act.letters
            }
            - rejected
            - letters
        )
        last = all(act.start <= weak[-1].start for act in acts) and not lower[weak[-1].end + 24 :]
        if others and not last and not _by_letter(weak[-1], lower):
            return Outcome("", "ambiguous: several options named")
        return _taken_back(found, acts, lower)
    if len(named) > 1:
        return Outcome("", "ambiguous: several options held possible")
    left = set(choices.letters) - rejected
    if choices.opposites and len(left) == 1 and not hedged:
        return Outcome(left.pop(), "its opposite is denied", "inferred")
    if len(choices.letters) > 2 and len(left) == 1 and not (hedged or weak):
        return Outcome(left.pop(), "all other options are excluded", "inferred")
    if len(named) == 1 and hedged:
        act = hedged[-1]
        letter = named.pop()
        if SHARED not in act.letters:
            return Outcome(letter, f"held possible: {act.why!r}", "inferred", act.start, act.end)
    return _named(acts, lower, rejected, choices)


def _likeliest(hedged: list[Act]) -> Outcome | None:
    """The option with the highest percentage, where options are given percentages."""
    shares = [(float(act.why[:-2]), act) for act in hedged if act.why.endswith(" %")]
    if not shares or any(len(act.letters) > 1 for _, act in shares):
        return None
    shares.sort(key=lambda item: item[0])
    if len(shares) > 1 and shares[-1][0] == shares[-2][0]:
        return Outcome("", "ambiguous: several options equally likely")
    act = shares[-1][1]
    return Outcome(act.letters[0], f"the likeliest: {act.why}", "inferred", act.start, act.end)


def _by_letter(act: Act, lower: str) -> bool:
    return act.end - act.start <= 3


def _named(acts: list[Act], lower: str, rejected: set[str], choices: Choices) -> Outcome:
    """The only option that the reply names, where it says nothing else of any."""
    if cues.NONE_FITS.search(lower) and not any(act.kind == "declaring" for act in acts):
        return Outcome("", "no option is said to fit")
    named = [act for act in acts if act.kind == "mention" and act.why in ("named", "spoken of")]
    letters = {letter for act in named for letter in act.letters}
    if letters and not letters <= set(choices.letters):
        return Outcome("", "a letter or text that is no single option")
    if len(letters) == 1 and not letters & rejected:
        act = named[-1]
        by_label = lower[act.start : act.start + 1] in "(abcdefghijo选第[" and act.label is not None
        if _cut_off(lower) or (_by_letter_long(act, lower) and by_label):
            return Outcome("", "an option is discussed, none declared")
        return Outcome(act.letters[0], "the only option named", "by text alone", act.start, act.end)
    if len(letters) > 1:
        return Outcome("", "ambiguous: several options named, none declared")
    if rejected:
        return Outcome("", "options rejected, none declared")
    if any(act.kind == "listing" for act in acts):
        return Outcome("", "ambiguous: several options listed, none declared")
    if acts:
        return Outcome("", f"options named, none declared ({acts[-1].kind})")
    return Outcome("", "no option named")


def _cut_off(lower: str) -> bool:
    """Whether a longer reply ends in the middle of a sentence."""
    ended = lower[-1] in ".!?…)]}\"'|" or (not lower[-1].isascii() and len(lower) < 200)
    return (len(lower) > 40 and not ended) or bool(_BROKEN.search(lower))


def _by_letter_long(act: Act, lower: str) -> bool:
    """Whether an option named by its label stands in a longer talk."""
    labelled = re.match(
        r"(?:option|choice|选项|\(?[a-z]\)|[a-z](?:选项|项)|\[)", lower[act.start :]
    )
    return bool(labelled) and (len(lower) - act.end > 80 or act.start > 160)


def _without_lists(acts: list[Act], lower: str, choices: Choices) -> list[Act]:
    """`acts` with labels in a row, each followed by talk, as discussion instead of answers.

    "B. Minor" at the head of a reply is an answer; "A. ...", "B. ...", "C. ..." on lines one
    after the other are talk about each.
    """
    places = [
        number
        for number, act in enumerate(acts)
        if act.kind == "declaring" and act.firmness == PLACED and len(act.letters) == 1
    ]
    if not places:
        return acts
    labels = [
        (number, choices.letters.find(act.letters[0]))
        for number, act in enumerate(acts)
        if len(act.letters) == 1 and (act.label or _leads(lower, act.start))
    ]
    changed = list(acts)
    order = {number: row for row, (number, _) in enumerate(labels)}
    for number in places:
        row = order.get(number)
        if row is None:
            continue
        letter = labels[row][1]
        shape = _shape(lower, acts[number])
        before = row > 0 and labels[row - 1][1] == letter - 1
        before = before and _shape(lower, acts[labels[row - 1][0]]) == shape
        after = row + 1 < len(labels) and labels[row + 1][1] == letter + 1
        after = after and _shape(lower, acts[labels[row + 1][0]]) == shape
        if (before or after) and not (
            number == 0 and not before and _answers(acts, labels, row, lower)
        ):
            changed[number] = acts[number]._replace(
                kind="discussing", firmness=0, why="one of a list"
            )
    return changed


def _shape(lower: str, act: Act) -> str:
    """How a label is written: lists write theirs alike."""
    written = re.match(
        r"([(\[]?|option |choice |选项)[a-z]([)\]]?[.:、,]|选项|项|的|[)\]])?", lower[act.start :]
    )
    return f"{written[1]}_{written[2]}" if written else ""


def _answers(acts: list[Act], labels: list[tuple[int, int]], row: int, lower: str) -> bool:
    """Whether the label that opens the reply is the answer, and talk about others follows."""
    letter = labels[row][1]
    if any(found == letter for _, found in labels[row + 1 :]):
        return True
    opening, following = acts[labels[row][0]], acts[labels[row + 1][0]]
    own = lower[opening.end : lower.find("\n", opening.end)].strip(" .:")
    end = lower.find("\n", following.end)
    other = lower[following.end : end if end >= 0 else len(lower)].strip(" .:")
    return (
        letter > 0
        or (not own and bool(other))
        or ("\n\n" in lower[opening.end : following.start] and bool(other) and not own)
    )


def _leads(lower: str, start: int) -> bool:
    line = lower.rfind("\n", 0, start) + 1
    return not lower[line:start].strip(" \t>#-•·|✅❌✓✗[]x\"'(")
