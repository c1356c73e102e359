"""Verdicts on exchanges: one option, several, or a free answer by its scorer. Pure.

A scorer is written ``NAME`` or ``NAME:BOUND``. All but ``contains`` and ``regex`` look at
the answer that the reply states (after "answer:", as a list, as a transcript), not at the words
around it. A reply that states none has no answer: it is never searched for a likely one.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

import msgspec

from zhiyin import extensions as plugins
from zhiyin.engine.scoring import judge_choice, unread
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.prompts import Prompts
from zhiyin.reader import Policy
from zhiyin.reader.choices import case_tells, spellings
from zhiyin.reader.plain import plain, written_out
from zhiyin.reader.policy import Value, form
from zhiyin.reader.structured import objects
from zhiyin.record import Ask, Exchange, Reply, State, Verdict
from zhiyin.text import compared, found, number_in, trouble_with
from zhiyin.trial import Trial
from zhiyin.words import said

_BULLET = re.compile(r"^\s*+(?:[-*•–]|\d{1,2}[.)])\s++(\S.*)$")
_LIST_OF = re.compile(r"(?:the )?(?:tag|genre|mood|instrument|style|label)s?\s?:\s*", re.I)
_LONGEST_ENTRY = 5
"""Words of an entry of a list; a sentence has more."""
_JOINTS = re.compile(r";\s|(?:^|\s)\d{1,2}[.)]\s")
_ENTRY = re.compile(r"[^\n.:!?。：]{1,60}")
_TRANSCRIPT = re.compile(
    r"^[^\w\n]*+(?:final\s++)?(?:answer|transcript|lyrics|答案|歌词)[^\w\n:：]*+[:：]\W*+",
    re.I | re.M,
)


WORDS, NUMBER, NOTES = form("words"), form("number"), form("notes")
YES_NO, LETTERS = form("yes_no"), form("letters")


def whole_reply(text: str) -> Value:
    """All words of a reply but its reasoning."""
    words = plain(text)
    if not words.text.strip():
        return Value(None, "nothing said outside the reasoning" if text.strip() else "empty reply")
    return Value(words.text, "the whole reply", None, "by text alone")


def listed(text: str) -> Value:
    """The answer that a reply states as a list: after "answer:", or as two bullets or more."""
    if (held := _list_in_object(text)) is not None:
        return held
    text = whole_reply(text).value or ""
    bullets = [match[1].rstrip() for line in text.splitlines() if (match := _BULLET.match(line))]
    stated = WORDS(text)
    block = text[marks[-1].end() :] if (marks := list(_TRANSCRIPT.finditer(text))) else ""
    lines = block.lstrip("\n").partition("\n\n")[0].splitlines()
    if len(lines) > 1 and all(_BULLET.match(line) or _ENTRY.fullmatch(line) for line in lines):
        entries = [match[1] if (match := _BULLET.match(line)) else line for line in lines]
        return Value("\n".join(entries), "the lines after 'answer:'", None, "declared")
    if lines and stated.value and len(_JOINTS.findall(lines[0])) > 1 - (";" in lines[0]):
        return Value(lines[0], "the line after 'answer:'", None, "declared")
    if len(bullets) > 1 and not stated.why.startswith("declared"):
        return Value("\n".join(bullets), "a list of bullets", None, "declared")
    if stated.confidence == "by text alone":
        rest = _LIST_OF.sub("", str(stated.value))
        if any(len(entry.split()) > _LONGEST_ENTRY for entry in members(rest)):
            return Value(None, "a sentence, and no list")
        return stated._replace(value=rest)
    return stated


def _list_in_object(text: str) -> Value | None:
    """The one list of texts that the last JSON object of a reply holds, whatever its name."""
    for _, _, data in reversed(objects(text)):
        lists = [v for v in data.values() if isinstance(v, list)] if isinstance(data, dict) else []
        if len(lists) == 1 and lists[0] and all(isinstance(entry, str) for entry in lists[0]):
            return Value("\n".join(lists[0]), "the list of an object", None, "declared")
    return None


def transcript(text: str) -> Value:
    """A longer text: all that follows the last "Answer:" at the head of a line, else the reply."""
    reply = whole_reply(text)
    if reply.value is None:
        return reply
    marks = list(_TRANSCRIPT.finditer(reply.value))
    rest = reply.value[marks[-1].end() :].strip() if marks else ""
    return Value(rest, "what follows 'answer:'", None, "declared") if rest else reply


class Graded(NamedTuple):
    """Grade of an answer: right or not, and further figures by name."""

    right: bool
    scores: dict[str, float] = {}


class AnswerJudge(Protocol):
    """Somebody who is asked what to make of an answer, within the trial that it answers."""

    async def check(self) -> None:
        """Make sure that they can be asked. Raises `InputError`."""

    async def conduct(self, trial: Trial, ask: Ask) -> Exchange:
        """Ask the question, and have its reply judged: the exchange holds both."""


class Scorer(msgspec.Struct, frozen=True):
    """A way of scoring free answers.

    Packages add more under ``zhiyin.scorers``.

    Attributes
    ----------
    name : str
    summary : str
        One line for listings; says what BOUND is where there may be one.
    read : callable
        From a reply to its answer, a `Value`.
    grade : callable
        ``(value, accepted, bound) -> Graded``; pure.
    check : callable
        ``(accepted, bound) -> str``: what is wrong with a key, "" for nothing.
    bound : str
        What BOUND may be: "", "number", "share", "tolerance" or a word.
    package : str
        A package that it needs, "" for none.
    whole : bool
        Whether a key's entries are one answer together (a set), and not each a right answer.
    judge : callable or None
        Of a scorer that goes by a rubric: ``(--judge, prompts) -> AnswerJudge``.
    verdict : callable or None
        ``(trial, exchange, bound) -> Verdict``, in the place of `read` and `grade`; pure.
    """

    name: str
    summary: str
    read: Callable[[str], Value]
    grade: Callable[[object, Sequence[str], str], Graded]
    check: Callable[[Sequence[str], str], str] = lambda accepted, bound: ""
    bound: str = ""
    package: str = ""
    whole: bool = False
    judge: Callable[[str, Prompts], AnswerJudge] | None = None
    verdict: Callable[[Trial, Exchange, str], Verdict] | None = None


def normalised(text: str) -> str:
    """A text for comparison: one width, lower case, single spaces, no quotes or end stops.

    Signs within stay (C# is not C), and ♯ and ♭ are # and b.
    """
    plain_text = _ascii_signs(unicodedata.normalize("NFKC", text).casefold()).replace("’", "'")
    return " ".join(plain_text.split()).strip(" .,;:!?\"'()[]。，；：！？“”‘’「」")


_PARTS = re.compile(
    r"[,;，、；\n|/•·]|\band\b|\bas well as\b|\bplus\b|(?<=\s)[&+](?=\s)|和"
    r"|(?:^|\s)\d{1,2}[.)]\s"
)


def members(text: str, wanted: Sequence[str] = ()) -> frozenset[str]:
    """The entries of a list, for comparison.

    Of those `wanted` (normalised), "drum and bass" stays whole where the list holds it.
    """
    whole = [name for name in wanted if _PARTS.search(name)]
    entries = set()
    if whole:
        text = _ascii_signs(unicodedata.normalize("NFKC", text).casefold())
    for name in sorted(whole, key=len, reverse=True):
        text, times = _as_words(name).subn(",", text)
        entries |= {name} if times else set()
    return frozenset(entries | {*filter(None, map(normalised, _PARTS.split(text)))})


def _ascii_signs(text: str) -> str:
    return written_out(text)[0]


def _exact(value: object, accepted: Sequence[str], bound: str) -> Graded:
    return Graded(_ascii_signs(str(value).strip()) in map(_ascii_signs, accepted))


def _normalised(value: object, accepted: Sequence[str], bound: str) -> Graded:
    text = str(value)
    ways = (text, text.partition(" (")[0], *spellings(text.strip()))
    return Graded(any(_same_words(way, each) for way in ways for each in accepted))


def _same_words(stated: str, wanted: str) -> bool:
    """Tell whether two texts are one whatever their case, but where case tells: CM7 is no Cm7."""
    if normalised(stated) != normalised(wanted):
        return False
    return compared(stated) == compared(wanted) or not (case_tells(stated) or case_tells(wanted))


def _contains(value: object, accepted: Sequence[str], bound: str) -> Graded:
    reply = normalised(str(value))
    # whole words of the text (Chinese has no such bounds)
    return Graded(any(_as_words(normalised(each)).search(reply) for each in accepted))


def _as_words(words: str) -> re.Pattern[str]:
    start = r"(?<![a-z0-9])" if words[:1].isascii() else ""
    end = r"(?![a-z0-9#])" if words[-1:].isascii() else ""
    return re.compile(start + r"\s+".join(map(re.escape, words.split())) + end)


def _number(value: object, accepted: Sequence[str], bound: str) -> Graded:
    stated = float(str(value))
    return Graded(any(_near(stated, float(each), bound) for each in accepted))


def _near(stated: float, wanted: float, bound: str) -> bool:
    share = bound.endswith("%")
    tolerance = float(bound.removesuffix("%") or 0)
    tolerance = abs(wanted) * tolerance / 100 if share else tolerance
    return abs(stated - wanted) <= tolerance + 1e-9 * max(1.0, abs(wanted))


def _regex(value: object, accepted: Sequence[str], bound: str) -> Graded:
    return Graded(any(found(each, str(value)) for each in accepted))


def _set_f1(value: object, accepted: Sequence[str], bound: str) -> Graded:
    wanted = frozenset(normalised(each) for each in accepted)
    stated = members(str(value), sorted(wanted))
    hits = len(stated & wanted)
    f1 = 2 * hits / (len(stated) + len(wanted)) if stated or wanted else 0.0
    return Graded(
        f1 >= _share(bound, 1.0),
        {
            "f1": f1,
            "precision": hits / len(stated) if stated else 0.0,
            "recall": hits / len(wanted) if wanted else 0.0,
        },
    )


def _share(bound: str, usual: float) -> float:
    return float(bound) - 1e-12 if bound else usual


def _edit(value: object, accepted: Sequence[str], bound: str) -> Graded:
    from rapidfuzz.distance import Levenshtein

    stated = normalised(str(value))
    best = max(Levenshtein.normalized_similarity(stated, normalised(each)) for each in accepted)
    return Graded(best >= _share(bound, 1.0), {"similarity": best})


def _words_of(text: str) -> list[str]:
    return [word for word in map(normalised, text.split()) if word]


def _characters_of(text: str) -> list[str]:
    return [sign for sign in normalised(text) if not sign.isspace()]


def _error_rate(split: Callable[[str], list[str]], name: str) -> Callable[..., Graded]:
    """Levenshtein's distance over units, by the length of the reference."""

    def grade(value: object, accepted: Sequence[str], bound: str) -> Graded:
        from rapidfuzz.distance import Levenshtein

        stated = split(str(value))
        rates = [Levenshtein.distance(stated, split(each)) / len(split(each)) for each in accepted]
        most = float(bound) + 1e-12 if bound else 0.0
        return Graded(min(rates) <= most, {name: min(rates)})

    return grade


_PITCHES = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True))


