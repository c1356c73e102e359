"""Finds where a reply declares its answer, in English and Chinese; the last place counts."""

from __future__ import annotations

import re
from collections import deque
from operator import itemgetter

from zhiyin.answers.choices import Choices
from zhiyin.answers.plain import fold
from zhiyin.answers.slot import NOTHING, Reading, plain_letter, read_slot

_ADVERB = (
    r"(?:therefore|thus|then|so|clearly|most|likely|probably|definitely|indeed|actually|also|still"
    r"|simply|now|hence|here|again|obviously|certainly)"
)
_IS = (
    rf"(?:,?\s*{_ADVERB},?)*\s*(?:'s\b|\bis\b|\bwould be\b|\bwould have to be\b|\bshould be\b"
    rf"|\bmust be\b|\bwill be\b"
    r"|\bhas to be\b|\bappears to be\b|\bseems to be\b|\bis likely to be\b|\bmight be\b"
    r"|\bmay be\b|\bcould be\b|\bremains\b"
    r"|[:=]|->|=>|→|\s-\s(?=[(\[\"]?[a-z]\b))"
)
_RIGHT = (
    r"(?:correct|right|best|final|my|likely|suitable|appropriate|accurate|chosen|selected|closest"
    r"|plausible|logical|probable|fitting|true|proper)"
)
_NOUN = (
    r"(?:choice|option|selection|pick|guess|response|conclusion|solution|prediction|match"
    r"|fit|one|letter|decision|statement|description|interpretation)"
)

