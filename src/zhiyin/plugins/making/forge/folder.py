"""The benchmark folder: questions, recordings, splits, a private half, and its documents.

::

    NAME/
      benchmark.json    what it is, with the SHA-256 of every file
      NAME.jsonl        the public half; rows with "example": true are its worked examples
      audio/            recordings, named by their contents
      tracks.jsonl      where each recording is from, and its licence
      datasheet.md, LICENCES.md
      croissant.json    what the files hold, for catalogues
      private/          the other half, a folder of the same kind: keep it to yourself

``zhiyin run NAME`` and ``zhiyin data check NAME`` take the folder as it is.

The headings of the datasheet are those of Gebru et al. 2021, "Datasheets for Datasets", as far as
something is known. What was not stated is named as missing, so that its maker can add it. Its words
are in ``templates/``.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin import __version__
from zhiyin.contract import conditions
from zhiyin.contract.arguments import BENCHMARK
from zhiyin.errors import InputError, reworded
from zhiyin.files import read_regular, write_atomically
from zhiyin.flags import WHOLE, Flag
from zhiyin.parsing import read_json_text
from zhiyin.plugins.judges.report import fill_text
from zhiyin.plugins.making.croissant import write_croissant
from zhiyin.plugins.making.forge import (
    KINDS,
    Fallen,
    ForgeItem,
    ForgeTrack,
    Funnel,
    chance_of,
    lines_of,
    sha256_of,
)
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.plugins.making.forge.checks import thin
from zhiyin.words import said

TEXTS = "texts"
"""The fact "made from" of a benchmark without recordings."""


class FolderSheet(msgspec.Struct, frozen=True):
    """Facts about a benchmark when its folder is written."""

    name: str
    licence: str
    funnels: list[Funnel]
    made: dict[str, Any]

    @property
    def texts(self) -> bool:
        """Tell whether the questions are from texts."""
        return self.made.get("made from") == TEXTS


def licences(sheet: FolderSheet, tracks: Sequence[ForgeTrack]) -> str:
    """``LICENCES.md``: of questions, recordings and captions."""
    return _fill(
        "licences.md",
        sheet,
        licences=Counter(track.licence or "not stated" for track in tracks).most_common(),
        sources=Counter(track.dataset or "not named" for track in tracks).most_common(),
        unstated=any(track.licence in ("", "not stated") for track in tracks),
    )


def datasheet(
    sheet: FolderSheet,
    half: str,
    items: Sequence[ForgeItem],
    examples: Sequence[ForgeItem],
    tracks: Sequence[ForgeTrack],
    other: Mapping[str, Any],
) -> str:
    """``datasheet.md``."""
    annotated = [item.annotations for item in items if item.annotations]
    ends = dict.fromkeys((min(annotated), max(annotated))) if annotated else ()
    return _fill(
        "datasheet.md", sheet, half=half, halved=bool(other) or half == "private", items=items,
        examples=examples, tracks=tracks, other=other,
        options=Counter(len(item.options) for item in items),
        categories=Counter(name for item in items for name in item.categories).most_common(),
        annotated=annotated, span=" to ".join(map(str, ends)), shelf=_shelf(tracks),
    )  # fmt: skip


def _fill(template: str, sheet: FolderSheet, **facts: Any) -> str:
    unit = "text" if sheet.texts else "track"
    return fill_text(
        "zhiyin.plugins.making.forge", template, {"cell": _cell}, sheet=sheet, texts=sheet.texts,
        unit=unit, **facts,
    )  # fmt: skip


def _shelf(tracks: Sequence[ForgeTrack]) -> str:
    """Say how many recordings there are, or that there are none."""
    heard = sum(bool(track.recording) for track in tracks)
    if heard == len(tracks):
        return f"{heard} recordings"
    return f"{len(tracks)} tracks, {heard or 'none'} of which with a recording in this folder"


def _cell(text: object) -> str:
    return " ".join(str(text).replace("|", "/").split())


CODES = dict(zip(KINDS, conditions.KINDS, strict=True))
"""How a file of questions names the kinds of wrong answers."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,38}")


class Building(msgspec.Struct, frozen=True):
    """Settings for building the benchmark's folder.

    Attributes
    ----------
    name : str
        Small letters, digits, "-" and "_".
    private : float
        Share of the tracks whose questions go into the private half; 0 for none.
    dev : int
        Tracks whose questions become worked examples of the public half.
    licence : str
        Of the questions.
    seed : int
        Of the split and of the options' order.
    """

    name: Annotated[str, Flag("of the benchmark")] = "forged"
    private: Annotated[float, Flag("share of the tracks", "X")] = 0.5
    dev: Annotated[int, Flag("tracks for worked examples"), WHOLE] = 1
    licence: Annotated[str, Flag("of the questions", "TEXT")] = ""
    seed: Annotated[int, Flag("of all that is drawn")] = 0

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(said("forge-name", name=repr(self.name)))
        if not 0 <= self.private < 1:
            raise InputError(said("forge-private", private=f"{self.private:g}"))