def _notes(value: object, accepted: Sequence[str], bound: str) -> Graded:
    stated: tuple[str, ...] = value if isinstance(value, tuple) else ()
    best = max((_in_place(stated, NOTES(each).value, bound) for each in accepted), default=0.0)
    return Graded(best == 1.0, {"in_place": best})


def _in_place(stated: Sequence[str], wanted: Sequence[str], bound: str) -> float:
    """The share of places that hold the wanted note; octaves count where the key names them."""
    hits = sum(
        _note(one, bound, any(map(str.isdigit, other))) == _note(other, bound, True)
        for one, other in zip(stated, wanted, strict=False)
    )
    return hits / max(len(stated), len(wanted))


def _note(name: str, bound: str, octave: bool) -> tuple[object, str]:
    """A note for comparison: by its spelling, or by its pitch where all spellings are one."""
    head = name.rstrip("-0123456789")
    number = name[len(head) :] if octave else ""
    if bound != "enharmonic":
        return head, number
    pitch = _PITCHES[head[0]] + head.count("#") - head[1:].count("b")
    if number:
        return pitch + 12 * int(number), ""
    return pitch % 12, ""


def _yes_no(value: object, accepted: Sequence[str], bound: str) -> Graded:
    return Graded(any(YES_NO(each).value is value for each in accepted))


