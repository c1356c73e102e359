"""Harder wrong answers: chosen so that a model that hears nothing is at chance.

After Zang et al. 2025 (arXiv:2504.00369): many proposals; in groups of `GROUP` with the right
answer, the two that the model finds most likely go on; of the finalists the four most likely ones
are chosen. That is ``hardest``. By default it is ``chance``: the four with which the model is
expected to be nearest to chance when one of them is left out, since a set whose right answers are
the *least* likely ones gives itself away too. For these the most likely proposals of each group are
no use where they are all likelier than the right answer. So there those go on that are nearest to
the right answer, from above and from below: it is in every group, and by Luce's choice axiom the
odds against it are on one scale.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.making.forge import (
    Asker,
    Distractor,
    Fallen,
    ForgeItem,
    Funnel,
    ask_items,
    chance_of,
    funnel,
    lack_of,
    lines_of,
)
from zhiyin.plugins.making.forge.blind import (
    LETTERS,
    ROUNDS,
    BlindAnswers,
    BlindResult,
    Probe,
    Probing,
    ask_blind,
    measure,
    probes_of,
)
from zhiyin.plugins.making.forge.folder import keys_of
from zhiyin.plugins.making.forge.sources import Set, SetEntry
from zhiyin.plugins.making.forge.writing import Proposing, usable
from zhiyin.session import Watch, silent
from zhiyin.words import said

Aim = Literal["chance", "hardest"]
GROUP, PROMOTED, WANTED = 6, 2, 4
"""Proposals in a group, how many of them go on, and how many are chosen in the end."""
FINALISTS = 14
"""At most; of more, further rounds of groups are held (``chance`` needs one)."""
CHANCE = 1 / WANTED
"""What the model is to be right in: a wrong answer is left out in each fold."""
_LEAST = 1e-9
"""Stands for a probability of 0: a server names the most probable letters only."""


def groups(item: ForgeItem, proposals: Sequence[str], stage: int) -> list[Probe]:
    """Groups of proposals, each with the right answer, in a drawn order."""
    order = sorted(proposals, key=lambda text: chance_of("group", stage, item.id, text))
    parts = [order[n : n + GROUP] for n in range(0, len(order), GROUP)]
    return [_probe(item, part, f"stage-{stage}", number) for number, part in enumerate(parts, 1)]


def final(item: ForgeItem, proposals: Sequence[str]) -> list[Probe]:
    """All finalists with the right answer, in two drawn orders, one the other's reverse."""
    one = _probe(item, proposals, "final", 1)
    right = len(one.options) - 1 - one.right
    other = Probe(f"{item.id}/final/2", item.id, "final", item.question, one.options[::-1], right)
    return [one, other]


def _probe(item: ForgeItem, proposals: Sequence[str], fold: str, number: int) -> Probe:
    shown = [item.answer, *proposals]
    order = sorted(shown, key=lambda text: chance_of("place", fold, number, item.id, text))
    name = f"{item.id}/{fold}/{number}"
    return Probe(name, item.id, fold, item.question, tuple(order), order.index(item.answer))


def promoted(
    item: ForgeItem, probes: Sequence[Probe], answers: BlindAnswers, aim: Aim = "chance"
) -> list[str] | None:
    """The proposals that go on; None where a call has failed.

    Of each group the `PROMOTED` most likely ones ("hardest"), or of all the `FINALISTS` whose odds
    against the right answer are nearest to even, half of them above and half below as far as there
    are so many ("chance").
    """
    likeliest: list[str] = []
    odds: dict[str, float] = {}
    for probe in probes:
        shares = answers.options.get(probe.id)
        if shares is None:
            return None
        wrong = [text for text in probe.options if text != item.answer]
        likeliest += sorted(wrong, key=lambda text: (-shares[text], text))[:PROMOTED]
        right = math.log(max(shares[item.answer], _LEAST))
        odds |= {text: math.log(max(shares[text], _LEAST)) - right for text in wrong}
    return likeliest if aim == "hardest" else _nearest(odds)