_ANSWER = re.compile(
    # "the answer is", "Answer:", {"answer": ...}, "final_answer ="
    r"answer(?<![a-z]answer)(?:_letter|_option|_choice)?(?:\s(?:to|for|among|from|of|given"
    r"|based on)\s[^.!\n:]{1,60}?)??"
    rf"(?:\s\(?(?:letter|option|choice)\)?)?[\"'\]_)]*{_IS}"
    # the word before a lone letter, or alone on its line
    r"|answer(?<![a-z]answer)[ _]?"
    r"(?=[ (\[\"]{1,3}[a-z](?:[)\]\".,!\n]|$)|:?\s?\n)"
)
_NOUN_IS = re.compile(
    # "the correct option is", "my best guess would be"
    rf"(?<![a-z]){_RIGHT}\s(?:\w+\s)?{_NOUN}(?:\s(?:here|among these|from the list"
    rf"|is that))?[\"']*{_IS}"
    r"|(?<![a-z])(?:option|choice|answer|one)\s(?:that|which)\s(?:\w+\s){1,6}(?:is\b|:)"
)
_FIELD = re.compile(
    # "Option: B", {"choice": "B"}
    r"(?<![a-z])(?:option|choice|selection|response|conclusion|solution|prediction|output|letter"
    r"|label|result|selected|correct|decision|verdict|ans)(?:_letter)?[\"']?\s?[:=]"
)
_TAG = re.compile(
    r"<(?:final_?|correct_?)?(?:answer|choice|option|ans|final)>"
    r"|\\?\bboxed\s?\{|\[\[(?=[a-z]\]\])|\[answer\]"
)
_VERB = re.compile(
    r"\b(?:i|we)(?:'d|'ll|'m|'ve| would| will| am| have| must| shall| should| do)?(?: \w+ly)? "
    r"(?:have to |want to )?(?:choose|chose|chosen|pick|picked|select|selected|go with|going with"
    r"|opt for|settle on|settled on|say|answer|guess|vote for|lean towards?|leaning towards?"
    r"|went with|choosing|picking|selecting)\b(?: that)?(?: it's| it is)?"
    r"|\b(?:let's go with|let me go with|choosing|i (?:think|believe|would say) it(?:'s| is))\b"
)
_IMPERATIVE = re.compile(r"(?:^|[\n.!?,;:] ?)(?:choose|select|pick|going with|go with)\b")
_THEREFORE = re.compile(
    r"(?:\b(?:therefore|thus|hence|in conclusion|in summary|so|consequently)\b,?"
    r"|=>|⇒|→|∴|所以|因此|综上所述|综上|故)\s?,?"
)
_CORRECTION = re.compile(
    r"(?:\b(?:wait|actually|sorry|correction|oops|scratch that|i mean|i meant|on second thoughts?"
    r"|hold on|rather|no)\b(?=\s?[,.!:;…-])|\bmake that\b|\bchange (?:my answer )?to\b|\bi meant?\b"
    r"|不对|等等|更正|纠正|抱歉|改为|改选)[\s,.!:;…-]{0,6}"
    r"(?:(?:wait|no|actually|sorry|不对|i mean|i meant|not [a-z],?|that's wrong|that is wrong)"
    r"[\s,.!:;…-]{1,6}){0,3}"
    r"(?:it's|it is|it should be|it must be|that's|should be|make that|i meant|i mean|应该是|应该选"
    r"|应该|应为|而是|是|选|应选|the answer is|to)?"
)
_CHINESE = re.compile(
    r"答案(?=不是|[a-z](?![a-z]))|(?:答案|回答)(?:应该|应当|应|就|可能|最有可能|最可能|显然|确实"
    r"|也)?"
    r"(?:[是为选:=\]]|[\"']?\s?[:=]|\s(?=[a-z(\[]))"
    r"|(?:不?正确|错误|不?符合|不符|最合适|最恰当|最准确|最接近|最可能|最有可能|对)(?:题意)?的?"
    r"(?:选项|答案|一项|说法|描述)?(?:应该|应)?[是为:]"
    r"|而是|而应该?[选是为]|应为|应是|结论[是为:]|答[:]|选(?:择|项)?(?:的是|了)?(?:答案)?[:]?"
)
_PLACES = tuple(
    (kind, pattern, tuple(words.split("|")))
    for kind, pattern, words in (
        ("answer", _ANSWER, "answer"),
        (
            "noun",
            _NOUN_IS,
            "choice|option|guess|selection|pick|match|fit|response| one|conclusion|letter"
            "|statement|description|solution|prediction|decision|interpretation"
            "|answer that|answer which",
        ),
        ("field", _FIELD, ":|="),
        ("tag", _TAG, "<|boxed|["),
        (
            "verb",
            _VERB,
            "choos|chose|pick|select| with|opt for|settle|say|answer|guess|vote|lean|it's|it is",
        ),
        ("verb", _IMPERATIVE, "choose|select|pick|go with|going with"),
        (
            "therefore",
            _THEREFORE,
            " so|\nso|thus|hence|therefore|conclusion|summary|consequently|=>|⇒|→|∴"
            "|所以|因此|综上|故",
        ),
        (
            "correction",
            _CORRECTION,
            "wait|actually|sorry|correction|oops|scratch|i mean|second thought|hold on|rather"
            "| no,| no.| no!| no;| no…| no -|\nno|make that|change |不对|等等|正|抱歉|改",
        ),
        ("zh", _CHINESE, "答|选|应|正确|错误|符|最|对|而|结论"),
    )
)
"""The kinds of places where an answer is declared, and words without which there is none."""

_MOST = 1000
"""Places of one kind that are looked at, from the end: bounds the time on hostile replies."""

