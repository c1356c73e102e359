"""Which column of a file means what: by its usual names, or as the user says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from zhiyin.contract.sheets import option_columns
from zhiyin.errors import InputError, did_you_mean

NAMES: dict[str, tuple[str, ...]] = {
    "question": ("question", "prompt", "stem", "query", "problem", "题目", "问题", "题干"),
    "options": ("options", "choices", "alternatives", "选项"),
    "answer": (
        *("answer", "answers", "key", "target", "correct", "correct_answer", "solution", "gold"),
        *("answer_key", "answerkey", "label", "答案"),
    ),
    "audio": (
        "audio",
        "sound",
        "recording",
        "clip",
        "audio_path",
        "audio_file",
        "audio_id",
        "file_name",
    ),
    "image": ("image", "picture", "figure", "image_path", "image_file"),
    "group": ("group", "category", "groups", "categories", "subject", "topic", "类别"),
    "cluster": ("cluster", "track", "song", "track_id", "stimulus", "piece"),
    "id": ("id", "qid", "question_id", "item_id", "编号"),
    "example": ("example", "is_example", "shot", "few_shot"),
    "scorer": ("scorer", "scoring", "metric"),
    "rubric": ("rubric", "criteria"),
    "kinds": ("distractor_kinds",),
}
"""What a column may be called, by what it means: the first name is the one that wins."""
SEVERAL = frozenset({"question", "options", "audio", "image", "group"})
"""What may stand in several columns."""

_NUMBERED = re.compile(r"(.*?[^\d_])_?\d+")


class Columns(msgspec.Struct, frozen=True):
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

    def in_words(self) -> str:
        """How the file is read, for a remark: the columns that are not called as we call them."""
        return ", ".join(
            f"{meaning} from {' and '.join(map(repr, names))}"
            for meaning, names in self.by_meaning.items()
            if names != (meaning,)
        )


def plain_name(name: str) -> str:
    """A column's name as it is compared: lower case, words parted by one underscore."""
    folded = unicodedata.normalize("NFKC", name).casefold().strip(" :：*")
    return re.sub(r"[\s_.\-]+", "_", folded).strip("_")


def match_columns(names: Sequence[str], chosen: Sequence[str], where: str) -> Columns:
    """What each column means.

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
            raise InputError(
                f"{where}: both a column of options and columns {single[0]!r}, {single[1]!r}, ...: "
                "say which by --columns options=NAME"
            )
        if single:
            by_meaning["options"], lettered = single, True
            free = {name: plain for name, plain in free.items() if name not in single}
    for meaning in NAMES:
        if meaning not in by_meaning and (columns := _usual(meaning, free, where)):
            by_meaning[meaning] = columns
    by_meaning = {meaning: columns for meaning, columns in by_meaning.items() if columns}
    if "question" not in by_meaning:
        raise InputError(
            f"{where}: no column of questions among {', '.join(map(repr, names)) or 'none'}: call "
            "it question, or say --columns question=NAME"
        )
    used = {name for columns in by_meaning.values() for name in columns}
    ordered = {meaning: by_meaning[meaning] for meaning in NAMES if meaning in by_meaning}
    return Columns(ordered, lettered, tuple(name for name in names if name not in used))


def _chosen(names: Sequence[str], chosen: Iterable[str], where: str) -> dict[str, tuple[str, ...]]:
    """What the user says; a meaning that is given no column has an empty tuple."""
    by_meaning: dict[str, tuple[str, ...]] = {}
    for pair in chosen:
        meaning, equals, name = (part.strip() for part in pair.partition("="))
        if not equals:
            raise InputError(f"--columns {pair}: write MEANING=COLUMN, such as question=stem")
        if meaning not in NAMES:
            raise InputError(f"--columns {pair}: {did_you_mean(meaning, NAMES)}")
        if name and name not in names:
            raise InputError(f"--columns {pair}: {where}: {did_you_mean(name, names)}")
        if meaning in by_meaning and meaning not in SEVERAL:
            raise InputError(f"--columns {pair}: there is one column of {meaning}; name one")
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