def _nearest(odds: Mapping[str, float]) -> list[str]:
    """Texts with odds next to even, from both sides; of a side that has too few, all."""
    order = sorted(odds, key=lambda text: (abs(odds[text]), text))
    above = [text for text in order if odds[text] > 0]
    below = [text for text in order if odds[text] <= 0]
    half = FINALISTS // 2
    many = max(half, FINALISTS - len(below))
    taken = above[:many]
    return taken + below[: FINALISTS - len(taken)]


def weights(
    item: ForgeItem, probes: Sequence[Probe], answers: BlindAnswers
) -> dict[str, float] | None:
    """The mean probability of each option over the finals; None where a call has failed."""
    if any(probe.id not in answers.options for probe in probes):
        return None
    shares = [answers.options[probe.id] for probe in probes]
    return {text: sum(one[text] for one in shares) / len(shares) for text in probes[0].options}


def choose(right: str, weight: Mapping[str, float], aim: Aim = "chance") -> tuple[str, ...]:
    """The four wrong answers that are chosen.

    Parameters
    ----------
    right : str
    weight : mapping
        Probability of each option, the right one among them.
    aim : {"chance", "hardest"}
        "hardest": the most likely ones, as in the paper. "chance": those with which the expected
        probability of the right answer, the mean over leaving out each (by Luce's choice axiom:
        weights are normalised over what is shown), is nearest to 1 in 4; of several sets that are
        as near, the one of the least likely answers.
    """
    wrong = sorted((text for text in weight if text != right), key=lambda t: (-weight[t], t))
    if aim == "hardest" or len(wrong) <= WANTED:
        return tuple(wrong[:WANTED])
    best = min(
        itertools.combinations(reversed(wrong), WANTED),
        key=lambda four: round(abs(expected(right, four, weight) - CHANCE), 9),
    )
    return tuple(best)


def expected(right: str, wrong: Sequence[str], weight: Mapping[str, float]) -> float:
    """The expected probability of the right answer when each wrong one is left out in turn."""
    total = weight[right] + sum(weight[text] for text in wrong)
    shares = [
        weight[right] / rest if (rest := total - weight[text]) > 0 else 1 / len(wrong)
        for text in wrong
    ]
    return sum(shares) / len(shares)


SET = "set.jsonl"
NEAR = 0.005
"""Half a point: an interval that ends so near to the aim does not exclude it."""


class Hardening(msgspec.Struct, frozen=True):
    """Settings for choosing wrong answers; each field carries its command-line flag."""

    propose: Annotated[int, Flag("wrong answers"), COUNT] = 40
    aim: Annotated[
        Aim, Flag("the model at chance, or the most likely wrong answers, as published")
    ] = "chance"
    rounds: Annotated[int, Flag("orders of a fold, when the set is measured"), COUNT] = ROUNDS
    seed: Annotated[int, Flag("of the places of the right answers")] = 0


class Hardened(msgspec.Struct):
    """Result of hardening a set.

    Attributes
    ----------
    file : str
    funnel : Funnel
    measure : BlindResult
        What the model makes of the set now.
    aim : float or None
        The accuracy that was aimed at; None where the wrong answers are the hardest ones.
    reached : bool or None
        Whether the interval of the accuracy holds the aim.
    """

    file: str
    funnel: Funnel
    measure: BlindResult
    aim: float | None = None
    reached: bool | None = None


