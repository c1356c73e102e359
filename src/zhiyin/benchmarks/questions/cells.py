"""Reading of a file's cells: which column is what, and options, answers and files from cells.

A "2" can be the second option, the third, or the option whose text is 2. So the whole file is
looked at: the form in which most rows can be read is the file's. Where two forms read the same
rows and disagree, the user is asked.
"""

from __future__ import annotations

import functools
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from zhiyin.contract.question_table import MediaFile, list_of, of_objects, text_of, written
from zhiyin.contract.tables import LETTER_OF, STEMS, option_columns
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import as_on_disk, one_form
from zhiyin.text import compared, fold
from zhiyin.words import Said, Text, said

NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "prompt", "stem", "query", "problem", "题目", "问题", "题干"),
    "options": ("options", "choices", "alternatives", "选项"),
    "answer": (
        *("answer", "answers", "key", "target", "correct", "correct_answer", "solution", "gold"),
        *("answer_key", "answerkey", "label", "答案", "正确答案", "正确选项", "标准答案"),
        *("参考答案", "正确项"),
    ),
    "audio": (
        *("audio", "sound", "recording", "clip", "audio_path", "audio_file", "audio_id"),
        *("file_name", "音频", "录音", "声音", "音频文件"),
    ),
    "image": ("image", "picture", "figure", "image_path", "image_file", "图片", "图像"),
    "group": (
        *("group", "category", "groups", "categories", "subject", "topic"),
        *("类别", "分类", "分组", "组别", "科目", "知识点"),
    ),
    "cluster": ("cluster", "track", "song", "track_id", "stimulus", "piece", "曲目", "歌曲"),
    "id": ("id", "qid", "question_id", "item_id", "编号", "题号", "序号"),
    "example": ("example", "is_example", "shot", "few_shot", "样例", "示例", "例题"),
    "scorer": ("scorer", "scoring", "metric", "评分方式"),
    "rubric": ("rubric", "criteria", "评分标准"),
    "kinds": ("distractor_kinds",),
}
"""What a column may be called, by what it means: the first name is the one that wins."""
SEVERAL = frozenset({"question", "options", "audio", "image", "group"})
"""What may stand in several columns."""

_NUMBERED = re.compile(r"(.*?[^\d_])_?\d+")


class QuestionColumns(msgspec.Struct, frozen=True):
    """The columns of each meaning: none, one, or several.

    `lettered` says that each of `options` holds one option; else one column holds them all.
    `others` are the columns that mean nothing to us: facts for tables.
    """

    by_meaning: dict[str, tuple[str, ...]]
    lettered: bool
    others: tuple[str, ...]

    def one(self, meaning: str) -> str | None:
        """The column of a meaning, or None."""
        return next(iter(self.all(meaning)), None)

    def all(self, meaning: str) -> tuple[str, ...]:
        """The columns of a meaning."""
        return self.by_meaning.get(meaning, ())

    def in_words(self) -> list[Said]:
        """Describe how the file is read, for a remark: columns not called as we call them."""
        return [
            said("questions-column", meaning=meaning, names=_all_of(names))
            for meaning, names in self.by_meaning.items()
            if names != (meaning,)
        ]


def _all_of(names: Sequence[str]) -> Text:
    *others, last = names
    if not others:
        return repr(last)
    return said("questions-both", first=_all_of(others), second=repr(last))


def plain_name(name: str) -> str:
    """A column's name as it is compared: lower case, words parted by one underscore."""
    folded = unicodedata.normalize("NFKC", name).casefold().strip(" :：*")
    return re.sub(r"[\s_.\-]+", "_", folded).strip("_")


def match_columns(names: Sequence[str], chosen: Sequence[str], where: str) -> QuestionColumns:
    """Find what each column means.

    Parameters
    ----------
    names : sequence of str
        The columns of the file.
    chosen : sequence of str
        The user's words, such as ``question=stem``; ``image=`` says that there is none.
    where : str
        The file, for messages.

    Raises
    ------
    InputError
        A word of the user's is none, a column is missing, or several columns could be meant.
    """
    by_meaning = _chosen(names, chosen, where)
    taken = {name for columns in by_meaning.values() for name in columns}
    lettered = len(by_meaning.get("options", ())) > 1
    free = {name: plain_name(name) for name in names if name not in taken}
    if "options" not in by_meaning:
        single = option_columns(free)
        if single and any(plain in NAMES["options"] for plain in free.values()):
            raise InputError(said(
                "questions-options-twice", where=where, single=repr(single[0]),
                singleb=repr(single[1]),
            ))  # fmt: skip
        if single:
            by_meaning["options"], lettered = single, True
            free = {name: plain for name, plain in free.items() if name not in single}
    for meaning in NAMES:
        if meaning not in by_meaning and (columns := _usual(meaning, free, where)):
            by_meaning[meaning] = columns
    by_meaning = {meaning: columns for meaning, columns in by_meaning.items() if columns}
    if "question" not in by_meaning:
        shown = [*map(repr, names)]
        raise InputError(said("error-no-question-column", where=where, names=shown))
    used = {name for columns in by_meaning.values() for name in columns}
    ordered = {meaning: by_meaning[meaning] for meaning in NAMES if meaning in by_meaning}
    return QuestionColumns(ordered, lettered, tuple(name for name in names if name not in used))


