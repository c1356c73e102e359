"""Answers given as data: JSON objects, whole or inside a reply."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from zhiyin.reader.choices import SHARED, Choices
from zhiyin.reader.plain import Plain, bare, in_plain_words

_DEEP = 64
"""Levels of nesting that are looked into; what is deeper holds no answer."""

_LARGE = 200_000
_KEYS = (
    ("final", "finalanswer", "finalchoice", "finaldecision", "最终答案", "最终选择"),
    ("answer", "correctanswer", "correct", "correctoption", "myanswer", "ans", "答案", "正确答案",
     "answerletter", "answeroption", "回答", "rightanswer", "correctchoice", "respuesta",
     "réponse", "antwort", "答え", "正解", "정답", "ответ", "resposta", "finaloutput"),
    ("choice", "option", "selected", "selectedoption", "selection", "chosen", "chosenoption",
     "letter", "optionletter", "choiceletter", "pick", "prediction", "predicted",
     "predictedanswer", "bestoption", "bestanswer", "best", "label", "decision", "verdict",
     "选择", "选项", "选定", "正确选项", "selectedanswer", "chosenanswer", "bestguess", "guess",
     "optionnumber", "yourchoice"),
    ("response", "result", "output", "conclusion", "结论", "结果", "value"),
)  # fmt: skip
"""Names of the field that holds an answer, the clearest first."""

_ALL_KEYS = frozenset(name for names in _KEYS for name in names)

_TEXTS = ("text", "answertext", "optiontext", "content", "内容", "选项内容", "答案内容")
"""Names of the field that gives the answer's text beside its letter."""

_BESIDE = re.compile(
    r"alternat|second|runner|other|wrong|incorrect|reject|eliminat|distract|least|worst|previous"
    r"|initial|first|draft|备选|其次|错误|排除|干扰|other"
)
_GOOD = re.compile(r"(?:yes|true|correct|right|✓|✔|✅|match|是|对|正确|符合)", re.IGNORECASE)
_BAD = re.compile(r"(?:no|not|false|in|wrong|✗|❌|×|否|不|错)", re.IGNORECASE)
_OPENING = re.compile(r"[\[{](?=\s{0,20}[\"\[{])")


class ReplyField(NamedTuple):
    """The answer that an object in a reply gives.

    Attributes
    ----------
    letters : tuple of str
        One for an answer, several for several, none for "no answer" and for no option.
    start, end : int
        Where the object stands in the plain text.
    why : str
        Which field of it holds the answer.
    alone : bool
        Whether the reply is this object and nothing else.
    words : str
        All words of an object that has no field for an answer, to be read like any text.
    """

    letters: tuple[str, ...]
    start: int
    end: int
    why: str
    alone: bool = False
    words: str = ""


def fields(words: Plain, choices: Choices) -> list[ReplyField]:
    """Return the answers of the objects in a reply that give one."""
    if "{" not in words.source:
        return []
    answers: list[ReplyField] = []
    for start, end, value in objects(words.source):
        before, after = words.source[:start].strip("` \n"), words.source[end:].strip("` \n.")
        alone = (len(before) < 8 or before == "json") and not after
        place = words.place(words.offset + start, words.offset + end)
        answered = answer(value, choices)
        if answered:
            answers.append(ReplyField(answered[0], *place, answered[1], alone))
        elif alone:
            all_words = "\n".join(strings(value))
            answers.append(ReplyField((), *place, "the words of JSON", alone, all_words))
    return answers


def objects(text: str) -> list[tuple[int, int, Any]]:
    """The JSON objects and lists in `text` that hold more than a word, with their places.

    Linear: each opening bracket is tried once, eight at most, and what was read is passed over.
    """
    if '"' not in text or len(text) > _LARGE:
        return []
    values: list[tuple[int, int, Any]] = []
    decoder = json.JSONDecoder()
    at, tries = 0, 0
    while tries < 8:
        opening = _OPENING.search(text, at)
        if opening is None:
            break
        brace, tries = opening.start(), tries + 1
        try:
            value, end = decoder.raw_decode(text, brace)
        except (ValueError, RecursionError):
            at = brace + 1
            continue
        if isinstance(value, dict) or (isinstance(value, list) and _holds_objects(value)):
            values.append((brace, end, value))
        at = end
    return values


def _holds_objects(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(item, dict) for item in value[:50])


Answered = tuple[tuple[str, ...], str]
"""The letters that an object answers, and why."""


def answer(value: dict[Any, Any] | list[Any], choices: Choices, depth: int = 0) -> Answered | None:
    """Read the answer of a parsed object: the letters and why; None if it has no field for it."""
    if depth > _DEEP:
        return None
    if isinstance(value, list):
        return _of_list(value, choices, depth)
    named = {_key(name): (name, item) for name, item in value.items() if isinstance(name, str)}
    for names in _KEYS:
        answered = _of_fields([name for name in names if name in named], named, choices, depth)
        if answered:
            return answered
    marks = _marked(value, choices)
    if marks is not None:
        return marks, "the options' own marks"
    for name, (_, item) in named.items():
        if name in _ALL_KEYS or name == "options" or not isinstance(item, dict | list):
            continue
        inner = None if _BESIDE.search(name) else answer(item, choices, depth + 1)
        if inner is not None:
            return inner
    return None


