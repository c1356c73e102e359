"""Sections of `zhiyin show` for a run, its figures, and the test of attention.

Answers in the JSON of the published code: those given elsewhere read, and runs written.

Each item has ``id``, ``dataset``, ``prompt``, ``answers`` (in the order shown), ``answer_orders``
(for each of them its place in the data; 0 is right), ``genre``, ``reasoning``, ``knowledge`` and
``model_output``; ours have the ``question`` too. One file is one run of the paper's three;
several files become repeats.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import structs

from zhiyin.contract import conditions
from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, system_words
from zhiyin.files import NOT_JSON, write_atomically
from zhiyin.plugins.benchmarks.by_rules import sections_by_rules
from zhiyin.plugins.benchmarks.muchomusic.questions import KNOWLEDGE, REASONING, groups_of, slug
from zhiyin.plugins.benchmarks.muchomusic.wording import KEYS
from zhiyin.record import Record, Reply
from zhiyin.runs.estimates import estimate
from zhiyin.runs.figures import group_in_words
from zhiyin.runs.measures import ACCURACY, IFR
from zhiyin.runs.rows import Rows, records_of
from zhiyin.trial import Audio, Option, Trial, say
from zhiyin.words import said

RULES = {"robust": "robust", "muchomusic": "paper", "muchomusic-code": "code"}
"""Our rule of reading answers, the paper's, and what the published code does; how columns are
headed."""

_IN_ORDER = (
    ALL,
    *(f"audio={name}" for name in conditions.AUDIO),
    *("knowledge", *map(slug, KNOWLEDGE), "reasoning", *map(slug, REASONING), "genre", "source"),
)


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    settled = rows.settled
    if not settled:
        return []
    tables = [_groups_section(_groups(settled)), *sections_by_rules(rows, RULES)]
    return [*tables, *conditions.condition_sections(rows, manifest)]


def _groups(rows: Rows) -> dict[str, Rows]:
    """The groups that are shown, in their order; "all" is over the main way of asking."""
    names = filter(_is_shown, rows.by_group())
    return {name: rows.within(name) for name in sorted(names, key=_place)}


def _is_shown(group: str) -> bool:
    """Tell whether a group is shown: of several conditions, the categories only, to be short."""
    parts = group.split("/")
    own = [part for part in parts if "=" not in part]
    return len(own) == len(parts) or own in ([], ["knowledge"], ["reasoning"])


def _place(group: str) -> list[tuple[int, str]]:
    """Sort key of a group in a table: conditions and dimensions in the paper's order."""
    places = {name: number for number, name in enumerate(_IN_ORDER)}
    return [(places.get(part, len(places)), part) for part in group.split("/")]


def _groups_section(groups: dict[str, Rows]) -> Section:
    """Accuracy of each group with its interval, and how it varies from repeat to repeat."""
    rows: list[list[Cell]] = []
    for group, members in groups.items():
        by_repeat = members.by(int(row.tags.get("repeat") or 1) for row in members)
        repeats = [statistics.fmean(each.right.tolist()) for _, each in sorted(by_repeat.items())]
        spread: list[Cell] = [None, None, None]
        if len(repeats) > 1:
            spread = [100 * f(repeats) for f in (statistics.stdev, min, max)]
        own, ifr = (estimate(members, measure) for measure in (ACCURACY, IFR))
        figures = (100 * each for each in own.ends or ())
        tracks = len(np.unique(members.clusters))
        read = ifr.value and 100 * ifr.value
        rows.append([group_in_words(group), len(members), tracks, *figures, read, *spread])
    columns = heads("group-share", "n", "tracks", "acc", "low", "high", "IFR", "SD", "min", "max")
    notes = [said("muchomusic-intervals-note")]
    return Section(said("muchomusic-intervals"), columns, rows, notes)


# `zhiyin attention RUN`: does the model answer worse when it does not hear the music?


def execute(run: Path, *, alpha: float = 0.05) -> conditions.Attention:
    """The test of a run, whether its model passes or fails.

    Parameters
    ----------
    run : RUN
        with --audio true,noise
    alpha : P
        level of significance
    """
    return conditions.attention(run, alpha)


def show(tested: conditions.Attention) -> list[Section]:
    """The contrasts under the name of the model."""
    section = conditions.attention_section(tested)
    return [structs.replace(section, title=f"{tested.model}, %")]


class PublishedOutput(msgspec.Struct, frozen=True):
    """One item of the published JSON. Fields that are not named here are passed over."""

    id: int | str
    dataset: str
    prompt: str
    answers: tuple[str, ...]
    answer_orders: tuple[int, ...]
    model_output: str
    reasoning: tuple[str, ...]
    knowledge: tuple[str, ...]
    genre: str | None = None
    audio_path: str | None = None
    question: str = ""


def read_outputs(files: Sequence[Path]) -> list[tuple[Trial, Reply]]:
    """The trials and replies of published outputs, one file for each repeat.

    Raises
    ------
    InputError
        For a file that is not such a JSON, orders that are no permutations, or files that do not
        ask the same questions.
    """
    trials = [list(_read(path, number)) for number, path in enumerate(files, 1)]
    _require_same_questions(files, trials)
    return [pair for pairs in trials for pair in pairs]