_ZH_CHOICE = re.compile(r"(?:而是|应[为是]|选(?:择|项)?(?:的是|了)?(?:答案)?[:]?)$")
_AFFIRMED = re.compile(
    r"\b(?:is|must be|would be|should be|seems|remains)\s(?:to be\s)?"
    r"(?:(?:clearly|therefore|thus|likely|most|probably|definitely|indeed|the|my|actually|also"
    r"|still|only|a|final|an|very|single)\s){0,4}"
    r"(?:correct|right|best|answer|accurate|appropriate|suitable|fitting|plausible|likely|true"
    r"|better|closest|winner|choice|pick|guess)\b"
    r"|\b(?:best (?:matches|fits|describes|captures|suits|represents|reflects)|(?:fits"
    r"|matches) best)\b"
)
_SAID_RIGHT = re.compile(
    r"(?<![a-z0-9])([a-z])[)\]\"'.]{0,3}\s?(?:选项|项)?(?:的?(?:说法|描述|表述))?(?:才|就|应该"
    r"|应|最)?(?:是|为|最|更){0,2}(?:正确|对(?=[,.;!\n]|$)|对的|符合|合适|恰当|准确|佳|我的答案"
    r"|答案)"
    r"|(?<![a-z0-9])([a-z])[):.\]]{1,2}\s?(?:correct|right|true|✓|✔|✅)(?=\s*(?:[.,;!\n]|$))"
)
_FIELD_START = re.compile(r"(?:^|[\n{,\"'<])\s?(?:selected_|final_|correct_|predicted_)?$")
_AFFIRMING = tuple(
    (pattern, tuple(words.split("|")))
    for pattern, words in (
        (
            _AFFIRMED,
            "correct|right|best|answer|likely|true|better|accurate|fitting|appropriate|suitable"
            "|plausible|closest|winner|choice|pick|guess",
        ),
        (_SAID_RIGHT, "正确|对|符合|合适|恰当|准确|佳|答案|correct|right|true|✓|✔|✅"),
    )
)
_BUT = re.compile(r"\b(?:but|however|since)\b|但是|但|不过")
_SENTENCE = re.compile(r"[.!?;\n。](?=\s|$|[\u2e80-\uffff\"])|\n|[。]")
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bcannot|\bnot that|\bno reason to)\s+(?!only)(?:(?!but\b|and\b"
    r"|so\b)[\w']+\s+){0,3}$"
    r"|\b(?:wrong|incorrect|false|bad|opposite|tempting|another|previous)\s*$|错误的?$|(?:不|别"
    r"|勿|没)[^,.;\s]{0,3}$|排除$"
)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|suppose|supposing|assuming|unless)\b(?!\s(?:i|you|we|one|forced|pressed)\b)"
    r"|(?:如果|假如|若|假设|是否|倘若)(?!必须|要|一定|让我|我)"
    r"|\b(?:some|others|many|people|someone|students?)\b[^,;]{0,30}\b(?:say|claim|argue|think"
    r"|believe|choose|pick|answer)"
)
_LABEL = re.compile(r"(?<![A-Za-z0-9'#♭-])([A-Z])(?=[\s\])}\"'.:,(-])")
_THING = re.compile(
    r"\b(?:section|part|theme|chord|note|key of|key|form|string|phrase|verse|tonic|pitch|bar"
    r"|measure|excerpt|clip|melody|track|in|of|from|to|and|or)\s*[\"'(]?$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|hold on|hmm|actually|no)\b[^\n?]{0,40}?\b(?:wrong|not right|not correct"
    r"|incorrect|mistaken|a mistake)\b"
    r"|(?:等等|不对)[^\n]{0,10}(?:错了|不对|有误)"
)
_CONDITION_AFTER = re.compile(r"[^.!?\n]{0,30}\b(?:if|unless)\b|\s?\?|\s(?:about|in|that)\b")
_CLOSED = re.compile(r"[\"')\]}.]*\s?(?:$|[.,!;\n。]|\()")


def last_declared(text: str, lower: str, choices: Choices) -> tuple[int, Reading]:
    """The last declaration of `text`, and where it stands.

    Parameters
    ----------
    text : str
        A reply as `plain.plain` leaves it.
    lower : str
        The same in lower case, of the same length.
    choices : Choices

    Returns
    -------
    position : int
        Index of the declaration; -1 where there is none.
    reading : Reading
        Of kind "nothing" where there is none.
    """
    at, found = -1, NOTHING
    for place, kind, match in _places(lower):
        reading = _read(text, lower, kind, match, choices)
        if reading.kind != "nothing":
            at, found = place, reading
            break
    for pattern, words in _AFFIRMING:
        if not any(map(lower.__contains__, words)):
            continue
        read = _affirmed if pattern is _AFFIRMED else _said_right
        for match in reversed(deque(pattern.finditer(lower, max(at, 0)), _MOST)):
            reading = read(text, lower, match, choices)
            if reading.kind != "nothing":
                at, found = match.start(), reading
                break
    if at >= 0 and _TAKEN_BACK.search(lower, found.end):
        return at, Reading("ambiguous", "", at, "an answer taken back")
    return at, found


