"""What a benchmark folder says of itself: a datasheet, and the licences of what is in it.

The headings are those of Gebru et al. 2021, "Datasheets for Datasets", as far as something is
known. What was not stated is named as missing, so that its maker can add it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.forge.stages import Funnel, Item, Track

_ASK = "Not stated: ask whoever made what this is from before you publish it."

_BOTH = (
    " Compare a model's results on both halves from time to time (`zhiyin forge contamination`): a "
    "model that has read the public half does better there."
)


TEXTS = "texts"
"""The fact "made from" of a benchmark without recordings."""


class Sheet(msgspec.Struct, frozen=True):
    """What is known of a benchmark when its folder is written."""

    name: str
    licence: str
    funnels: list[Funnel]
    made: dict[str, Any]

    @property
    def texts(self) -> bool:
        """Whether the questions are from texts."""
        return self.made.get("made from") == TEXTS


def licences(sheet: Sheet, tracks: Sequence[Track]) -> str:
    """``LICENCES.md``: of questions, recordings and captions."""
    counts = Counter(track.licence or "not stated" for track in tracks)
    sources = Counter(track.dataset or "not named" for track in tracks)
    lines = ["# Licences", "", f"Questions: {sheet.licence or 'not stated by their maker'}.", ""]
    of, unit, kept = (
        ("text", "texts", "texts") if sheet.texts else ("recording", "tracks", "captions")
    )
    lines += [f"| licence of the {of} | {unit} |", "|---|---|"]
    lines += [f"| {_cell(name)} | {count} |" for name, count in counts.most_common()]
    source = "file or table that the" if sheet.texts else "table that the"
    lines += ["", f"| {source} {kept} are from | {unit} |", "|---|---|"]
    lines += [f"| {_cell(name)} | {count} |" for name, count in sources.most_common()]
    lines += ["", f"The {kept} themselves are not in this folder: they hold the answers."]
    if counts["not stated"]:
        lines += ["", _ASK]
    return "\n".join(lines) + "\n"


def datasheet(
    sheet: Sheet,
    half: str,
    items: Sequence[Item],
    examples: Sequence[Item],
    tracks: Sequence[Track],
    other: Mapping[str, Any],
) -> str:
    """``datasheet.md``."""
    annotated = [item.annotations for item in items if item.annotations]
    options = Counter(len(item.options) for item in items)
    halved = bool(other) or half == "private"
    which = f" ({half} half)" if halved else ""
    texts, unit = sheet.texts, "text" if sheet.texts else "track"
    alike = "Among questions with as many options, the" if len(options) > 1 else "The"
    lines = [f"# Datasheet of {sheet.name}{which}", "", "## Composition", ""]
    lines += [
        f"* {len(items)} multiple-choice questions {'on music' if texts else 'about recordings'}, "
        f"{len(examples)} more as worked examples; "
        f"{f'from {len(tracks)} texts' if texts else _shelf(tracks)}.",
        *(f"* With {n} options: {count}; one of them is right." for n, count in options.items()),
        *([f"* The private half: {other['items']} questions on {other['tracks']} other "
           f"{unit}s; fingerprint {other['fingerprint']}."] if other else []),
        *([f"* No {unit} is in two parts."] if halved or examples else []),
        f"* {alike} right answer stands at each place as often as at any other, give or take one.",
        "",
    ]  # fmt: skip
    if categories := Counter(name for item in items for name in item.categories):
        lines += ["| dimension | questions |", "|---|---|"]
        lines += [f"| {_cell(name)} | {count} |" for name, count in categories.most_common()]
        lines += ["", "A question may test several dimensions.", ""]
    lines += ["## Collection", "", *_collection(sheet), "## Validation", ""]
    if annotated:
        lines += [
            f"People judged {len(annotated)} of {len(items)} questions, with {_span(annotated)} "
            "annotations each that count.",
            "",
        ]
    else:
        lines += [
            "**Nobody has validated these questions.** They passed automatic checks alone.",
            "",
        ]
    lines += ["## Funnel", "", "| stage | went in | fell | kept | why |", "|---|---|---|---|---|"]
    for one in sheet.funnels:
        why = ", ".join(f"{count} {reason}" for reason, count in one.fell.items()) or "none"
        row = (f"{one.stage} ({one.unit})", one.went_in, sum(one.fell.values()), one.kept, why)
        lines.append("| " + " | ".join(map(str, row)) + " |")
    lines += ["", "## Uses", ""]
    lines += [
        f"`zhiyin run` examines a model on this folder; `--shots` up to {len(examples)}."
        + (_BOTH if halved else ""),
        "",
        "## Distribution",
        "",
        f"Questions: {sheet.licence or 'licence not stated'}. "
        f"{'Texts' if texts else 'Recordings'}: see LICENCES.md."
        + (" Publish the public half alone." if halved else ""),
    ]
    return "\n".join(lines) + "\n"


def _shelf(tracks: Sequence[Track]) -> str:
    """How many recordings there are, or that there are none."""
    heard = sum(bool(track.recording) for track in tracks)
    if heard == len(tracks):
        return f"{heard} recordings"
    return f"{len(tracks)} tracks, {heard or 'none'} of which with a recording in this folder"


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


def _collection(sheet: Sheet) -> list[str]:
    lines = [f"* {name}: {_cell(str(value))}" for name, value in sheet.made.items()]
    what = "texts" if sheet.texts else "captions"
    return [f"Questions were made from {what} by the pipeline of `zhiyin forge`.", "", *lines, ""]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
