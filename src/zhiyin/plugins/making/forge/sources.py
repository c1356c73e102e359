"""Captions and texts as people have them, as tracks.

Captions: a CSV file, JSON lines, or the folder of a published data set. Texts on music: books in
plain text, tables of passages or exam questions; each becomes a `Track` whose captions are the
words, so that it goes through the stages as the captions of a recording do. The sources are those
of Li et al. 2024 (arXiv:2406.15885, section 3.1): passages of books and encyclopedias, and
questions of past examinations.

Tables that users bring (captions, annotations, questions): rows, with the line of each.

Any set of multiple-choice questions becomes items, the published layout of Zang et al. among them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.question_table import QuestionTable, TableRow, text_of, texts_in
from zhiyin.contract.tables import decode, option_columns, read_table, refuse
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import inside, read_regular
from zhiyin.parsing import read_beside
from zhiyin.plugins.making.forge import Distractor, ForgeItem, ForgeTrack
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.text import one_width
from zhiyin.words import said

_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", re.UNICODE)

_COLUMNS = read_beside(__file__, "columns.toml", dict[str, dict[str, tuple[str, ...]]])
NAMES, TEXT_NAMES, COLUMN_NAMES = (_COLUMNS[kind] for kind in ("captions", "texts", "set"))
"""What a column may be called, in tables of captions, of texts and of questions."""
FOLDERS = ("song_describer.csv", "musiccaps-public.csv")
"""Files by which the folder of a published data set is known."""
_BALANCED = ("is_balanced_subset", "is_audioset_eval")
_SOUNDS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".aif", ".aiff")
_YES = frozenset({"1", "true", "yes"})


def words_in(text: str) -> float:
    """Count the words of a text; a Chinese or Japanese character counts for half a word."""
    han = len(_HAN.findall(text))
    return len(_WORD.findall(_HAN.sub(" ", text))) + han / 2


class Captions(msgspec.Struct, frozen=True):
    """The tracks of a source, and the SHA-256 of its table."""

    tracks: list[ForgeTrack]
    sha256: str
    remarks: list[str]


def read_captions(path: Path, columns: Sequence[str] = (), audio: Path | None = None) -> Captions:
    """The tracks of a table, or of the folder of a published data set.

    Parameters
    ----------
    path : Path
        A file, or a folder that holds one of `FOLDERS` or a single table.
    columns : sequence of str
        Which column is what, such as ``caption=text``.
    audio : Path, optional
        Where the recordings lie; by default beside the table, or in ``audio`` there.

    Raises
    ------
    InputError
        There is no table, it cannot be read, or columns that are needed are not there.
    """
    path = _table_in(path) if path.is_dir() else path
    table = read_whole(path)
    column_of = columns_of(table, NAMES, columns, ("track", "caption"))
    for meaning in ("track", "caption"):
        if not any(texts_in(row.cells.get(column_of[meaning])) for row in table.rows):
            column = repr(column_of[meaning])
            raise InputError(said("forge-column-empty", path=path, columnof=column))
    shelf = _Recordings(audio or path.parent)
    rows: dict[str, list[TableRow]] = {}
    nameless = 0
    for row in table.rows:
        name = text_of(row.cells.get(column_of["track"]))
        start = text_of(row.cells.get(column_of["start"])) if "start" in column_of else ""
        name = f"{name}_{start}" if name and start else name
        nameless += not name
        if name:
            rows.setdefault(name, []).append(row)
    tracks = [_track(name, lines, column_of, table, shelf) for name, lines in rows.items()]
    remarks = [f"rows without a track, left out: {nameless}"] if nameless else []
    return Captions(tracks, table.sha256, remarks)


def _table_in(folder: Path) -> Path:
    for name in FOLDERS:
        if (folder / name).is_file():
            return folder / name
    tables = sorted(
        p for p in folder.iterdir() if p.suffix.lower() in (".csv", ".tsv", ".jsonl", ".ndjson")
    )
    if len(tables) != 1:
        candidates = ", ".join(p.name for p in tables[:5]) or "no table"
        raise InputError(said("forge-which", folder=folder, candidates=candidates))
    return tables[0]


def _track(
    name: str,
    rows: list[TableRow],
    columns: dict[str, str],
    table: QuestionTable,
    shelf: _Recordings,
) -> ForgeTrack:
    def cells(meaning: str) -> Iterator[object]:
        return (row.cells.get(columns[meaning]) for row in rows if meaning in columns)

    def first(meaning: str) -> str:
        return next((text for cell in cells(meaning) if (text := text_of(cell))), "")

    captions = []
    for cell in cells("caption"):
        listed = isinstance(cell, list)
        captions += list(texts_in(cell)) if listed else [text_of(cell)]
    outside = ""
    if table.path.name in FOLDERS:
        flags = [text_of(rows[0].cells.get(flag)).lower() for flag in _BALANCED]
        if set(_BALANCED) <= set(table.columns) and not set(flags) <= _YES:
            outside = "not in the balanced part of the test split"
    return ForgeTrack(
        id=name, captions=tuple(dict.fromkeys(text for text in captions if text)),
        recording=shelf.find(first("recording"), name), title=first("title"),
        artist=first("artist"), style=first("style").split("---")[0].strip("[]'\" "),
        labels=tuple(dict.fromkeys(word for cell in cells("labels") for word in texts_in(cell))),
        quality=first("quality"), licence=first("licence"), dataset=table.path.stem,
        outside=outside,
    )  # fmt: skip


class _Recordings:
    """Finder of recordings: under the path that is written, or under the track's name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._by_stem: dict[str, Path] = {}
        for folder in (root, root / "audio"):
            if folder.is_dir():
                for path in sorted(
                    folder.rglob("*") if folder.name == "audio" else folder.iterdir()
                ):
                    if path.suffix.lower() in _SOUNDS:
                        self._by_stem.setdefault(path.stem, path)

    def find(self, written: str, track: str) -> str:
        if written and (path := inside(self.root, written)).is_file():
            return str(path)
        if written and not Path(written).is_absolute():
            path = self.root / "audio" / written
            if path.is_file():
                return str(path)
        stems = (Path(written).stem, track) if written else (track,)
        for stem in stems:
            for name in (stem, f"{stem}.2min", re.sub(r"[^\w.-]", "_", stem)):
                if name in self._by_stem:
                    return str(self._by_stem[name])
        return ""