def harden(
    questions: Set,
    blind: Asker,
    out: Path,
    how: Hardening,
    proposer: Asker | None = None,
    watch: Watch = silent,
) -> Hardened:
    """Choose four wrong answers for each question, and write the set.

    Parameters
    ----------
    questions : Set
    blind : Asker
        The text model; it must give log-probabilities.
    out : Path
    how : Hardening
    proposer : Asker, optional
        Who proposes; None where the set brings proposals along.

    Raises
    ------
    InputError
        For anything that the user can mend.
    """
    if proposer is None and not any(entry.proposals for entry in questions.entries):
        raise InputError(said("forge-proposer"))
    fallen: list[Fallen] = []
    proposed = _proposals(questions, proposer, how.propose, out, fallen, watch)
    left: dict[str, list[str]] = {}
    items = {entry.item.id: entry.item for entry in questions.entries}
    for name, texts in proposed.items():
        if len(texts) < WANTED:
            detail = f"{len(texts)} that can be used, of {WANTED}"
            fallen.append(Fallen(name, "too-few-proposals", detail))
        else:
            left[name] = texts
    chosen = _choose(items, left, blind, out, how.aim, fallen, watch)
    if not chosen:
        raise InputError(said("forge-too-few"))
    hardened = [
        msgspec.structs.replace(items[name], distractors=tuple(Distractor(t) for t in texts))
        for name, texts in chosen.items()
    ]
    probes = probes_of(hardened, Probing(how.rounds))
    answers = ask_blind(probes, blind, out / "measure", watch)
    measured, index = measure(hardened, probes, answers, blind.model)
    rows = _rows(hardened, questions, index, how.seed)
    encoded = [msgspec.json.encode(row, order="deterministic") for row in rows]
    write_atomically(out / SET, b"\n".join(encoded) + b"\n")
    one = funnel("harder", "questions", len(hardened), fallen)
    if how.aim != "chance":
        return Hardened(str(out / SET), one, measured)
    reached = measured.low - NEAR <= CHANCE <= measured.high + NEAR
    return Hardened(str(out / SET), one, measured, CHANCE, reached)


def _proposals(
    questions: Set,
    proposer: Asker | None,
    count: int,
    out: Path,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, list[str]]:
    """Collect what can be chosen from, by item: the set's own wrong answers and the proposals."""
    proposed: dict[str, list[str]] = {}
    if proposer is not None:
        folder = out / "propose"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "items.jsonl"
        write_atomically(file, lines_of([entry.item for entry in questions.entries]))
        options = {"items": str(file), "count": count, "prompts": proposer.prompts}
        proposing, records = ask_items(Proposing, options, proposer, folder, watch)
        for name, record in records.items():
            if not lack_of(record):
                proposed[name] = proposing.read(record.exchange.final.text)
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
    items: dict[str, ForgeItem],
    left: dict[str, list[str]],
    blind: Asker,
    out: Path,
    aim: Aim,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, tuple[str, ...]]:
    """Rounds of groups until few enough are left, then the choice among the finalists."""
    stage = 1
    while large := [n for n, texts in left.items() if len(texts) > FINALISTS]:
        probes = {name: groups(items[name], left[name], stage) for name in large}
        answers = _weighed(probes, blind, out / f"groups-{stage}", watch)
        for name in large:
            going_on = promoted(items[name], probes[name], answers, aim)
            if going_on is None:
                fallen.append(Fallen(name, "not-probed", "a call failed: run again"))
                del left[name]
            else:
                left[name] = going_on
        stage += 1
    finals = {name: final(items[name], texts) for name, texts in left.items()}
    answers = _weighed(finals, blind, out / "final", watch)
    chosen = {}
    for name, final_probes in finals.items():
        weight = weights(items[name], final_probes, answers)
        if weight is None:
            fallen.append(Fallen(name, "not-probed", "a call failed: run again"))
        else:
            chosen[name] = choose(items[name].answer, weight, aim)
    return chosen


def _weighed(
    probes: dict[str, list[Probe]], blind: Asker, folder: Path, watch: Watch
) -> BlindAnswers:
    every = [probe for those in probes.values() for probe in those]
    if not every:
        return BlindAnswers({}, {})
    answers = ask_blind(every, blind, folder, watch)
    if answers.by_choice:
        raise InputError(said("forge-logprobs", model=blind.model))
    return answers


def _rows(
    made: Sequence[ForgeItem], questions: Set, index: dict[str, float], seed: int
) -> list[dict[str, Any]]:
    """The rows of the new set: those of the old one with other options."""
    entries: dict[str, SetEntry] = {entry.item.id: entry for entry in questions.entries}
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
