"""LogicLM's verdict, and how good its transcriptions were.

The solver's decision scores the trial, and the model's own answer is noted. Where the
solver reached no decision there is no answer, and none is put in its place.

Carone, Roman and Ripollés, section 2.5 and figure 3: precision, recall and F1 of what the model
wrote down against what sounds, micro-averaged over a label and a modality, beside the accuracy
of the decisions on the same trials.

Conventions
-----------
What is compared, as sets:

syncopation
    Slots of kick and snare, masked to on-beats (odd) and to off-beats (even): two measures.
chords
    Absolute pitches.
transposition
    Pitch classes of each melody; the counts of the two are added.

Where nothing valid was written down, everything that sounds is missed (false negatives).

Denominators
    Trials whose output was cut off or empty are left out, as the paper's *EffectiveTotal* does,
    and counted as `token_limited`; the `strict` figures keep them, as wrong and missed. Trials
    without a reply (state ``error``) are in neither, and counted as `errors`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from zhiyin.engine.scoring import read_choice
from zhiyin.plugins.benchmarks.perception.tasks import Transcription
from zhiyin.plugins.music.logiclm import token_limited
from zhiyin.reader import Policy, is_refusal
from zhiyin.record import Exchange, Record, State, Verdict
from zhiyin.runs import rows as run_rows
from zhiyin.runs.measures import ACCURACY, UNREAD, one
from zhiyin.statistics.intervals import Floats
from zhiyin.trial import Tag, Trial


def right_unless_cut(rows: run_rows.Rows) -> Floats:
    """1 for a right answer; NaN, which is in no figure, where the output was cut off or empty."""
    values = rows.right.astype(np.float64)
    silent = np.flatnonzero(UNREAD[rows.states])
    records = rows.table.records(rows.numbers[silent])
    cut = [place for place, record in zip(silent, records, strict=True) if token_limited(record)]
    values[cut] = np.nan
    return values


DECIDED = msgspec.structs.replace(ACCURACY, of=(right_unless_cut, one))
"""Accuracy over the paper's *EffectiveTotal* (section 2.5)."""

MASKS: dict[str, tuple[str, ...]] = {
    "syncopation": ("on_beat", "off_beat"),
    "transposition": ("pitch_class",),
    "chords": ("pitch",),
}
"""What is measured in each task; the counts are named ``<mask>_tp``, ``_fp`` and ``_fn``."""

Rows = Sequence[Sequence[int]]


class FidelityCounts(msgspec.Struct, frozen=True):
    """True positives, false positives and false negatives, of one trial or of many."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: FidelityCounts) -> FidelityCounts:
        return FidelityCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float | None:
        """TP / (TP + FP); None where nothing was written down."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """TP / (TP + FN); None where nothing was to be found."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """2 TP / (2 TP + FP + FN): equation 1; None where both sides are empty."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)


class Fidelity(msgspec.Struct, frozen=True):
    """One point of figure 3.

    Attributes
    ----------
    task, modality : str
    mask : str
        What is compared: see `MASKS`.
    label : str or int or None
        Syncopation level, "Yes" or "No", or chord quality; None for all levels of syncopation.
    trials, correct : int
        Trials that count, and how many of them were decided rightly.
    counts, strict_counts : FidelityCounts
        Summed over those trials; the strict ones over the token-limited trials as well.
    token_limited : int
        Trials that are left out because their output was cut off or empty.
    """

    task: str
    modality: str
    mask: str
    label: str | int | None
    trials: int
    correct: int
    counts: FidelityCounts
    strict_counts: FidelityCounts
    token_limited: int

    @property
    def accuracy(self) -> float | None:
        """Correct trials among those that count, 0 to 1."""
        return _ratio(self.correct, self.trials)

    @property
    def strict_accuracy(self) -> float | None:
        """Correct trials among all that were answered, token-limited ones counted as wrong."""
        return _ratio(self.correct, self.trials + self.token_limited)