def _of_fields(
    names: list[str], named: dict[str, tuple[str, Any]], choices: Choices, depth: int
) -> Answered | None:
    """Read the answer of fields that are equally clear, with the text beside them."""
    given = [(_value(named[name][1], choices, depth, name), named[name][0]) for name in names]
    answered = [(letters, shown) for letters, shown in given if letters is not None]
    if not answered:
        return None
    several = tuple(dict.fromkeys(letter for letters, _ in answered for letter in letters))
    text = next((named[name][1] for name in _TEXTS if name in named), None)
    words = bare(in_plain_words(text).lower()) if isinstance(text, str) else ""
    beside = choices.texts.get(words, "")
    if beside and beside not in (*several, SHARED):
        several = (*several, beside)
    return several, f"the field {answered[0][1]!r}"


def _of_list(value: list[Any], choices: Choices, depth: int) -> Answered | None:
    rows = [item for item in value if isinstance(item, dict)]
    if len(rows) == 1:
        return answer(rows[0], choices, depth + 1)
    marked: dict[str, bool] = {}
    for row in rows:
        answers = [
            letters
            for name, item in row.items()
            if _key(name) in ("option", "letter", "label", "choice", "选项", "id", "answer")
            and (letters := _value(item, choices, depth, "option"))
        ]
        verdicts = [_verdict(item) for name, item in row.items() if _key(name) not in ("option",)]
        marks = [mark for mark in verdicts if mark is not None]
        if answers and marks and len(answers[0]) == 1:
            marked[answers[0][0]] = marks[0]
    good = tuple(letter for letter, mark in marked.items() if mark)
    return (good, "the options' own marks") if good else None


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower()) if len(name) < 60 else ""


def _value(item: Any, choices: Choices, depth: int, name: str) -> tuple[str, ...] | None:
    """The letters of a field's value: () for an answer that is none, None for no such field."""
    if item is None:
        return ()
    if isinstance(item, bool):
        letter = choices.yes if item else choices.no
        return (letter,) if letter else None
    if isinstance(item, int | float):
        return _number(item, choices, name)
    if isinstance(item, str):
        return _string(item, choices, name)
    if isinstance(item, list):
        if not all(isinstance(part, str | int) for part in item) or len(item) > 26:
            return None
        each = [_value(part, choices, depth + 1, name) or () for part in item]
        return tuple(dict.fromkeys(letter for letters in each for letter in letters))
    inner = answer(item, choices, depth + 1)
    return inner[0] if inner else None


def _number(item: float, choices: Choices, name: str) -> tuple[str, ...] | None:
    text = str(item)
    letter = choices.texts.get(text, "")
    counts = name in ("option", "optionnumber", "choice", "selectedoption")
    place = choices.letters[item - 1 : item] if isinstance(item, int) and item > 0 else ""
    if letter and (not counts or place in ("", letter)):
        return (letter,)
    return tuple(place) if counts and not choices.numeric else ()


def _string(item: str, choices: Choices, name: str) -> tuple[str, ...] | None:
    written = in_plain_words(item).strip(" .\"'()[]{}$")
    words = bare(written.lower())
    if words.startswith("boxed"):
        words = words[5:].strip(" {}")
    if len(words) == 1 and words.upper() in choices.letters:
        return (words.upper(),)
    if not words:
        return ()
    letter = choices.whose(words, written[-len(words) :]) if words in choices.texts else ""
    if letter:
        return (letter,)
    label = re.match(
        r"(?:option|choice|选项)?\s?\(?([a-z])(?:[).:、,|]|\s-|\s(?=[(\"])|选项|项|$)", words
    )
    if label and label[1].upper() in choices.letters:
        rest = words[label.end() :].strip(" .-:\"'()")
        as_written = written[words.find(rest, label.end()) :][: len(rest)]
        other = choices.whose(rest, as_written) if rest in choices.texts else ""
        if other and other != label[1].upper():
            return (label[1].upper(), other)
        if not re.match(r"(?:and|or|和|或|/|[a-z]\b)", rest):
            return (label[1].upper(),)
    if words in ("yes", "true", "是", "对") and choices.yes:
        return (choices.yes,)
    if words in ("no", "false", "否", "不是") and choices.no:
        return (choices.no,)
    return None


def _marked(value: dict[Any, Any], choices: Choices) -> tuple[str, ...] | None:
    """The letters marked true where the object maps options to marks."""
    marks: dict[str, bool] = {}
    for name, item in value.items():
        letters = _string(name, choices, "option") if isinstance(name, str) else None
        mark = _verdict(item)
        if letters is None or len(letters) != 1 or mark is None:
            continue
        marks[letters[0]] = mark
    good = tuple(letter for letter, mark in marks.items() if mark)
    return good if len(marks) == len(choices.letters) else None


def _verdict(item: Any, depth: int = 0) -> bool | None:
    """Tell whether the words or the mark that stand for an option call it right."""
    if isinstance(item, bool):
        return item
    if isinstance(item, dict) and depth < 4:
        verdicts = (_verdict(inner, depth + 1) for inner in item.values())
        marks = [mark for mark in verdicts if mark is not None]
        return marks[0] if len(marks) == 1 else None
    if isinstance(item, str) and len(item) < 80:
        if _BAD.match(item.strip()):
            return False
        if _GOOD.match(item.strip()):
            return True
    return None


def strings(value: Any, depth: int = 0) -> list[str]:
    """The words of an object, without its second choices, to be read like any text."""
    if depth > _DEEP:
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [word for item in value[:50] for word in strings(item, depth + 1)]
    if isinstance(value, dict):
        return [
            word
            for name, item in value.items()
            if not (isinstance(name, str) and _BESIDE.search(name.lower()))
            for word in strings(item, depth + 1)
        ]
    return []