def _chosen(names: Sequence[str], chosen: Iterable[str], where: str) -> dict[str, tuple[str, ...]]:
    """Read the user's choices; a meaning that is given no column has an empty tuple."""
    by_meaning: dict[str, tuple[str, ...]] = {}
    for pair in chosen:
        meaning, equals, name = (part.strip() for part in pair.partition("="))
        if not equals:
            raise InputError(said("error-columns", pair=pair))
        if meaning not in NAMES:
            hint = did_you_mean(meaning, NAMES)
            raise InputError(said("error-columns-hint", pair=pair, where=None, hint=hint))
        if name and name not in names:
            hint = did_you_mean(name, names)
            raise InputError(said("error-columns-hint", pair=pair, where=where, hint=hint))
        if meaning in by_meaning and meaning not in SEVERAL:
            raise InputError(said("questions-one-column", pair=pair, meaning=meaning))
        by_meaning[meaning] = (*by_meaning.get(meaning, ()), name) if name else ()
    return by_meaning


def _usual(meaning: str, free: dict[str, str], where: str) -> tuple[str, ...]:
    """The columns that are called as `meaning` usually is."""
    first, *_ = NAMES[meaning]
    if meaning in ("audio", "image"):
        stems = {
            name: match[1] if (match := _NUMBERED.fullmatch(plain)) else plain
            for name, plain in free.items()
        }
        named = [name for name, stem in stems.items() if stem in NAMES[meaning]]
        of_first = [name for name in named if stems[name] == first]
        columns = of_first or named
        if len({stems[name] for name in columns}) > 1:
            raise InputError(_unclear(meaning, columns, where))
        return tuple(columns)
    columns = [name for name, plain in free.items() if plain == first]
    columns = columns or [name for name, plain in free.items() if plain in NAMES[meaning]]
    if len(columns) > 1:
        raise InputError(_unclear(meaning, columns, where))
    return tuple(columns)


def _unclear(meaning: str, names: Sequence[str], where: str) -> str:
    candidates = ", ".join(map(repr, names))
    return f"{where}: {candidates} could each be the {meaning}: say --columns {meaning}=NAME"


YES = frozenset({"1", "yes", "y", "true", "x", "是", "✓"})
NO = frozenset({"", "0", "no", "n", "false", "否"})
_LABEL = re.compile(
    rf"\s*(?:option\s+|选项?\s*)?[(\[（【]?([A-Z{STEMS}])\s*(?:[)\].:、．：）】]\s*|$)",
    re.IGNORECASE,
)
"""The letter before an option, in whichever of the usual ways."""
_IN_LINE = re.compile(rf"(?:[(（]|(?<![A-Za-z0-9]))([A-Z{STEMS}])[)）.:、．：]\s*")
"""The same, of options that stand in one line: "A. lute B. harp"."""