class Execution(msgspec.Struct, frozen=True):
    """The outcome of the LogicLM conversations of one task, modality and number of shots.

    Attributes
    ----------
    trials : int
        Trials that count: not token-limited, no errors.
    executed : int
        Those in which the solver decided.
    correct : int
        Those that were decided rightly; a trial that was not executed never is.
    token_limited, errors : int
        Trials that are left out.
    repairs : dict of int to int
        How many trials used how many rounds of repair.
    faults : dict of str to int
        How often each kind of fault was met, over all rounds.
    agreeing, compared : int
        Of the trials in which the model gave a readable answer after the solver's decision
        (`compared`), how many repeat that decision.
    """

    task: str
    modality: str
    shots: str
    trials: int
    executed: int
    correct: int
    token_limited: int
    errors: int
    repairs: dict[int, int]
    faults: dict[str, int]
    agreeing: int
    compared: int

    @property
    def executable_rate(self) -> float | None:
        """Share of executed trials among those that count."""
        return _ratio(self.executed, self.trials)

    @property
    def accuracy(self) -> float | None:
        """Share of correct trials among those that count."""
        return _ratio(self.correct, self.trials)

    @property
    def strict_accuracy(self) -> float | None:
        """Share of correct trials among those that count and token-limited ones."""
        return _ratio(self.correct, self.trials + self.token_limited)

    @property
    def accuracy_executed(self) -> float | None:
        """Share of correct trials among the executed ones."""
        return _ratio(self.correct, self.executed)

    @property
    def agreement(self) -> float | None:
        """Share of cases in which the model's own last answer repeats the solver's decision."""
        return _ratio(self.agreeing, self.compared)


def count(task: str, transcribed: Rows | None, truth: Rows) -> dict[str, FidelityCounts]:
    """Compare a transcription with what sounds.

    Parameters
    ----------
    task : {"syncopation", "transposition", "chords"}
    transcribed : sequence of sequences of int, or None
        What was written down for each sound: slots 1 to 32, or MIDI pitches; None for nothing.
    truth : sequence of sequences of int
        What sounds, in the same form.

    Returns
    -------
    dict of str to Counts
        For each mask of the task.
    """
    transcribed = transcribed if transcribed is not None else [() for _ in truth]
    counts = {}
    for mask in MASKS[task]:
        pairs = [
            (_masked(mask, row), _masked(mask, real))
            for row, real in zip(transcribed, truth, strict=True)
        ]
        counts[mask] = FidelityCounts(
            sum(len(row & real) for row, real in pairs),
            sum(len(row - real) for row, real in pairs),
            sum(len(real - row) for row, real in pairs),
        )
    return counts


def as_scores(counts: dict[str, FidelityCounts]) -> dict[str, float]:
    """Counts as the named scores of a verdict."""
    return {
        f"{mask}_{name}": float(value)
        for mask, count in counts.items()
        for name, value in msgspec.structs.asdict(count).items()
    }


def from_scores(task: str, scores: dict[str, float]) -> dict[str, FidelityCounts]:
    """The counts that `as_scores` wrote; empty where a verdict holds none."""
    return {
        mask: FidelityCounts(
            *(int(scores[f"{mask}_{name}"]) for name in FidelityCounts.__struct_fields__)
        )
        for mask in MASKS[task]
        if f"{mask}_tp" in scores
    }


def fidelity_table(records: Iterable[Record]) -> list[Fidelity]:
    """The points of figure 3: quality of transcriptions against accuracy of decisions.

    Parameters
    ----------
    records : iterable of Record
        Of one run or many, pooled over models and shots as the paper does. Records of other
        strategies, records without a known transcription, and errors are passed over.

    Returns
    -------
    list of Fidelity
        By task, modality, mask and label; for syncopation each level, and all levels together
        (label None).
    """
    groups: dict[tuple[str, str, str, str | int | None], list[Record]] = defaultdict(list)
    for record in records:
        tags, verdict = record.trial.tags, record.verdict
        if tags.get("strategy") != "logiclm" or verdict.state == "error":
            continue
        task, modality = str(tags["task"]), str(tags["modality"])
        for mask in from_scores(task, verdict.scores):
            groups[task, modality, mask, _label(record)].append(record)
            if task == "syncopation":
                groups[task, modality, mask, None].append(record)
    order = sorted(groups, key=lambda key: (*key[:3], key[3] is not None, str(key[3])))
    return [_point(key, groups[key]) for key in order]


def execution_table(records: Iterable[Record]) -> list[Execution]:
    """Executable rates, repairs, faults, accuracy and agreement of LogicLM trials.

    Parameters
    ----------
    records : iterable of Record
        Of one run or many; records of other strategies are passed over.

    Returns
    -------
    list of Execution
        By task, modality and shots.
    """
    groups: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
    for record in records:
        tags = record.trial.tags
        if tags.get("strategy") == "logiclm":
            groups[str(tags["task"]), str(tags["modality"]), str(tags["shots"])].append(record)
    return [_execution(key, groups[key]) for key in sorted(groups)]


def _execution(key: tuple[str, str, str], records: Sequence[Record]) -> Execution:
    answered = [record for record in records if record.verdict.state != "error"]
    counted = [record for record in answered if not token_limited(record)]
    notes = [record.exchange.notes for record in counted]
    agrees = [record.verdict.tags.get("agrees") for record in counted]
    return Execution(
        *key,
        trials=len(counted),
        executed=sum(bool(note["executable"]) for note in notes),
        correct=sum(record.verdict.state == "correct" for record in counted),
        token_limited=len(answered) - len(counted),
        errors=len(records) - len(answered),
        repairs=dict(sorted(Counter(int(note["repairs"]) for note in notes).items())),
        faults=dict(Counter(fault["kind"] for note in notes for fault in note["faults"])),
        agreeing=agrees.count(True),
        compared=agrees.count(True) + agrees.count(False),
    )