def _each_is(read: Callable[[str], Value], what: str) -> Callable[[Sequence[str], str], str]:
    def check(accepted: Sequence[str], bound: str) -> str:
        bad = next((each for each in accepted if read(each).value is None), None)
        return "" if bad is None else f"the answer {bad[:60]!r} is no {what}"

    return check


def _is_number(accepted: Sequence[str], bound: str) -> str:
    bad = next((each for each in accepted if not math.isfinite(number_in(each))), None)
    return "" if bad is None else f"the answer {bad[:60]!r} is no number"


def _is_pattern(accepted: Sequence[str], bound: str) -> str:
    for each in accepted:
        if fault := trouble_with(each):
            return f"the answer {each[:60]!r} {fault}"
    return ""


def _not_empty(accepted: Sequence[str], bound: str) -> str:
    bad = next((each for each in accepted if not normalised(each)), None)
    return "" if bad is None else f"the answer {bad!r} holds no letter or digit"


_ALL = (
    Scorer("exact", "the stated answer, to the letter", WORDS, _exact),
    Scorer(
        "normalised",
        "the stated answer, whatever its case, spaces and end stops",
        WORDS, _normalised, _not_empty,
    ),
    Scorer(
        "contains",
        "the answer stands anywhere in the reply, as whole words",
        whole_reply, _contains, _not_empty,
    ),
    Scorer(
        "number",
        "the stated number; number:0.5 and number:5% say how far off it may be",
        NUMBER, _number, _is_number, "tolerance",
    ),
    Scorer(
        "regex",
        "the reply matches a regular expression of Python's",
        whole_reply, _regex, _is_pattern,
    ),
    Scorer(
        "set-f1",
        "a list in any order, by F1; right where F1 is 1, or the BOUND of set-f1:0.8",
        listed, _set_f1, _not_empty, "share", whole=True,
    ),
    Scorer(
        "edit",
        "likeness by edits of letters; right where it is 1, or the BOUND of edit:0.9",
        transcript, _edit, _not_empty, "share", "rapidfuzz",
    ),
    Scorer(
        "wer",
        "word error rate; right where it is 0, or up to the BOUND of wer:0.2",
        transcript, _error_rate(_words_of, "wer"), _not_empty, "number", "rapidfuzz",
    ),
    Scorer(
        "cer",
        "character error rate, as wer: for Chinese, which does not part its words",
        transcript, _error_rate(_characters_of, "cer"), _not_empty, "number", "rapidfuzz",
    ),
    Scorer(
        "notes",
        "names of notes in order, as spelt; notes:enharmonic takes F# for Gb",
        NOTES, _notes, _each_is(NOTES, "list of notes"), "enharmonic",
    ),
    Scorer(
        "yes-no", "yes or no", YES_NO, _yes_no, _each_is(YES_NO, "yes or no")
    ),
)  # fmt: skip
_OURS: dict[str, Scorer] = {scorer.name: scorer for scorer in _ALL}
_ALSO = {"normalized": "normalised", "f1": "set-f1", "regexp": "regex", "yes_no": "yes-no"}
VERSION = 2
"""Raised whenever any answer would be scored otherwise."""