def _places(lower: str) -> list[tuple[int, str, re.Match[str]]]:
    """Every place where an answer may be declared, the last one first."""
    spaced = f" {lower}"
    places = [
        (match.start(), kind, match)
        for kind, pattern, words in _PLACES
        if any(map(spaced.__contains__, words))
        for match in deque(pattern.finditer(lower), _MOST)
    ]
    return sorted(places, key=itemgetter(0), reverse=True)


def clause_before(text: str, at: int) -> str:
    """The beginning of the sentence that reaches to `at`: 120 characters at most."""
    before = text[max(0, at - 120) : at]
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    return before[ends[-1] :] if ends else before


def _read(text: str, lower: str, kind: str, match: re.Match[str], choices: Choices) -> Reading:
    """What the declaration `match` of this kind declares."""
    if kind == "field" and not _FIELD_START.search(
        lower, max(0, match.start() - 12), match.start()
    ):
        return NOTHING
    reading = read_slot(text, match.end(), choices, whole_clause=kind in ("answer", "noun"))
    if reading.kind == "nothing":
        return NOTHING
    before = clause_before(lower, match.start())
    if kind not in ("tag", "field", "correction") and before:
        if _DENIED.search(before[-48:]) or _SUPPOSED.search(_BUT.split(before)[-1]):
            return NOTHING
        if _SUPPOSED.match(match[0]):
            return NOTHING
    strict = kind in ("therefore", "correction") or (kind == "zh" and _ZH_CHOICE.search(match[0]))
    if strict and reading.kind == "beyond":
        return NOTHING
    if kind in ("therefore", "correction") and not _firm(text, match.end(), reading):
        return NOTHING
    if kind == "verb" and reading.kind == "beyond":
        return NOTHING
    why = reading.why or f"declared: {match[0].strip(' :=-{[(')!r}"
    if reading.kind == "text":
        why = f"declared with the {why}"
    return Reading(reading.kind, reading.letter, max(reading.end, match.end()), why)


def _firm(text: str, start: int, reading: Reading) -> bool:
    """Whether a letter after "so" or "wait, no" is bracketed, labelled or closes its clause."""
    if reading.kind == "ambiguous":
        return text[start : reading.end].lstrip()[:1] in "([" and reading.why.startswith("several")
    if reading.kind == "text":
        return bool(_CLOSED.match(text, reading.end))
    if reading.kind != "letter":
        return False
    lead = text[start : reading.end - 1].strip().lower()
    if lead.endswith(("(", "[", "option", "choice", "选", "选项", "answer is")):
        return True
    return bool(_CLOSED.match(text, reading.end))


def _affirmed(text: str, lower: str, match: re.Match[str], choices: Choices) -> Reading:
    """The letter or text that is said to be right: "(B) is the correct answer"."""
    line = lower.rfind("\n", max(0, match.start() - 120), match.start()) + 1
    start = max(line, match.start() - 120)
    left = text[start : match.start()]
    if _CONDITION_AFTER.match(lower, match.end()):
        return NOTHING
    for label in reversed(list(_LABEL.finditer(left))):
        letter = label[1]
        if letter not in choices.letters or not plain_letter(text, start + label.start(), choices):
            continue
        between = fold(left[label.end() :]).strip(" .,:;()[]\"'-")
        if between not in ("", choices.own[letter], f"the {choices.own[letter]}"):
            return NOTHING
        clause = clause_before(lower, start + label.start())
        if _SUPPOSED.search(clause) or _THING.search(clause) or _DENIED.search(clause):
            return NOTHING
        return Reading("letter", letter, match.end(), f"declared: {match[0]!r} after the letter")
    return NOTHING


def _said_right(text: str, lower: str, match: re.Match[str], choices: Choices) -> Reading:
    at = match.start(match.lastindex or 0)
    letter = text[at]
    before = clause_before(lower, match.start())
    if letter not in choices.letters or _SUPPOSED.search(before) or _DENIED.search(before[-48:]):
        return NOTHING
    if text[match.end() : match.end() + 2].lstrip()[:1] in ("?", "吗"):
        return NOTHING
    return Reading("letter", letter, match.end(), "declared: said to be right")