PROSE = (".txt", ".md")
PASSAGE_WORDS, PASSAGE_CHARACTERS = 120, 3000
"""Paragraphs are joined until they have so many words, or would have more characters."""
_HEADING_WORDS = 12


def read_texts(path: Path, columns: Sequence[str] = ()) -> Captions:
    """The passages of a file of prose, of all in a folder, or of a table.

    Parameters
    ----------
    path : Path
        A text file, whose paragraphs blank lines part; a folder of them; or a table, a row of
        which is a passage or a question with its answer.
    columns : sequence of str
        Which column is what, such as ``passage=body``.

    Raises
    ------
    InputError
        There is no text, it cannot be read, or columns that are needed are not there.
    """
    files = [path]
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.suffix.lower() in PROSE and p.is_file())
    if not files:
        raise InputError(said("forge-no-text", path=path))
    if path.is_dir() or path.suffix.lower() in PROSE:
        digest = hashlib.sha256()
        tracks = []
        for file in files:
            with reworded(said("error-cannot-read", path=file, why="")):
                raw = read_regular(file)
            digest.update(raw)
            name = file.relative_to(path if path.is_dir() else file.parent).with_suffix("")
            passages = enumerate(passages_of(decode(file, raw)), 1)
            tracks += [
                ForgeTrack(f"{name.as_posix()}-{n:04}", (text,), title=file.stem, dataset=file.stem)
                for n, text in passages
            ]
        if not tracks:
            raise InputError(said("forge-no-passage", path=path))
        return _each_once(tracks, digest.hexdigest())
    table = read_whole(path)
    column_of = columns_of(table, TEXT_NAMES, columns, ())
    if "passage" not in column_of and not {"question", "answer"} <= set(column_of):
        raise InputError(said("forge-no-column", path=path, columns=", ".join(table.columns)[:200]))
    rows = [_of_row(row, column_of, path.stem) for row in table.rows]
    twice, count = Counter(track.id for track in rows).most_common(1)[0]
    if count > 1:
        raise InputError(said("forge-id-twice", path=path, twice=repr(twice), count=count))
    return _each_once(rows, table.sha256)


