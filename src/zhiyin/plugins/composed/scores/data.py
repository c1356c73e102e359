"""The published pictures and questions, read and checked; and the figures published with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import Flaw, Published
from zhiyin.contract.published_table import values
from zhiyin.contract.tables import decode
from zhiyin.errors import InputError, reworded
from zhiyin.files import inside, read_regular
from zhiyin.parsing import read_beside
from zhiyin.picture import image_part, is_blank
from zhiyin.plugins.music.clips import FaultSink, is_left_out, read_json_lines
from zhiyin.words import Said, Text, said

HOME = "https://github.com/jlebar/music-bench (its folder data/expanded)"
MANIFEST = "manifest.jsonl"
_NOTE = re.compile(r"[A-G](?:#|b)?[0-8]")
_LOWEST = {"treble": 30, "bass": 18}
"""The place of the lowest line (E4, G2), as steps above C0."""


class Example(msgspec.Struct, frozen=True):
    """One question: a picture, a bar of it, and the notes in that bar.

    `measures` holds the notes of every bar, where the data tell. `picture` and `engraved`, the
    LilyPond source of the picture, are paths from the split's folder; "" for no source.
    """

    id: str
    split: str
    picture: str
    question: str
    bar: int
    notes: tuple[str, ...]
    measures: tuple[tuple[str, ...], ...]
    family: str
    role: str
    clef: str
    accidentals: int
    engraved: str = ""

    @property
    def ledger(self) -> bool:
        """True if a note of the bar needs a ledger line. (The published tag is often wrong.)"""
        low = _LOWEST.get(self.clef)
        places = ["CDEFGAB".index(n[0]) + 7 * int(n[-1]) for n in self.notes]
        return low is not None and any(not low - 2 < at < low + 10 for at in places)


def find_splits(data: str | None, wanted: tuple[str, ...] = ()) -> dict[str, Path]:
    """The manifests in a folder, by split. Raises `InputError` where there are none."""
    if not data:
        raise InputError(said("scores-data", home=HOME))
    root = Path(data)
    if not root.is_dir():
        raise InputError(said("scores-no-folder", root=root))
    if (root / MANIFEST).is_file():
        raise InputError(said("scores-one-split", root=root, parent=root.parent, split=root.name))
    splits = {path.parent.name: path for path in sorted(root.glob(f"*/{MANIFEST}"))}
    if not splits:
        raise InputError(said("scores-no-manifest", root=root, manifest=MANIFEST, home=HOME))
    for name in wanted:
        if name not in splits:
            raise InputError(said("scores-split", name=name, root=root, splits=splits))
    return {name: path for name, path in splits.items() if not wanted or name in wanted}


def read_manifest(path: Path, on_fault: FaultSink) -> list[Example]:
    """The examples of a split; what cannot be asked goes to `on_fault` and is left out."""
    examples: list[Example] = []
    seen: set[str] = set()
    for number, entry in read_json_lines(path):
        fault = _fault_in(entry)
        if not fault and entry["id"] in seen:
            fault = "repeated-id", said("flaw-twice", id=entry["id"])
        if is_left_out(path, f"line {number}", "line", fault, on_fault):
            continue
        seen.add(entry["id"])
        examples.append(_example(entry, path.parent.name))
    return examples


_FIELDS = ("id", "image_path", "question", "answer_notes")


def _fault_in(entry: Any) -> tuple[str, Said] | None:
    if not isinstance(entry, dict):
        return "bad-entry", said("flaw-no-object", fields=_FIELDS)
    for name in ("id", "image_path", "question"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            return "blank-field", said("flaw-none", field=name)
    notes = entry.get("answer_notes")
    if not isinstance(notes, list) or not notes:
        return "bad-answer", said("flaw-is-no", field="answer_notes", value=None, what="notes")
    bad = next((n for n in notes if not isinstance(n, str) or not _NOTE.fullmatch(n)), None)
    if bad is not None:
        return "bad-answer", said("flaw-is-no", field="answer_notes", value=repr(bad), what="note")
    bar = entry.get("target_measure")
    if not isinstance(bar, int) or isinstance(bar, bool) or bar < 1:
        problem = said("flaw-is-no", field="target_measure", value=repr(bar), what="bar")
        return "bad-measure", problem
    measures = _measures(entry)
    if measures and (bar > len(measures) or list(measures[bar - 1]) != notes):
        return "bad-measure", said("scores-other-notes", bar=bar)
    return None


def _measures(entry: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    sequences = _metadata(entry).get("measure_note_sequences")
    if not isinstance(sequences, list) or not all(isinstance(bar, list) for bar in sequences):
        return ()
    return tuple(tuple(map(str, bar)) for bar in sequences)


def _metadata(entry: dict[str, Any]) -> dict[str, Any]:
    metadata = entry.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _example(entry: dict[str, Any], split: str) -> Example:
    metadata = _metadata(entry)
    count = metadata.get("accidental_count")
    return Example(
        id=entry["id"], split=split, picture=entry["image_path"], question=entry["question"],
        bar=entry["target_measure"], notes=tuple(entry["answer_notes"]), measures=_measures(entry),
        family=str(metadata.get("family_id") or entry["id"]),
        role=str(metadata.get("family_role") or ""), clef=str(metadata.get("clef") or ""),
        accidentals=count if isinstance(count, int) else 0,
        engraved=str(entry.get("lilypond_path") or ""),
    )  # fmt: skip


def picture_of(manifest: Path, example: Example) -> Path:
    """Locate an example's picture, which must be in its split's folder."""
    return _lying(manifest, example, example.picture)


def _lying(manifest: Path, example: Example, path: str) -> Path:
    with reworded(f"{manifest}: {example.id}: ", of=InputError):
        return inside(manifest.parent, path)


_MUSIC = re.compile(r"\\absolute\s*\{([^{}]*)\}")
_ENGRAVED = re.compile(r"([a-g])(is|es)?('*|,*)\d+\.*")
_CLEF = re.compile(r"\\clef\s+\"?(\w+)")
_NEXT_TO_C = 3
"""The octave in which LilyPond has a note without a mark."""


def engraved_bars(source: str) -> tuple[tuple[str, ...], ...] | None:
    """The notes of each bar of a LilyPond source of music-bench; None where it is of another form.

    Notes are absolute, without chords or rests, and bars are parted by ``|``.
    """
    music = _MUSIC.search(source)
    if music is None:
        return None
    bars = []
    for bar in music[1].partition("\\bar")[0].split("|"):
        notes = [_ENGRAVED.fullmatch(token) for token in bar.split()]
        bars.append(tuple(_note_of(note) for note in notes if note))
        if None in notes:
            return None
    return tuple(bars)


def _note_of(note: re.Match[str]) -> str:
    letter, sign, marks = note.groups()
    octave = _NEXT_TO_C + marks.count("'") - marks.count(",")
    return f"{letter.upper()}{ {'is': '#', 'es': 'b'}.get(sign, '') }{octave}"


def _engraving_fault(path: Path, example: Example) -> Said | None:
    """Describe how the source of a picture differs from its example; None where it does not."""
    source = _lying(path, example, example.engraved) if example.engraved else None
    if source is None or not source.is_file():
        return None
    text = decode(source, read_regular(source))
    clef = _CLEF.search(text)
    if clef and example.clef and clef[1] != example.clef:
        return said("scores-other-clef", drawn=clef[1], clef=example.clef)
    bars = engraved_bars(text)
    if bars is None:
        return said("scores-no-source", source=example.engraved)
    number = example.bar
    if not example.measures:
        pairs = [(bars[number - 1] if number <= len(bars) else (), example.notes)]
    else:
        number, pairs = 1, [*zip_longest(bars, example.measures, fillvalue=())]
    place = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
    if place is None:
        return None
    drawn, told = (" ".join(notes) or None for notes in pairs[place])
    return said("scores-other-source", bar=number + place, drawn=drawn, notes=told)


def data_flaws(path: Path, examples: list[Example], partial: bool) -> Iterator[Flaw]:
    """Yield the flaws of pictures, and of examples that can be asked all the same."""
    for example in examples:
        make_flaw = _flaw_maker(path, example)
        try:
            picture = picture_of(path, example)
            if not picture.is_file():
                if not partial:
                    yield make_flaw("missing", said("scores-no-picture", picture=example.picture))
                continue
            image_part(picture)
        except InputError as error:
            yield make_flaw("unreadable", str(error))
            continue
        if is_blank(picture):
            yield make_flaw("blank", said("scores-blank", picture=example.picture))
        if fault := _engraving_fault(path, example):
            yield make_flaw("source-differs", fault)
        if odd := [n for n in example.notes if n[:2] in ("E#", "B#", "Cb", "Fb")]:
            yield make_flaw("odd-spelling", said("scores-odd", note=odd[0]))
    sizes: dict[str, list[Example]] = {}
    for example in examples:
        sizes.setdefault(example.family, []).append(example)
    for family, members in sizes.items():
        if len(members) == 1 and members[0].role:
            yield Flaw("lone", path.name, members[0].id, said("scores-lone", family=family))


def _flaw_maker(path: Path, example: Example) -> Callable[[str, Text], Flaw]:
    def make_flaw(kind: str, detail: Text) -> Flaw:
        return Flaw(kind, f"{path.parent.name}/{path.name}", example.id, detail)

    return make_flaw


# What is published: the figures of its replies, and what the data hold.


class _Facts(msgspec.Struct):
    """`items` by split and id: a hash of the answer, the picture's."""

    source: str
    items: dict[str, dict[str, tuple[str, str]]]


def figures(model: str) -> dict[str, dict[str, float]]:
    """The published scores of a model by split, in [0, 1] or edits; empty for an unknown one."""
    found: dict[str, dict[str, float]] = {}
    for metric, whole in (("accuracy", 100), ("note_f1", 1), ("edit_distance", 1)):
        for split, one in values("music-bench", metric).get(model.rpartition("/")[2], {}).items():
            found.setdefault(split, {})[metric] = one.value / whole
    return found


@cache
def holdings() -> Published:
    """The published examples: known by id and answer, and by their pictures."""
    facts = read_beside(__file__, "published_items.json", _Facts)
    return Published(
        source=facts.source,
        unit="examples",
        counts={split: len(items) for split, items in facts.items.items()},
        recordings={
            f"{name} {answer}": [picture]
            for items in facts.items.values()
            for name, (answer, picture) in items.items()
        },
        narrowed=dict.fromkeys(("split", "task"), ""),
    )