def _point(key: tuple[str, str, str, str | int | None], records: Sequence[Record]) -> Fidelity:
    task, modality, mask, label = key
    counted = [record for record in records if not token_limited(record)]

    def total(chosen: Sequence[Record]) -> FidelityCounts:
        counts = (from_scores(task, record.verdict.scores)[mask] for record in chosen)
        return sum(counts, FidelityCounts())

    return Fidelity(
        task=task, modality=modality, mask=mask, label=label, trials=len(counted),
        correct=sum(record.verdict.state == "correct" for record in counted), counts=total(counted),
        strict_counts=total(records), token_limited=len(records) - len(counted),
    )  # fmt: skip


def _label(record: Record) -> str | int | None:
    tags = record.trial.tags
    if tags["task"] == "transposition":
        return record.trial.target
    label = tags["level" if tags["task"] == "syncopation" else "quality"]
    return label if isinstance(label, int) else str(label)


def _masked(mask: str, row: Sequence[int]) -> set[int]:
    if mask == "on_beat":
        return {slot for slot in row if slot % 2 == 1}
    if mask == "off_beat":
        return {slot for slot in row if slot % 2 == 0}
    if mask == "pitch_class":
        return {pitch % 12 for pitch in row}
    return set(row)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


SOLVER = "solver@1"


def judge_logiclm(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Score a LogicLM exchange.

    Returns
    -------
    Verdict
        `answer` is the solver's. Without a decision, a valid transcription is `no_answer`; where
        there is none the state is `truncated` or `refused` as the last output was, else
        `no_answer`, and `why` is the last fault. `scores` hold
        the counts of `fidelity` where the truth is known. `tags` hold `executable`,
        `repairs`, and, where the final question was asked, `own_answer` (a key, or None) and
        `agrees` (None where the model's own answer cannot be read). `policy` names the solver
        and the policy by which the model's own answer was read.
    """
    notes = exchange.notes
    key = notes["solver"]
    if key is not None:
        state: State = "correct" if key == trial.target else "wrong"
        why = "decided by the solver"
    else:
        state, why = _undecided(exchange)
    letter = next((option.letter for option in trial.options if option.key == key), None)
    return Verdict(
        state,
        key,
        letter,
        why,
        f"{SOLVER}, {policy.label}",
        _fidelity(trial, exchange),
        {
            "executable": notes["executable"],
            "repairs": notes["repairs"],
            **_own_answer(trial, exchange, policy),
        },
    )


def pack(transcription: Transcription) -> str:
    """A transcription as a tag: ``60 64 67``, two melodies separated by ``|``."""
    return " | ".join(" ".join(map(str, row)) for row in transcription)


def unpack(tag: str) -> Transcription:
    """Read what `pack` wrote."""
    return tuple(tuple(map(int, row.split())) for row in tag.split("|"))


def without_messages(record: Record) -> Record:
    """A LogicLM record without its trial's messages, which are long and not in any table."""
    trial = record.trial
    record.trial = Trial(trial.id, (), target=trial.target, tags=trial.tags)
    return record


def _undecided(exchange: Exchange) -> tuple[State, str]:
    if exchange.notes["transcription"] is not None:
        return "no_answer", "the solver cannot decide from the transcription"
    reply, fault = exchange.final, exchange.notes["faults"][-1]
    why = f"{fault['kind']} fault: {fault['message']}"
    if reply.finish == "length":
        return "truncated", why
    if reply.finish == "refusal" or is_refusal(reply.text):
        return "refused", why
    return "no_answer", why


def _own_answer(trial: Trial, exchange: Exchange, policy: Policy) -> dict[str, Tag]:
    """The model's own answer to the final question, beside the decision that it was given."""
    if not any(turn.purpose == "final" for turn in exchange.turns):
        return {}
    letter = read_choice(trial, exchange, policy)[0].letter
    if letter is None:
        return {"own_answer": None, "agrees": None}
    own = next((option.key for option in trial.options if option.letter == letter), None)
    return {"own_answer": own, "agrees": own == exchange.notes["solver"]}


def _fidelity(trial: Trial, exchange: Exchange) -> dict[str, float]:
    truth = trial.tags.get("transcription")
    if not isinstance(truth, str):
        return {}
    transcription = exchange.notes["transcription"]
    return as_scores(count(str(trial.tags["task"]), transcription, unpack(truth)))