def passages_of(text: str) -> Iterator[str]:
    """Passages: whole paragraphs, some joined, each with the headings above it.

    Blank lines part paragraphs; in a text without any, every line is one.
    """
    waiting: list[str] = []
    parts = re.split(r"\n[ \t]*\n", text.strip())
    for part in parts if len(parts) > 1 else text.splitlines():
        paragraph = " ".join(part.split())
        if not paragraph:
            continue
        size = sum(map(len, waiting)) + len(paragraph)
        if waiting and size > PASSAGE_CHARACTERS and not all(map(_is_heading, waiting)):
            yield "\n".join(waiting)
            waiting = []
        elif _is_heading(paragraph) and waiting and not all(map(_is_heading, waiting)):
            yield "\n".join(waiting)  # a section ends before the next one's heading
            waiting = []
        waiting.append(paragraph)
        if sum(map(words_in, waiting)) >= PASSAGE_WORDS:
            yield "\n".join(waiting)
            waiting = []
    if waiting and not all(map(_is_heading, waiting)):
        yield "\n".join(waiting)


def _is_heading(paragraph: str) -> bool:
    short = words_in(paragraph) <= _HEADING_WORDS
    return paragraph.startswith("#") or (short and paragraph[-1:].isalnum())


def _of_row(row: TableRow, columns: dict[str, str], dataset: str) -> ForgeTrack:
    def cell(meaning: str) -> object:
        return row.cells.get(columns.get(meaning, ""))

    texts = [text_of(cell("passage"))]
    question, answer = text_of(cell("question")), text_of(cell("answer"))
    if question and answer:
        options = cell("options")
        choices = tuple(map(text_of, options.values())) if isinstance(options, dict) else (
            texts_in(options))  # fmt: skip
        if len(answer) == 1 and answer not in choices and "A" <= answer < chr(65 + len(choices)):
            answer = choices[ord(answer) - 65]
        texts += [question, f"Answer: {answer}", *([" | ".join(choices)] if choices else [])]
    return ForgeTrack(
        id=text_of(cell("track")) or f"{dataset}-{row.line:04}",
        captions=tuple(text for text in texts if text),
        title=text_of(cell("title")),
        style=text_of(cell("style")),
        licence=text_of(cell("licence")),
        dataset=dataset,
    )


def _each_once(tracks: list[ForgeTrack], sha256: str) -> Captions:
    """The texts; one that stands earlier too, headings aside, is marked to fall."""
    first: dict[str, str] = {}
    marked = []
    for track in tracks:
        lines = [line for text in track.captions for line in text.split("\n")]
        if len(track.captions) == 1:  # of an old question its answer is no heading
            lines = [line for line in lines if not _is_heading(line)] or lines
        words = "".join(one_width(" ".join(lines)).casefold().split())
        twin = first.setdefault(words, track.id)
        outside = "" if twin == track.id or not words else f"the same text as {twin}"
        marked.append(msgspec.structs.replace(track, outside=outside))
    return Captions(marked, sha256, [])


def read_whole(path: Path) -> QuestionTable:
    """A table, as `contract.tables.read_table`, none of whose rows is broken."""
    table = read_table(path)
    for fault in table.broken:
        refuse(fault)
    return table


def columns_of(
    table: QuestionTable,
    names: Mapping[str, Sequence[str]],
    chosen: Iterable[str],
    needed: Iterable[str],
) -> dict[str, str]:
    """Find which column of a table holds what.

    Parameters
    ----------
    table : QuestionTable
    names : mapping
        What a column of each meaning may be called, in small letters; the first one wins.
    chosen : iterable of str
        The user's words, such as ``caption=text``.
    needed : iterable of str
        Meanings that must have a column.

    Raises
    ------
    InputError
        A word of the user's is unclear, or a column that is needed is not there.
    """
    column_of = _chosen(chosen, names, table)
    columns = {folded(name): name for name in table.columns}
    for meaning, usual in names.items():
        name = next((columns[word] for word in usual if word in columns), None)
        if name is not None and meaning not in column_of:
            column_of[meaning] = name
    for meaning in needed:
        if meaning not in column_of:
            known = ", ".join(table.columns)[:200]
            raise InputError(
                said("forge-no-meaning", path=table.path, meaning=meaning, known=known)
            )
    return column_of