@cache
def scorers() -> dict[str, Scorer]:
    """All scorers by name: those here, and those that packages add."""
    return {**plugins.every(plugins.SCORERS), **_OURS}


def scorer_of(spec: str) -> Scorer | None:
    """The scorer of ``NAME`` or ``NAME:BOUND``; None where there is none such."""
    name = spec.partition(":")[0].strip().casefold()
    name = _ALSO.get(name, name)
    return _OURS.get(name) or (scorers().get(name) if name else None)


def open_scorer(spec: str) -> tuple[Scorer, str]:
    """The scorer that ``NAME`` or ``NAME:BOUND`` names, and its bound ("" for none).

    Raises
    ------
    InputError
        There is no such scorer, the bound is none that it takes, or a package is missing.
    """
    name, colon, bound = (part.strip() for part in spec.partition(":"))
    scorer = scorer_of(name)
    if scorer is None:
        hint = did_you_mean(name.casefold(), scorers())
        raise InputError(said("questions-scorer", spec=repr(spec), hint=hint))
    if colon and not _fits(scorer.bound, bound):
        raise InputError(said("questions-scorer-is", spec=repr(spec), summary=scorer.summary))
    if scorer.package:
        import importlib.util

        if importlib.util.find_spec(scorer.package) is None:
            raise missing_package(scorer.package, "questions")
    return scorer, bound


