"""Harder wrong answers for a set: proposals, rounds of groups, the choice, and the measure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.forge import harder
from zhiyin.forge.asking import Asker, carry_out, opened, replies
from zhiyin.forge.blind import LETTERS, Answers, Probe
from zhiyin.forge.folder import keys_of
from zhiyin.forge.items import Distractor, Item
from zhiyin.forge.measuring import Measure, ask_blind, measure, probes_of
from zhiyin.forge.proposing import Proposing, usable
from zhiyin.forge.sets import Entry, Set
from zhiyin.forge.stages import Fallen, Funnel, funnel, lines_of
from zhiyin.session import Watch, silent

SET = "set.jsonl"


NEAR = 0.005
"""Half a point: an interval that ends so near to the aim does not exclude it."""


class Hardened(msgspec.Struct):
    """What came of it.

    Attributes
    ----------
    file : str
    funnel : Funnel
    measure : Measure
        What the model makes of the set now.
    aim : float or None
        The accuracy that was aimed at; None where the wrong answers are the hardest ones.
    reached : bool or None
        Whether the interval of the accuracy holds the aim.
    """

    file: str
    funnel: Funnel
    measure: Measure
    aim: float | None = None
    reached: bool | None = None


def harden(
    questions: Set,
    blind: Asker,
    out: Path,
    *,
    proposer: Asker | None = None,
    count: int = 40,
    aim: harder.Aim = "chance",
    rounds: int = 4,
    seed: int = 0,
    watch: Watch = silent,
) -> Hardened:
    """Choose four wrong answers for each question, and write the set.

    Parameters
    ----------
    questions : Set
    blind : Asker
        The text model; it must give log-probabilities.
    out : Path
    proposer : Asker, optional
        Who proposes; None where the set brings proposals along.
    count : int
        Proposals that are asked for.
    aim : {"chance", "hardest"}
    rounds : int
        Orders of each fold when the set is measured.
    seed : int
        Of the places of the right answers.

    Raises
    ------
    InputError
        For anything that the user can mend.
    """
    if proposer is None and not any(entry.proposals for entry in questions.entries):
        raise InputError("who proposes wrong answers? say -m MODEL, or give a column of proposals")
    fallen: list[Fallen] = []
    proposed = _proposals(questions, proposer, count, out, fallen, watch)
    left: dict[str, list[str]] = {}
    items = {entry.item.id: entry.item for entry in questions.entries}
    for name, texts in proposed.items():
        if len(texts) < harder.WANTED:
            detail = f"{len(texts)} that can be used, of {harder.WANTED}"
            fallen.append(Fallen(name, "too-few-proposals", detail))
        else:
            left[name] = texts
    chosen = _choose(items, left, blind, out, aim, fallen, watch)
    if not chosen:
        raise InputError("no question is left with four wrong answers: propose more (--propose)")
    hardened = [
        msgspec.structs.replace(items[name], distractors=tuple(Distractor(t) for t in texts))
        for name, texts in chosen.items()
    ]
    probes = probes_of(hardened, rounds, whole=False)
    answers = ask_blind(probes, blind, out / "measure", watch)
    measured, index = measure(hardened, probes, answers, blind.model)
    rows = _rows(hardened, questions, index, seed)
    encoded = [msgspec.json.encode(row, order="deterministic") for row in rows]
    write_atomically(out / SET, b"\n".join(encoded) + b"\n")
    one = funnel("harder", "questions", len(hardened), fallen)
    if aim != "chance":
        return Hardened(str(out / SET), one, measured)
    reached = measured.low - NEAR <= harder.CHANCE <= measured.high + NEAR
    return Hardened(str(out / SET), one, measured, harder.CHANCE, reached)


def _proposals(
    questions: Set,
    proposer: Asker | None,
    count: int,
    out: Path,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, list[str]]:
    """What can be chosen from, by item: the set's own wrong answers and the proposals."""
    proposed: dict[str, list[str]] = {}
    if proposer is not None:
        folder = out / "propose"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "items.jsonl"
        write_atomically(file, lines_of([entry.item for entry in questions.entries]))
        options = {"items": str(file), "count": count, "prompts": proposer.prompts}
        run = carry_out(Proposing, options, proposer, folder, watch)
        proposing = opened(Proposing, options)
        for name, record in replies(run, proposing).items():
            if record.verdict.state != "error":
                proposed[name] = proposing.read(record.exchange.final.text, name)
    choices: dict[str, list[str]] = {}
    for entry in questions.entries:
        name = entry.item.id
        if proposer is not None and name not in proposed:
            fallen.append(Fallen(name, "no-proposals", "the reply could not be used: run again"))
            continue
        own = [one.text for one in entry.item.distractors]
        choices[name] = usable(entry.item, [*own, *entry.proposals, *proposed.get(name, [])])
    return choices


def _choose(
    items: dict[str, Item],
    left: dict[str, list[str]],
    blind: Asker,
    out: Path,
    aim: harder.Aim,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, tuple[str, ...]]:
    """Rounds of groups until few enough are left, then the choice among the finalists."""
    stage = 1
    while large := [n for n, texts in left.items() if len(texts) > harder.FINALISTS]:
        probes = {name: harder.groups(items[name], left[name], stage) for name in large}
        answers = _weighed(probes, blind, out / f"groups-{stage}", watch)
        for name in large:
            promoted = harder.promoted(items[name], probes[name], answers, aim)
            if promoted is None:
                fallen.append(Fallen(name, "not-probed", "a call failed: run again"))
                del left[name]
            else:
                left[name] = promoted
        stage += 1
    finals = {name: harder.final(items[name], texts) for name, texts in left.items()}
    answers = _weighed(finals, blind, out / "final", watch)
    chosen = {}
    for name, final_probes in finals.items():
        weight = harder.weights(items[name], final_probes, answers)
        if weight is None:
            fallen.append(Fallen(name, "not-probed", "a call failed: run again"))
        else:
            chosen[name] = harder.choose(items[name].answer, weight, aim)
    return chosen


def _weighed(probes: dict[str, list[Probe]], blind: Asker, folder: Path, watch: Watch) -> Answers:
    every = [probe for those in probes.values() for probe in those]
    if not every:
        return Answers({}, {})
    answers = ask_blind(every, blind, folder, watch)
    if answers.by_choice:
        raise InputError(
            f"{blind.model} gives no log-probabilities, and its choices do not weigh wrong answers "
            "against each other: take a server with logprobs, or hf:"
        )
    return answers


def _rows(
    made: Sequence[Item], questions: Set, index: dict[str, float], seed: int
) -> list[dict[str, Any]]:
    """The rows of the new set: those of the old one with other options."""
    entries: dict[str, Entry] = {entry.item.id: entry for entry in questions.entries}
    gone = {questions.columns[m] for m in ("options", "distractors", "answer", "index", "proposals")
            if m in questions.columns} | {*questions.single, "distractor_kinds"}  # fmt: skip
    rows = []
    for item, key in keys_of(made, seed):
        texts = [one.text for one in item.distractors]
        texts.insert(key, item.answer)
        cells = {k: v for k, v in entries[item.id].cells.items() if k not in gone}
        cells |= {"id": item.id, "options": texts, "answer": LETTERS[key]}
        if item.id in index:
            cells["perceptual_index"] = round(index[item.id], 6)
        rows.append(cells)
    return rows