def folded(name: str) -> str:
    """The name of a column in small letters, with ``_`` for blanks."""
    return name.strip().casefold().replace(" ", "_")


def _chosen(
    chosen: Iterable[str], names: Mapping[str, Sequence[str]], table: QuestionTable
) -> dict[str, str]:
    column_of: dict[str, str] = {}
    for pair in (part for word in chosen for part in word.split(",") if part.strip()):
        meaning, equals, name = (part.strip() for part in pair.partition("="))
        if not equals:
            raise InputError(said("forge-pair", pair=pair))
        if meaning not in names:
            raise InputError(said("forge-meaning", pair=pair, hint=did_you_mean(meaning, names)))
        if name not in table.columns:
            raise InputError(said(
                "forge-column", pair=pair, path=table.path, hint=did_you_mean(name, table.columns)
            ))  # fmt: skip
        column_of[meaning] = name
    return column_of


class SetEntry(msgspec.Struct, frozen=True):
    """A question of a set.

    Attributes
    ----------
    item : ForgeItem
    cells : dict
        Its row as it was.
    index : float or None
        The perceptual index that the set states.
    proposals : tuple of str
        Further wrong answers that the set brings along.
    """

    item: ForgeItem
    cells: dict[str, Any]
    index: float | None = None
    proposals: tuple[str, ...] = ()


class Set(msgspec.Struct, frozen=True):
    """A set of questions: its entries, and which column is what.

    `single` are the columns that hold one option each, where they do.
    """

    entries: list[SetEntry]
    columns: dict[str, str]
    single: tuple[str, ...]
    sha256: str


def read_set(path: Path, columns: Sequence[str] = ()) -> Set:
    """Read a set of questions.

    Raises
    ------
    InputError
        It cannot be read, or a row is no question with a right answer and a wrong one.
    """
    table = read_whole(path)
    column_of = columns_of(table, COLUMN_NAMES, columns, ("question", "answer"))
    single: tuple[str, ...] = ()
    if "options" not in column_of and "distractors" not in column_of:
        taken = set(column_of.values())
        free = {name: folded(name) for name in table.columns if name not in taken}
        single = option_columns(free)
        if not single:
            raise InputError(said("forge-no-options", path=path))
    found: list[SetEntry] = []
    seen: set[str] = set()
    for row in table.rows:
        entry = _entry(row, column_of, single, f"{path}:{row.line}")
        if entry.item.id in seen:
            raise InputError(
                said("forge-id-earlier", path=path, line=str(row.line), id=repr(entry.item.id))
            )
        seen.add(entry.item.id)
        found.append(entry)
    return Set(found, column_of, single, table.sha256)


def _entry(row: TableRow, columns: dict[str, str], single: tuple[str, ...], where: str) -> SetEntry:
    def cell(meaning: str) -> Any:
        return row.cells.get(columns.get(meaning, ""))

    question, answer = text_of(cell("question")), text_of(cell("answer"))
    wrong = list(texts_in(cell("distractors")))
    if "options" in columns or single:
        each = (text_of(row.cells.get(name)) for name in single)
        options = _options(cell("options")) if not single else tuple(text for text in each if text)
        letters = LETTERS[: len(options)]
        if answer not in options and len(answer) == 1 and answer in letters:
            answer = options[letters.index(answer)]
        if answer not in options:
            raise InputError(said("forge-no-option", where=where, answer=repr(answer)))
        wrong = [text for text in options if text != answer]
    if not question or not answer or not wrong:
        raise InputError(said("forge-lacking", where=where))
    if len(wrong) >= len(LETTERS):
        raise InputError(
            said("forge-many", where=where, wrong=len(wrong), letters=len(LETTERS) - 1)
        )
    name = text_of(cell("id")) or f"row-{row.line}"
    track = text_of(cell("cluster")) or name
    try:
        index = float(text_of(cell("index"))) if text_of(cell("index")) else None
    except ValueError:
        index = None
    item = ForgeItem(name, track, question, answer, tuple(Distractor(text) for text in wrong))
    return SetEntry(item, row.cells.named(), index, texts_in(cell("proposals")))


def _options(value: Any) -> tuple[str, ...]:
    return tuple(map(text_of, value.values())) if isinstance(value, dict) else texts_in(value)