class Options(msgspec.Struct, frozen=True):
    """The options of a question, and what the file calls them ("A", "B", ... or its own labels)."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]


def yes(value: Any) -> bool | None:
    """A yes or a no; None where the cell says neither."""
    word = text_of(value).casefold()
    return True if word in YES else False if word in NO else None


@functools.cache
def letters(count: int) -> tuple[str, ...]:
    """The first `count` letters of the alphabet."""
    return tuple(chr(65 + place) for place in range(count))


def options_of(value: Any, delimiter: str | None = None) -> Options | Said | None:
    """The options in one cell, or what is wrong with it; None where there are none.

    A list of texts, or of objects with a text; entries parted by a delimiter; an object of texts by
    label (``{"A": "lute"}``) or of two lists (``{"text": [...], "label": [...]}``). An entry's own
    letter is left out where every option has its own.
    """
    if isinstance(value, str) and value.strip().startswith("{"):
        value = written(value.strip())
        if not isinstance(value, dict):
            return said("row-options-json")
    if isinstance(value, dict):
        columns = list(value.values())
        sizes = {len(each) if isinstance(each, list) else -1 for each in columns}
        if len(sizes) == 1 and -1 not in sizes:  # two lists, or more
            value = [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
        else:
            value = [
                {"key": name, "text": text} for name, text in value.items() if text is not None
            ]
    parts = list_of(value, delimiter) or _in_line(text_of(value))
    if parts is None:
        return said("row-options-unclear") if text_of(value) else None
    if any(isinstance(part, dict) for part in parts):
        found = of_objects(parts)
        if found is None:
            return said("row-options-objects")
        options = own_letters_off(found[0])
        return replace(options, labels=found[1]) if found[1] else options
    return own_letters_off(tuple(map(text_of, parts)))


def _in_line(text: str) -> list[str] | None:
    """Options that stand in one line behind their letters; None where these do not count."""
    _, *found = _IN_LINE.split(text)
    counted = tuple(map(_letter, found[::2]))
    starts = _IN_LINE.match(text) and len(counted) > 1 and counted == letters(len(counted))
    return [part.strip(" \u3000,，;；。") for part in found[1::2]] if starts else None


def _letter(sign: str) -> str:
    """The capital that a letter or a Chinese stem stands for."""
    return sign.upper().translate(LETTER_OF)


def own_letters_off(texts: Sequence[str]) -> Options:
    """Options without the letters that all of them begin with: they get them from us."""
    named = letters(len(texts)) if len(texts) <= 26 else ()
    matches = [_LABEL.match(text) for text in texts[: 1 if named else 0]]
    if matches and matches[0]:  # most have none, and need no second look
        matches += [_LABEL.match(text) for text in texts[1:]]
    if len(matches) == len(texts) and all(
        m and _letter(m[1]) == n and m.end() < len(m.string)
        for m, n in zip(matches, named, strict=True)
    ):
        texts = [text[match.end() :] for text, match in zip(texts, matches, strict=True) if match]
    return Options(tuple(texts), named or tuple(map(str, range(1, len(texts) + 1))))


Form = Literal["letter", "index-0", "index-1", "text"]
FORMS: tuple[Form, ...] = get_args(Form)
_RUN = re.compile(rf"[A-Z]{{2,26}}|[{STEMS}]{{2,10}}")


class Unread(msgspec.Struct, frozen=True):
    """An answer that names no options, and why."""

    problem: Said
    remedy: Said


def readings(answer: Any, options: Options, delimiter: str | None) -> dict[Form, tuple[str, ...]]:
    """The keys (our letters, in the data's order) that an answer names, in each form that fits."""
    if isinstance(answer, str) and answer.isascii() and answer.isalnum() and not delimiter:
        return _of_a_word(answer, options)
    named = {form: _keys(answer, form, options, delimiter) for form in FORMS}
    return {form: keys for form, keys in named.items() if keys}


def _keys(answer: Any, form: Form, options: Options, delimiter: str | None) -> tuple[str, ...]:
    """The keys that an answer names in one form; none where it does not fit."""
    if (whole := _one(answer, form, options)) is not None:
        return (whole,)
    keys = [_one(part, form, options) for part in _parts(answer, form, options, delimiter)]
    if None in keys or len(set(keys)) < len(keys):
        return ()
    return tuple(key for key in letters(len(options.texts)) if key in keys)


def _of_a_word(answer: str, options: Options) -> dict[Form, tuple[str, ...]]:
    """The same of a single word or number, as nearly all answers are; nobody writes to it."""
    folded = fold(answer)
    same = [
        place
        for place, option in enumerate(options.texts)
        if (option.strip().rstrip(" .").casefold() if option.isascii() else fold(option)) == folded
    ]
    same = _as_written(answer, same, options)
    named = letters(len(options.texts))[same[0]] if len(same) == 1 else None
    return _of_the_labels(answer, options.labels, named)


def _as_written(answer: str, same: list[int], options: Options) -> list[int]:
    """Choose, of options that differ only in case, the one written as the answer: M3, m3."""
    exact = [place for place in same if compared(options.texts[place]) == compared(answer)]
    return exact if len(same) > 1 and exact else same


@functools.lru_cache(maxsize=4096)
def _of_the_labels(
    answer: str, labels: tuple[str, ...], text: str | None
) -> dict[Form, tuple[str, ...]]:
    """Read a word by letter and number, which does not depend on what the options say."""
    options = Options(("",) * len(labels), labels)
    named = {
        form: ((text,) if text else ()) if form == "text" else _keys(answer, form, options, None)
        for form in FORMS
    }
    return {form: keys for form, keys in named.items() if keys}


def _one(answer: Any, form: Form, options: Options) -> str | None:
    """The key that one answer names, or None."""
    if isinstance(answer, list | tuple):
        return None
    text, count = text_of(answer), len(options.texts)
    keys = letters(count)
    if form == "letter":
        bare = text.strip("()[]（）【】.．、:： ").casefold()
        labels = [label.strip("()[]. :").casefold() for label in options.labels]
        for name in (bare, _letter(bare).casefold()):
            if name and labels.count(name) == 1:
                return keys[labels.index(name)]
        # "B. violin": the letter counts where the text is that option's too.
        both = _LABEL.match(text)
        named = _letter(both[1]).casefold() if both else ""
        if both is None or labels.count(named) != 1:
            return None
        place = labels.index(named)
        return keys[place] if fold(text[both.end() :]) in ("", fold(options.texts[place])) else None
    if form == "text":
        folded = fold(text)
        same = [place for place, option in enumerate(options.texts) if fold(option) == folded]
        same = _as_written(text, same, options)
        return keys[same[0]] if text and len(same) == 1 else None
    if not re.fullmatch(r"\d{1,2}", text):
        return None
    place = int(text) - (form == "index-1")
    return keys[place] if 0 <= place < count else None


def _parts(answer: Any, form: Form, options: Options, delimiter: str | None) -> list[Any]:
    """The entries of an answer that names several options; none where it is one thing."""
    entries = list_of(answer, delimiter)
    if entries is not None:
        return entries
    text = text_of(answer)
    if len(text) > 1 and form != "text" and not delimiter:
        parts = [part for part in re.split(r"[,，、&+/\s和与]+|\band\b", text) if part]
        if len(parts) > 1:
            return parts
        single = all(len(label) == 1 for label in options.labels)
        if form == "letter" and single and _RUN.fullmatch(text):
            return list(text)
    return []


def choose_form(rows: Sequence[Mapping[Form, tuple[str, ...]]]) -> tuple[Form | None, int | None]:
    """The form of a file's answers, and where it cannot be known.

    Parameters
    ----------
    rows : sequence of mapping
        The `readings` of each row.

    Returns
    -------
    form : str or None
        The form that most rows can be read in; None where there is none.
    unclear : int or None
        The first row in which two such forms disagree, or one of them and another that a further
        row can be read in alone; then the form is unclear.
    """
    counts = {form: sum(form in reading for reading in rows) for form in FORMS}
    most = max(counts.values(), default=0)
    best = [form for form in FORMS if counts[form] == most] if most else []
    alone = {
        form for reading in rows if not reading.keys() & {*best[:1]}
        for form in reading if not form.startswith("index")
    }  # fmt: skip
    rivals = {*best, *alone}
    for place, reading in enumerate(rows if len(rivals) > 1 else ()):
        if len({reading[form] for form in rivals if form in reading}) > 1:
            return best[0], place
    return (best[0] if best else None), None


def resolve(
    answer: Any, reading: Mapping[Form, tuple[str, ...]], form: Form | None, options: Options
) -> tuple[str, ...] | Unread:
    """The right keys of one row, in the file's form or in the only other one that fits."""
    if form is not None and form in reading:
        return reading[form]
    other = {keys for name, keys in reading.items() if not name.startswith("index")}
    if len(other) == 1:
        return other.pop()
    text = text_of(answer)
    if not text or answer == []:
        return Unread(said("row-no-answer"), said("row-answer-of", names=options.labels))
    same = [
        key
        for key, option in zip(letters(26), options.texts, strict=False)
        if fold(option) == fold(text)
    ]
    if len(same) > 1:
        return Unread(
            said("row-answer-alike", answer=repr(text[:60]), same=same), said("row-write-letter")
        )
    if reading:
        return Unread(said("row-answer-counted", answer=repr(text)), said("row-write-letter"))
    return Unread(
        said("row-bad-answer", answer=repr(text[:60]), n=str(len(options.texts))),
        said("row-name-one", names=options.labels),
    )


def place_of(written: str, root: Path, *, anywhere: bool = False) -> MediaFile | Said:
    r"""The place of a recording or a picture, or what is wrong with how it is written.

    Parameters
    ----------
    written : str
        A path relative to `root`, with / or, from a spreadsheet of Windows, \\.
    root : Path
    anywhere : bool
        Whether the user named the root: a message need not say how to.
    """
    if "://" in written:
        return said("row-address")
    folder = os.path.abspath(root)  # noqa: PTH100 - links are the user's, and stay unresolved
    place = os.path.normpath(os.path.join(folder, written))  # noqa: PTH118
    if "\\" in written and not os.path.exists(place):  # noqa: PTH110
        place = os.path.normpath(os.path.join(folder, written.replace("\\", "/")))  # noqa: PTH118
    if not _lies_in(place, folder):
        return said("row-outside", folder=root, anywhere=anywhere)
    place = str(as_on_disk(Path(place)))
    if not os.path.isfile(place):  # noqa: PTH113
        return said("row-not-there", folder=root)
    return MediaFile(Path(place), one_form(Path(os.path.relpath(place, folder)).as_posix()))


def _lies_in(place: str, folder: str) -> bool:
    try:
        return os.path.commonpath([folder, place]) == folder
    except ValueError:  # on another drive
        return False