class Split(msgspec.Struct, frozen=True):
    """The tracks of each part, by id."""

    dev: frozenset[str]
    public: frozenset[str]
    private: frozenset[str]


def split(tracks: Sequence[str], how: Building) -> Split:
    """The parts that tracks go into, drawn by seed and id: no track is in two.

    Of n tracks, `dev` are worked examples (fewer where two would not be left), and the private
    half gets ``round(private * rest)`` of the rest, of which one stays public.
    """
    order = sorted(set(tracks), key=lambda t: chance_of(how.seed, "split", t))
    dev = max(0, min(how.dev, len(order) - 2))
    rest = order[dev:]
    hidden = min(round(how.private * len(rest)), len(rest) - 1)
    return Split(frozenset(order[:dev]), frozenset(rest[hidden:]), frozenset(rest[:hidden]))


def build(
    place: Path,
    items: Sequence[ForgeItem],
    tracks: Mapping[str, ForgeTrack],
    how: Building,
    funnels: Sequence[Funnel],
    made: Mapping[str, Any],
) -> tuple[list[ForgeItem], list[Fallen], list[str]]:
    """Write the folder. What lies there of an earlier one is replaced.

    Parameters
    ----------
    place : Path
    items, tracks
        What it is made of.
    how : Building
    funnels : sequence of Funnel
        For the datasheet.
    made : mapping
        Settings and models, for ``benchmark.json``.

    Returns
    -------
    kept : list of ForgeItem
    fallen : list of Fallen
        Questions that told a blind rule too much within their half.
    notes : list of str

    Raises
    ------
    InputError
        There is nothing to write, something else lies there, or it cannot be written.
    """
    if not items:
        raise InputError(said("forge-nothing"))
    _refuse_others(place)
    parts = split([item.track for item in items], how)
    kept: list[ForgeItem] = []
    fallen: list[Fallen] = []
    notes: list[str] = []
    halves: dict[str, list[ForgeItem]] = {}
    for half, names in (("public", parts.public), ("private", parts.private)):
        if half == "private" and not names:
            halves[half] = []
            continue
        stay, gone, remarks = thin([item for item in items if item.track in names])
        halves[half] = stay
        kept, fallen = [*kept, *stay], [*fallen, *gone]
        notes += [f"{half}: {line}" for line in remarks]
    examples = [item for item in items if item.track in parts.dev]
    shares = f"{len(parts.dev)} for worked examples, {len(parts.public)} public"
    hidden = f", {len(parts.private)} private" if parts.private else ""
    sheet = FolderSheet(how.name, how.licence, list(funnels), dict(made))
    notes.append(f"{'texts' if sheet.texts else 'tracks'}: {shares}{hidden}")
    with reworded(said("error-unwritten", path=place, why="")):
        unfinished = place.with_name(f".new-{place.name}")
        shutil.rmtree(unfinished, ignore_errors=True)
        other: dict[str, Any] = {}
        if halves["private"]:
            other = _write(unfinished / "private", halves["private"], [], tracks, how, sheet, {})
        _write(unfinished, halves["public"], examples, tracks, how, sheet, other)
        shutil.rmtree(place, ignore_errors=True)
        unfinished.replace(place)
    return [*kept, *examples], fallen, notes


def _refuse_others(place: Path) -> None:
    """Raise `InputError` where a folder holds what was not written by us: it would be lost."""
    known: set[str] = set()
    for folder, prefix in ((place, ""), (place / "private", "private/")):
        try:
            manifest = read_json_text(read_regular(folder / BENCHMARK))
            known |= {f"{prefix}{name}" for name in (*manifest["files"], BENCHMARK)}
        except (OSError, ValueError, KeyError, TypeError):
            continue
    paths = (p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file())
    if other := next((name for name in sorted(paths) if name not in known), None):
        raise InputError(said("forge-foreign", place=place, other=other))


