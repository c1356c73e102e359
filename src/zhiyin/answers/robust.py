"""The default policy: the last declared answer wins; the ambiguous stays unanswered."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from zhiyin.answers.choices import AMBIGUOUS, Choices, negated, prepare, trimmed
from zhiyin.answers.declared import clause_before, last_declared
from zhiyin.answers.plain import fold, plain
from zhiyin.answers.policy import Extraction
from zhiyin.answers.slot import JOIN, Reading, plain_letter, read_slot
from zhiyin.trial import Option

_BARE = "the letter alone"
_MOST = 1000
"""Weak namings that are looked at, from the end: bounds the time on hostile replies."""

_SIGNS = re.compile(r"[#♯♭♮+°/?|]")
_RUN_ON = re.compile(
    r"\n\s*(?:#+\s*)?(?:question\s?\d*|q\s?\d*|human|user|instruction|题目|问题|例题"
    r"|第\s?\d+\s?题)\s?[:.]",
    re.IGNORECASE,
)
_LONE = re.compile(
    r"[\s\"'(\[{<#$>_-]*(?:option |choice |选项"
    r"|选)?[\"'(\[{]*([A-Za-z])[\"')\]}>$_]*\s*[.,:;!。]*[\s)]*$",
    re.IGNORECASE,
)
_LABEL_LINE = re.compile(
    r"^[ \t>#-]*(?:(?:option|choice|选项)\s?)?[\"'(\[]?([A-Z])(?:[\"')\]]?[.:)、]|[)\]]|(?=\n"
    r"|$))[\"')\]]*(?![A-Za-z]\.)(?!\w)",
    re.MULTILINE,
)
_OPENING = re.compile(
    r"[\"'(\[]*(?:(?:option|choice|选项)\s?)?[\"'(\[]?([A-Z])[\"')\]]*(?=\s*(?:[.,:;!、)\]\n(]|$"
    r"|-\s|because\b|since\b|as\b|it is\b|i think\b|i believe\b|obviously\b|definitely\b|因为))",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:it's|it is|it must be|it should be|it would be|it has to be|that's|that is"
    r"|that would be|must be|probably|most likely|likely"
    r"|i think|i believe|i guess|i'd say|i suspect|my guess|definitely|perhaps|maybe|this is"
    r"|sounds like|is option|is choice|应该是|应该|我认为是|我认为|我觉得是|我觉得|可能是|是)"
    r"\s?[,:]?\s(?=[\"'(\[]*(?:option\s|choice\s|选项)?[\"'(\[]*[a-z]\b)|(?:应该是|我认为是"
    r"|我觉得是|可能是|是)(?=[a-z](?![a-z]))"
    r"|[:.!?]\s(?=[\"'(\[]*[a-z][\"')\]]*\.?$)|:(?=[a-z]\.?$)"
)
_MENTION = re.compile(
    r"(?:\b(?:option|choice)s?\s|选项\s?)[\"'(\[]?([a-z])\b|[(\[]([a-z])[)\]]"
    r"|(?<![a-z0-9])([a-z])(?:选项|项)"
)
_THING_BEFORE = re.compile(
    r"(?:\b(?:section|part|theme|chord|note|key of|key|form|string|phrase|verse|tonic|pitch"
    r"|track|clip|excerpt)s?\s*[\"']?)$"
)


def extract(text: str, options: Sequence[Option]) -> Extraction:
    """The answer that a careful reader would find in `text`.

    Parameters
    ----------
    text : str
        A reply, of any length and in any script.
    options : sequence of Option
        In the order shown, lettered "A" to "Z".

    Returns
    -------
    Extraction
        `letter` is None where the reply declares nothing, or several things at once.
    """
    if len(text) < 3:
        letter = text[:1]
        if letter and text[1:] in ("", ".", "\n", " ", ")"):
            for option in options:
                if option.letter == letter:
                    return Extraction(letter, _BARE)
    words = plain(text)
    if not words:
        return Extraction(
            None, "nothing said outside the reasoning" if text.strip() else "empty reply"
        )
    choices = prepare(options)
    run_on = _RUN_ON.search(words)
    if run_on and run_on.start() > 0:
        reading = _read(words[: run_on.start()].rstrip(), choices)
        if reading.letter:
            return Extraction(reading.letter, f"{reading.why}, before a further question")
    reading = _read(words, choices)
    return Extraction(reading.letter or None, reading.why)


def _none(why: str) -> Reading:
    return Reading("nothing", "", 0, why)


def _read(text: str, choices: Choices) -> Reading:
    """The last declared answer, or else the only option that the reply names."""
    whole = _lone(text, choices)
    if whole.kind != "nothing":
        return whole
    lower = text.lower()
    at, declared = last_declared(text, lower, choices)
    last = _last_line(text, at, choices)
    if last.kind in ("letter", "text"):
        return last
    if declared.kind == "nothing":
        return _undeclared(text, lower, choices)
    if declared.kind == "ambiguous":
        return _none(f"ambiguous: {declared.why}")
    if declared.kind == "beyond":
        return _none(f"declared a letter beyond the options: {declared.letter}")
    return declared


def _lone(line: str, choices: Choices) -> Reading:
    """A line that is nothing but a letter or the text of an option."""
    match = _LONE.match(line) if len(line) < 40 else None
    if match:
        letter = match[1].upper()
        if letter in choices.letters:
            return Reading("letter", letter, len(line), _BARE)
    if match is None and len(line) < 40 and not _SIGNS.search(line):
        only = [character for character in line if character.isalnum()]
        if len(only) == 1 and only[0] in choices.letters:
            return Reading("letter", only[0], len(line), _BARE)
    if choices.texts and len(line) < choices.reach:
        words = trimmed(fold(line))
        for said in (words, words.removeprefix("a "), words.removeprefix("the ")):
            letter = choices.texts.get(said, "") or choices.texts.get(said + "?", "")
            if letter == AMBIGUOUS:
                return Reading("ambiguous", "", 0, "ambiguous: a text that two options share")
            if letter:
                return Reading("text", letter, len(line), "full text of one option")
    return Reading("nothing")


def _last_line(text: str, declared_at: int, choices: Choices) -> Reading:
    """The last line, where it is nothing but an answer and stands after every declaration."""
    head, newline, line = text.rpartition("\n")
    if not newline or declared_at >= len(head):
        return Reading("nothing")
    found = _lone(line, choices)
    if found.kind == "nothing":
        label = _LABEL_LINE.match(line)
        if label is None or label[1] not in choices.letters:
            return found
        own = choices.own[label[1]]
        if not own or trimmed(fold(line[label.end() :])) != trimmed(own):
            return found
        found = Reading("letter", label[1], len(line), "the letter and text on the last line")
    previous = head.rstrip().rpartition("\n")[2]
    label = _LABEL_LINE.match(previous)
    other = label[1] if label else _lone(previous, choices).letter
    if other and choices.letters.find(found.letter) == choices.letters.find(other) + 1:
        return Reading("nothing")
    return Reading(
        found.kind,
        found.letter,
        found.end,
        f"{found.why}, on the last line" if found.why == _BARE else found.why,
    )


def _undeclared(text: str, lower: str, choices: Choices) -> Reading:
    """What the reply names, where it declares nothing."""
    first = text.partition("\n")[0]
    lone = _lone(first, choices)
    labels = {m[1] for m in _LABEL_LINE.finditer(text) if m[1] in choices.letters}
    if lone.kind == "letter" or (lone.kind == "text" and not _several_lone(text, choices)):
        return lone
    opening = _opening(text, choices)
    if opening.kind == "ambiguous":
        return _none(f"ambiguous: {opening.why}")
    if len(labels) > 1:
        return _none("ambiguous: several options listed, none declared")
    if opening.kind != "nothing":
        return opening
    if len(labels) == 1:
        labelled = _labelled(text, labels.pop(), choices)
        if labelled.kind != "nothing":
            return labelled
    weak = _weak(text, lower, choices)
    if weak.kind != "nothing":
        return weak if weak.letter else _none(f"ambiguous: {weak.why}")
    return _named(text, lower, choices)


def _several_lone(text: str, choices: Choices) -> bool:
    lines = text.split("\n", 30)[:30]
    return len({found.letter for line in lines if (found := _lone(line, choices)).letter}) > 1


def _opening(text: str, choices: Choices) -> Reading:
    """The letter or the yes or no with which the reply opens."""
    match = _OPENING.match(text)
    if match and match[1].isupper():
        at = match.start(1)
        letter = plain_letter(text, at, choices)
        if letter == "A" and text[at + 1 : at + 2] == ":" and "A" in choices.letters:
            inner = read_slot(text, at + 2, choices)
            if inner.kind == "letter" and inner.letter != "A":
                return Reading("letter", inner.letter, inner.end, "a letter after 'A:'")
        if letter in choices.letters and letter:
            found = read_slot(text, at, choices)
            if found.kind in ("letter", "ambiguous"):
                return Reading(
                    found.kind, found.letter, found.end, found.why or "the letter opens the reply"
                )
            return found
    last = text.rpartition("\n")[2]
    for line in (last, text):
        said = choices.yes_or_no(fold(line[:40]).lstrip("\"'("))
        if said:
            return Reading("text", said, 0, "yes or no")
    return Reading("nothing")


def _labelled(text: str, letter: str, choices: Choices) -> Reading:
    """The one labelled line, where it holds nothing but the option."""
    for match in _LABEL_LINE.finditer(text):
        if match[1] != letter:
            continue
        line = text[match.end() :].partition("\n")[0]
        rest = trimmed(fold(line))
        if not rest or rest == choices.own[letter]:
            return Reading("letter", letter, match.end(), "the only labelled line")
    return Reading("nothing")


def _weak(text: str, lower: str, choices: Choices) -> Reading:
    """The last letter that follows "it's", "probably" and the like and closes its clause."""
    for match in reversed(deque(_WEAK.finditer(lower), _MOST)):
        before = clause_before(lower, match.start())
        if re.search(
            r"\b(?:not|n't|if|whether|key|chord|tonic|note|root|section|form|notes|chords"
            r"|progression|bar)\b|n't|不|如果|调",
            before + match[0],
        ):
            continue
        found = read_slot(text, match.end(), choices)
        if found.kind == "ambiguous":
            return Reading("ambiguous", "", 0, found.why)
        if found.kind == "letter" and re.match(
            r"[\"')\]]*\s*(?:[.,;:!(\n。]|$|because|since|as\b|[\u2e80-\uffff])", text[found.end :]
        ):
            return Reading("letter", found.letter, found.end, f"named after {match[0].strip()!r}")
    return Reading("nothing")


def _named(text: str, lower: str, choices: Choices) -> Reading:
    """The only option that is named without being denied, by letter or by text."""
    letters: set[str] = set()
    may_mention = any(sign in lower for sign in ("option", "choice", "(", "[", "项"))
    for match in _MENTION.finditer(lower) if may_mention else ():
        at = match.start(match.lastindex or 0)
        letter = text[at].upper()
        if letter not in choices.letters or _THING_BEFORE.search(
            lower, max(0, match.start() - 20), match.start()
        ):
            continue
        if not negated(lower, match.start(), match.end()):
            letters.add(letter)
            join = JOIN.match(text, match.end())
            other = plain_letter(text, join.end(), choices) if join else ""
            letters.update(other if other in choices.letters else "")
    folded = " ".join(lower.split())
    texts = choices.mentioned(folded)
    if AMBIGUOUS in texts:
        return _none("ambiguous: a text that two options share")
    if len(letters) == 1 and texts <= letters:
        return Reading("letter", letters.pop(), 0, "the only option named")
    if len(texts) == 1 and letters <= texts:
        return Reading("text", texts.pop(), 0, "full text of one option")
    if letters or texts:
        return _none("ambiguous: several options named, none declared")
    return _none("no option named")