def _read(path: Path, repeat: int) -> Iterator[tuple[Trial, Reply]]:
    """Each item as a trial, and what the model said."""
    counts: dict[str, int] = {}
    for number, output in enumerate(_decode(path), 1):
        where = f"{path}, item {number} (id {output.id})"
        if not 2 <= len(output.answers) <= len(KEYS):
            raise InputError(
                said("mucho-answers", where=where, answers=len(output.answers), most=len(KEYS))
            )
        if not all(text.strip() for text in output.answers):
            raise InputError(said("mucho-blank", where=where))
        if sorted(output.answer_orders) != list(range(len(output.answers))):
            raise InputError(said(
                "mucho-orders", where=where, given=repr(list(output.answer_orders)),
                last=len(output.answers) - 1,
            ))  # fmt: skip
        place = f"{output.dataset}/{output.id}"
        counts[place] = counts.get(place, 0) + 1
        yield _trial(output, place, counts[place], repeat), Reply(output.model_output)


def _decode(path: Path) -> list[PublishedOutput]:
    try:
        outputs = msgspec.json.decode(path.read_bytes(), type=list[PublishedOutput])
    except OSError as error:
        raise InputError(said("error-read-name", path=path, why=system_words(error))) from None
    except NOT_JSON as error:
        raise InputError(said("mucho-json", path=path, why=str(error))) from None
    if not outputs:
        raise InputError(said("mucho-no-items", path=path))
    return outputs


def _trial(output: PublishedOutput, place: str, number: int, repeat: int) -> Trial:
    asked = output.prompt.rpartition("Question:")[2].partition("Options:")[0]
    question = (output.question or asked).strip()
    options = tuple(
        Option(KEYS[shown], text, KEYS[order])
        for shown, (text, order) in enumerate(
            zip(output.answers, output.answer_orders, strict=True)
        )
    )
    return Trial(
        id=f"{place}/{number}/r{repeat}",
        messages=(say("user", output.prompt),),
        stem=question or output.prompt,
        options=options,
        target=KEYS[0],
        groups=groups_of(output.knowledge, output.reasoning, output.genre, output.dataset),
        cluster=place,
        tags={
            "item": f"{place}/{number}",
            "dataset": output.dataset,
            "genre": output.genre or None,
            "knowledge": ", ".join(output.knowledge),
            "reasoning": ", ".join(output.reasoning),
            "heard": output.audio_path,
            "repeat": repeat,
        },
        item=f"{place}/{number}",
    )


def _require_same_questions(
    files: Sequence[Path], trials: Sequence[Sequence[tuple[Trial, Reply]]]
) -> None:
    first = {trial.tags["item"]: trial.stem for trial, _ in trials[0]}
    for path, pairs in zip(files[1:], trials[1:], strict=True):
        for trial, _ in pairs:
            if first.get(trial.tags["item"]) != trial.stem:
                raise InputError(said(
                    "mucho-differ", path=path, stem=repr(trial.stem[:40]), tags=trial.tags["item"],
                    files=files[0],
                ))  # fmt: skip
        if len(pairs) != len(first):
            raise InputError(said(
                "mucho-other-number", path=path, pairs=len(pairs), files=files[0],
                first=len(first),
            ))  # fmt: skip


def write_outputs(run: Path, out: Path) -> tuple[list[Path], list[str]]:
    """Write a run as published outputs: a file for each repeat.

    Parameters
    ----------
    run : Path
    out : Path
        The file; with several repeats "-1", "-2", ... are added before its ending.

    Returns
    -------
    files : list of Path
    notes : list of str
        What the user should know, a line each.

    Raises
    ------
    InputError
        The run was asked in a way that the JSON cannot hold: several conditions, rotations, or a
        part of the options.
    """
    repeats: dict[int, list[Record]] = {}
    failed = 0
    for record in records_of(run):
        if not record.exchange.turns or record.exchange.broken:
            failed += 1
            continue
        _refuse(run, record)
        repeats.setdefault(int(record.trial.tags.get("repeat") or 1), []).append(record)
    if not repeats:
        raise InputError(said("mucho-no-answers", run=run))
    files = [_file(out, number, len(repeats)) for number in sorted(repeats)]
    for path in files:
        if path.exists():
            raise InputError(said("mucho-out-there", path=path))
    for path, number in zip(files, sorted(repeats), strict=True):
        items = [_item(record) for record in sorted(repeats[number], key=_order)]
        write_atomically(path, msgspec.json.format(msgspec.json.encode(items)) + b"\n")
    return files, [f"{failed} trials have no answer and are left out"] if failed else []


def _file(out: Path, number: int, of: int) -> Path:
    return out if of == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")


def _refuse(run: Path, record: Record) -> None:
    tags = record.trial.tags
    if record.trial.condition or "rotation" in tags or len(record.trial.options) != len(KEYS):
        raise InputError(said("mucho-one-way", run=run))


def _order(record: Record) -> tuple[str, int]:
    """Place of a question: its track, and its number there."""
    place, _, number = record.trial.item.rpartition("/")
    return place, int(number)


def _item(record: Record) -> dict[str, object]:
    trial = record.trial
    dataset, _, track = (trial.cluster or "").partition("/")
    sounds = [p for m in trial.messages for p in m.parts if isinstance(p, Audio)]
    return {
        "id": int(track) if track.isdecimal() and str(int(track)) == track else track,
        "dataset": dataset,
        "prompt": trial.messages[-1].text,
        "question": trial.stem,
        "answers": [option.text for option in trial.options],
        "answer_orders": [KEYS.index(option.key) for option in trial.options],
        "genre": trial.tags.get("genre"),
        "reasoning": _labels(trial.tags.get("reasoning")),
        "knowledge": _labels(trial.tags.get("knowledge")),
        "audio_path": Path(sounds[0].path).name if sounds else None,
        "model_output": record.exchange.final.text,
    }


def _labels(joined: object) -> list[str]:
    return str(joined).split(", ") if joined else []