def _write(
    place: Path,
    items: Sequence[ForgeItem],
    examples: Sequence[ForgeItem],
    tracks: Mapping[str, ForgeTrack],
    how: Building,
    sheet: FolderSheet,
    other: dict[str, Any],
) -> dict[str, Any]:
    """Write one half; what the other one is to know of it."""
    half = "public" if place.name != "private" else "private"
    name = how.name if half == "public" else f"{how.name}-private"
    used = dict.fromkeys(item.track for item in (*items, *examples))
    heard = any(tracks[track].recording for track in used)
    (place / "audio" if heard else place).mkdir(parents=True, exist_ok=True)
    audio = {t: _copy(tracks[t].recording, place) for t in used if tracks[t].recording}
    rows = [_row(item, key, audio, example=False) for item, key in keys_of(items, how.seed)]
    rows += [_row(item, key, audio, example=True) for item, key in keys_of(examples, how.seed)]
    questions = f"{name}.jsonl"
    encoded = [msgspec.json.encode(row, order="deterministic") for row in rows]
    write_atomically(place / questions, b"\n".join(encoded) + b"\n")
    shelf = [tracks[track] for track in used]
    shown = [msgspec.structs.replace(t, captions=(), recording=audio.get(t.id, "")) for t in shelf]
    # Captions hold the answers: they stay where they came from.
    write_atomically(place / "tracks.jsonl", lines_of(shown))
    write_atomically(place / "LICENCES.md", licences(sheet, shelf).encode())
    write_atomically(
        place / "datasheet.md", datasheet(sheet, half, items, examples, shelf, other).encode()
    )
    about = f"{len(items)} questions, written by `zhiyin forge`; their datasheet is datasheet.md."
    write_croissant(place, name, about, how.licence)
    files = {
        path.relative_to(place).as_posix(): sha256_of(path)
        for path in sorted(place.rglob("*"))
        if path.is_file() and not path.relative_to(place).as_posix().startswith("private/")
    }
    total = hashlib.sha256(msgspec.json.encode(files, order="sorted")).hexdigest()
    facts = {
        "format": 1,
        "name": name,
        "half": half,
        "questions": questions,
        "items": len(items),
        "examples": len(examples),
        "tracks": len(used),
        "chance": 1 / len(items[0].options) if items else None,
        "licence": how.licence,
        "made": sheet.made,
        "zhiyin": __version__,
        "other_half": other,
        "files": files,
        "fingerprint": total,
    }
    write_atomically(
        place / BENCHMARK, msgspec.json.format(msgspec.json.encode(facts), indent=1) + b"\n"
    )
    return {"items": len(items), "tracks": len(used), "fingerprint": total}


def _copy(recording: str, place: Path) -> str:
    """Copy a recording under a name that says nothing of it; its path in the folder."""
    source = Path(recording)
    name = f"audio/{sha256_of(source)[:16]}{source.suffix.lower()}"
    shutil.copyfile(source, place / name)
    return name


def keys_of(items: Sequence[ForgeItem], seed: int) -> list[tuple[ForgeItem, int]]:
    """Each item with the place of its right answer: every place as often as every other.

    In an order that is drawn, places are dealt out by turns, among items with as many options; so
    nothing is to be learnt from them.
    """
    order = sorted(items, key=lambda item: chance_of(seed, "key", item.id))
    turns: Counter[int] = Counter()
    dealt = {}
    for item in order:
        many = len(item.options)
        dealt[item.id] = turns[many] % many
        turns[many] += 1
    return [(item, dealt[item.id]) for item in items]


def _row(item: ForgeItem, key: int, audio: Mapping[str, str], *, example: bool) -> dict[str, Any]:
    """A question as a line of the file, as ``zhiyin run`` reads it."""
    wrong = sorted(item.distractors, key=lambda d: chance_of("wrong", item.id, d.text))
    texts = [one.text for one in wrong]
    texts.insert(key, item.answer)
    row: dict[str, Any] = {
        "id": item.id,
        "question": item.question,
        "options": texts,
        "answer": LETTERS[key],
        "category": list(item.categories),
        "cluster": item.track,
        "example": example,
    }
    kinds = {d.text: d.kind for d in item.distractors}
    if set(kinds.values()) <= set(CODES):  # with these `--distractors` offers some of them
        row["distractor_kinds"] = [
            CODES[kinds[t]] if t in kinds else conditions.RIGHT for t in texts
        ]
    if item.track in audio:
        row["audio"] = audio[item.track]
    if item.index:
        row["perceptual_index"] = round(min(item.index.values()), 6)
    if item.annotations:
        row["annotations"] = item.annotations
    return row


def counted(items: Sequence[ForgeItem]) -> dict[str, int]:
    """Count the questions that test each category, the most frequent first."""
    return dict(Counter(name for item in items for name in item.categories).most_common())