def _fits(kind: str, bound: str) -> bool:
    """Tell whether a bound is what a scorer takes."""
    if kind == "enharmonic":
        return bound == kind
    digits = bound.removesuffix("%") if kind == "tolerance" else bound
    if not kind or not re.fullmatch(r"\d+(?:\.\d+)?|\.\d+", digits):
        return False
    return kind != "share" or 0 < float(digits) <= 1


def score(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Score an exchange. Needs the logged record alone."""
    if trial.options and trial.tags.get("kind") == "several":
        return _several(trial, exchange.final)
    if trial.options:
        return judge_choice(trial, exchange, policy)
    spec = str(trial.tags.get("scorer"))
    scorer, _, bound = scorer_of(spec), *spec.partition(":")[1:]
    if scorer is None:
        raise InputError(said("questions-scorer-away", spec=repr(spec)))
    if scorer.verdict:
        return scorer.verdict(trial, exchange, bound)
    reading = scorer.read(exchange.final.text)
    label = f"{spec}@{VERSION}"
    if reading.value is None:
        return unread(exchange.final, reading.why, label)
    accepted = msgspec.json.decode(str(trial.tags.get("accept") or "[]"), type=list[str])
    graded = scorer.grade(reading.value, accepted, bound)
    return Verdict(
        "correct" if graded.right else "wrong", _shown(reading.value), None, reading.why, label,
        graded.scores, confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _several(trial: Trial, reply: Reply) -> Verdict:
    """Right where all right options are named and no other; F1 says how near it comes."""
    label = f"letters@{VERSION}"
    reading = LETTERS(reply.text, trial.options)
    if not reading.value:
        return unread(reply, reading.why, label)
    named = {option.key for option in trial.options if option.letter in reading.value}
    wanted = set((trial.target or "").split(","))
    f1 = 2 * len(named & wanted) / (len(named) + len(wanted))
    state: State = "correct" if named == wanted else "wrong"
    return Verdict(
        state, ",".join(sorted(named)), None, reading.why, label,
        {"f1": f1}, confidence=reading.confidence, span=reading.span,
    )  # fmt: skip


def _shown(value: object) -> str:
    """A value that was read, in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
