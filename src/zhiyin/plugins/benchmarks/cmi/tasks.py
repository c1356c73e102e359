"""The tasks: what kind of answer each wants, how it is scored, and by which figures.

Texts against texts: lyrics by edits, descriptions by what they share.

Several tags of a closed set: areas under curves, and F1.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Literal

import msgspec
import numpy as np

from zhiyin.errors import InputError, did_you_mean, imported
from zhiyin.parsing import read_beside
from zhiyin.plugins.benchmarks.cmi import events
from zhiyin.plugins.benchmarks.cmi.measures import (
    ACCURACY,
    KEY,
    KEYS,
    CmiMeasure,
    JudgedReply,
    error_rate_of,
    mean_of,
    published_form,
    published_key,
    published_right,
    read_key,
    read_label,
    read_pitch,
    weighted,
)
from zhiyin.record import State, Verdict
from zhiyin.words import Said, said

LYRICS = (
    mean_of("WER, mean over clips", "wer", published=True, percent=False, ours="WER, pooled"),
    mean_of("CER, mean over clips", "cer", published=True, percent=False, ours="CER, pooled"),
    error_rate_of("WER, pooled", "word_edits", "words"),
    error_rate_of("CER, pooled", "character_edits", "characters"),
)
_LEADS = (
    (" lyrics ", "are", ":"),
    *((f" {noun} ", "is", ":") for noun in ("content", "transcription", "text")),
)
"""What the published script cuts from a line's beginning on: up to the last of these in a row."""
_PUNCTUATION = str.maketrans("", "", '!"#$%&\\()*+,-./:;<=>?@[]^_`{|}~')


_LONGEST = 300
"""Digits up to which a number has a name; replies that never end hold longer ones."""


def cleaned(text: str) -> str:
    """Clean a text: no punctuation but apostrophes, small letters, whole numbers in words."""
    from num2words import num2words

    words = text.translate(_PUNCTUATION).lower().replace("\n", " ").split()
    return " ".join(num2words(int(w)) if w.isdecimal() and len(w) <= _LONGEST else w for w in words)


def without_lead(reply: str) -> str:
    """A reply without "The lyrics of the song are:" and the like, as the published script cuts."""
    for lead in _LEADS:
        reply = "\n".join(_cut(line, lead) for line in reply.split("\n")).strip()
    for mark in ("<s>", "</s>"):
        reply = reply.replace(mark, "").strip()
    return reply


def _cut(line: str, lead: tuple[str, ...]) -> str:
    """A line from behind the words of a lead, which follow each other, as often as they do."""
    begin = 0
    while True:
        place = begin
        for word in lead:
            index = line.find(word, place)
            if index < 0:
                return line[begin:]
            place = index + len(word)
        begin = place


def score_lyrics(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Word and character error rates of a reply, and what they are made of."""
    import jiwer

    wanted, transcript = cleaned(label), cleaned(without_lead(reply))
    if not wanted:
        return {}, "the label has no words"
    words, letters = (
        jiwer.process_words(wanted, transcript),
        jiwer.process_characters(wanted, transcript),
    )
    scores = {"wer": words.wer, "cer": letters.cer, "read": float(bool(transcript))}
    for name, total, alignment in (("word", "words", words), ("character", "characters", letters)):
        edits = alignment.substitutions + alignment.deletions + alignment.insertions
        scores[f"{name}_edits"] = float(edits)
        scores[total] = float(alignment.hits + alignment.substitutions + alignment.deletions)
    return scores, "words" if transcript else "no words"


_ORDERS = 4
_WEIGHTS = [(0.25,) * 4, (0.0, 0.0, 0.0, 1.0)]


def score_description(label: str, reply: str) -> tuple[dict[str, float], str]:
    """BLEU over characters as published, ROUGE-L, and the counts for BLEU over words."""
    from nltk.tokenize import wordpunct_tokenize
    from nltk.translate.bleu_score import sentence_bleu

    scores: dict[str, float] = {"read": float(bool(reply.strip()))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        both = sentence_bleu([label], reply, weights=_WEIGHTS) if reply else (0.0, 0.0)
    scores["bleu_characters"], scores["bleu4_characters"] = map(float, both)
    rouge = _rouge().score(label, reply)["rougeL"]
    scores["rouge_recall"], scores["rouge_f"] = float(rouge.recall), float(rouge.fmeasure)
    label_tokens, reply_tokens = (wordpunct_tokenize(text.lower()) for text in (label, reply))
    scores["said"], scores["wanted"] = float(len(reply_tokens)), float(len(label_tokens))
    for order in range(1, _ORDERS + 1):
        reply_grams, label_grams = (
            Counter(tuple(tokens[k : k + order]) for k in range(len(tokens) - order + 1))
            for tokens in (reply_tokens, label_tokens)
        )
        scores[f"grams_{order}"] = float(reply_grams.total())
        scores[f"shared_{order}"] = float((reply_grams & label_grams).total())
    return scores, "a text" if reply.strip() else "no text"


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=True)


_COUNTS = (
    *(f"shared_{order}" for order in range(1, _ORDERS + 1)),
    *(f"grams_{order}" for order in range(1, _ORDERS + 1)),
    "said",
    "wanted",
)


def _counts(items: Sequence[JudgedReply]) -> list[list[float]]:
    return [[item.scores.get(name, 0.0) for name in _COUNTS] for item in items]


def _corpus_bleu(s: Any) -> Any:
    """BLEU of a corpus over words, four orders, one reference (Papineni et al. 2002)."""
    shared, grams, length, reference_length = s[..., :4], s[..., 4:8], s[..., 8], s[..., 9]
    precision = np.exp(np.mean(np.log(np.where(shared > 0, shared / grams, 0)), axis=-1))
    return (
        np.where(length > reference_length, 1.0, np.exp(1 - reference_length / length)) * precision
    )


DESCRIPTIONS = (
    mean_of(
        "BLEU over characters", "bleu_characters", published=True, ours="BLEU over words, corpus"
    ),
    mean_of("BLEU-4 over characters", "bleu4_characters", published=True),
    mean_of("ROUGE-L recall", "rouge_recall", published=True, ours="ROUGE-L F"),
    CmiMeasure("BLEU over words, corpus", False, _counts, _corpus_bleu),
    mean_of("ROUGE-L F", "rouge_f", published=False),
)


_WORDS_OF_A_TAG = 3


def tags_of(text: str) -> frozenset[str]:
    """The tags of a label, separated by commas; none for an empty one."""
    return frozenset(tag.strip().lower() for tag in text.split(",") if tag.strip())


def vocabulary(items: Sequence[JudgedReply]) -> list[str]:
    """All tags of the labels: the closed set, as far as it occurs."""
    return sorted(frozenset().union(*(tags_of(item.label) for item in items)))


def read_tags(reply: str, tags: Sequence[str]) -> frozenset[str]:
    """The tags that stand in a reply as whole words: "acoustic guitar" names acousticguitar."""
    tokens = re.findall(r"[a-z0-9]+", reply.lower())
    phrases = {
        "".join(tokens[start:end])
        for start in range(len(tokens))
        for end in range(start + 1, min(start + _WORDS_OF_A_TAG, len(tokens)) + 1)
    }
    return frozenset(tag for tag in tags if re.sub(r"[^a-z0-9]", "", tag) in phrases)


def score_tags(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Record whether a reply says anything: the tags in it are known from all labels alone."""
    return {"read": float(bool(reply.strip()))}, "tags that stand in the reply"


def _published(item: JudgedReply, tags: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Read as published: labels lose blanks and hyphens, tags do not; a tag counts anywhere."""
    wanted = {published_form(tag) for tag in item.label.split(",")}
    text = item.reply.lower().strip()
    return [tag in wanted for tag in tags], [tag in text for tag in tags]


def _whole_words(item: JudgedReply, tags: Sequence[str]) -> tuple[list[bool], list[bool]]:
    wanted, named = tags_of(item.label), read_tags(item.reply, tags)
    return [tag in wanted for tag in tags], [tag in named for tag in tags]


def _sums(
    reading: Callable[[JudgedReply, Sequence[str]], tuple[list[bool], list[bool]]],
) -> Callable[[Sequence[JudgedReply]], Any]:
    """Make a function that marks each tag as wanted, named, and both; and counts 1 for the item."""

    def sums(items: Sequence[JudgedReply]) -> Any:
        tags = vocabulary(items)
        if not tags:
            return np.zeros((len(items), 1))
        both = [reading(item, tags) for item in items]
        wanted = np.array([each for each, _ in both], dtype=np.float64)
        named = np.array([each for _, each in both], dtype=np.float64)
        return np.hstack([np.ones((len(items), 1)), wanted, named, wanted * named])

    return sums


def _parts(s: Any) -> tuple[Any, Any, Any, Any]:
    size = (s.shape[-1] - 1) // 3
    return (
        s[..., :1],
        s[..., 1 : 1 + size],
        s[..., 1 + size : 1 + 2 * size],
        s[..., 1 + 2 * size :],
    )


def roc_auc(s: Any) -> Any:
    """Mean over tags with both kinds of clips of the area under ROC of a yes or no.

    For such a score it is (1 + true positive rate - false positive rate) / 2.
    """
    n, wanted, named, both = _parts(s)
    present = (wanted > 0) & (wanted < n)
    area = 0.5 * (1 + both / wanted - (named - both) / (n - wanted))
    return np.where(present, area, 0).sum(axis=-1) / present.sum(axis=-1)


def _average_precision(s: Any) -> tuple[Any, Any]:
    """Average by tag the precision of those named and the base rate beyond; mark tags in use."""
    n, wanted, named, both = _parts(s)
    recall = both / wanted
    precision = both / np.where(named > 0, named, 1)
    areas = recall * precision + (1 - recall) * wanted / n
    return np.where(wanted > 0, areas, 0), wanted > 0


def pr_auc(s: Any) -> Any:
    """Mean average precision over the tags that any clip has."""
    areas, present = _average_precision(s)
    return areas.sum(axis=-1) / present.sum(axis=-1)


def pr_auc_all(s: Any, published: int = 0) -> Any:
    """The same over all tags, 0 for those that no clip has.

    All are those that are `published`, also where the labels of some replies lack a few.
    """
    areas, present = _average_precision(s)
    return areas.sum(axis=-1) / max(present.shape[-1], published)


def micro_f1(s: Any) -> Any:
    """2 both / (right + named), over all tags and clips."""
    _, wanted, named, both = _parts(s)
    return 2 * both.sum(axis=-1) / (wanted.sum(axis=-1) + named.sum(axis=-1))


_LITERAL, _WORDS = _sums(_published), _sums(_whole_words)


@cache
def tag_measures(published: int = 0) -> tuple[CmiMeasure, ...]:
    """The figures of a task with so many published tags."""
    over_all = partial(pr_auc_all, published=published)
    return (
        CmiMeasure("ROC-AUC, literal", True, _LITERAL, roc_auc, ours="ROC-AUC"),
        CmiMeasure("PR-AUC, literal", True, _LITERAL, pr_auc, ours="PR-AUC"),
        CmiMeasure("PR-AUC, literal, over all tags", True, _LITERAL, over_all),
        CmiMeasure("ROC-AUC", False, _WORDS, roc_auc),
        CmiMeasure("PR-AUC", False, _WORDS, pr_auc),
        CmiMeasure("micro F1", False, _WORDS, micro_f1),
    )


Kind = Literal[
    "label", "pitch", "key", "number", "tags", "beats", "melody", "lyrics", "description", "events"
]
Score = Callable[[str, str], tuple[dict[str, float], str]]


class AnswerKind(msgspec.Struct, frozen=True):
    """The way in which answers of a kind are scored.

    Attributes
    ----------
    measures : tuple of CmiMeasure
        The figures of a task.
    score : callable, optional
        From a label and a reply to scores, and how the reply was read; None where one label of a
        closed set is right, and the others wrong.
    needs : tuple of str
        Modules of other packages.
    """

    measures: tuple[CmiMeasure, ...]
    score: Score | None = None
    needs: tuple[str, ...] = ()


KINDS: dict[Kind, AnswerKind] = {
    "label": AnswerKind(ACCURACY),
    "pitch": AnswerKind(ACCURACY),
    "key": AnswerKind(KEY, needs=("mir_eval",)),
    "number": AnswerKind(events.NUMBER_MEASURES, events.score_number),
    "tags": AnswerKind(tag_measures(), score_tags),
    "beats": AnswerKind(events.BEAT_MEASURES, events.score_beats, ("mir_eval",)),
    "melody": AnswerKind(events.MELODY, events.score_melody, ("mir_eval",)),
    "lyrics": AnswerKind(LYRICS, score_lyrics, ("jiwer", "num2words")),
    "description": AnswerKind(DESCRIPTIONS, score_description, ("nltk", "rouge_score")),
    "events": AnswerKind(events.EVENT_MEASURES, events.score_events),
}


class CmiTask(msgspec.Struct, frozen=True):
    """One task.

    Attributes
    ----------
    name : str
        As the published files call it.
    kind : Kind
    group : str
        What it is counted under; "classification" where one label of a closed set is wanted.
    tags : int
        How many tags its published set has; 0 for other kinds, and where it is not known.
    """

    name: str
    kind: Kind
    group: str
    tags: int = 0

    @property
    def measures(self) -> tuple[CmiMeasure, ...]:
        """The measures of the task's answers."""
        return tag_measures(self.tags) if self.tags else KINDS[self.kind].measures

    @property
    def chooses(self) -> bool:
        """True if one label of a closed set is wanted."""
        return KINDS[self.kind].score is None


TASKS = {
    name: msgspec.convert({"name": name, **facts}, CmiTask)
    for name, facts in read_beside(__file__, "tasks.toml", dict[str, dict[str, Any]]).items()
}


def require(tasks: Sequence[CmiTask]) -> None:
    """Raise `InputError` where a library that scores one of the tasks is not installed."""
    for task in tasks:
        for module in KINDS[task.kind].needs:
            imported(module, module.replace("_", "-"), "mir")


def judge(task: CmiTask, label: str, reply: str, labels: Sequence[str] = ()) -> Verdict:
    """The verdict on a reply: right or wrong for one label of a closed set, else scores alone.

    Parameters
    ----------
    task : CmiTask
    label : str
        The right answer.
    reply : str
    labels : sequence of str
        The closed set, where one is chosen from.

    Returns
    -------
    Verdict
        What cannot be read is `no_answer`; in a task that is scored by degrees, the score
        ``read`` is 0. Its other scores are then those of an empty answer.
    """
    score = KINDS[task.kind].score
    if score is None:
        return _choice(task, label, reply, labels)
    scores, why = score(label, reply)
    return Verdict("ungraded", None, why=why, scores=scores)


def _choice(task: CmiTask, label: str, reply: str, labels: Sequence[str]) -> Verdict:
    scores: dict[str, float] = {}
    if task.kind == "key":
        answer, why = read_key(reply)
        theirs = published_key(reply)
        scores["published"] = weighted(label, theirs)
        scores["published_exact"] = float(theirs == label)
        scores["weighted"] = weighted(label, answer)
    else:
        read = read_pitch if task.kind == "pitch" else None
        answer, why = read(reply) if read else read_label(reply, labels)
        scores["published"] = float(published_right(label, reply, labels))
    state: State = "no_answer" if answer is None else "correct" if answer == label else "wrong"
    scores["right"] = float(state == "correct")
    return Verdict(state, answer, why=why, scores=scores)


def check_label(task: CmiTask, label: str) -> Said | None:
    """Describe what is wrong with a label; None for nothing."""
    if task.kind == "number":
        try:
            float(label)
        except ValueError:
            return said("flaw-is-no", field="output", value=repr(label), what="number")
    if task.kind == "key" and label not in KEYS:
        return said("flaw-is-no", field="output", value=repr(label), what="key")
    if task.kind == "beats" and not events.published_times(label):
        return said("flaw-is-no", field="output", value=None, what="times")
    if task.kind in ("label", "pitch", "lyrics", "description") and not label.strip():
        return said("flaw-none", field="output")
    return None


def read_tasks(names: Sequence[str]) -> list[CmiTask]:
    """Tasks by their names, whatever their case. Raises `InputError` for an unknown one."""
    known = {name.lower(): task for name, task in TASKS.items()}
    for name in names:
        if name.lower() not in known:
            raise InputError(said("cmi-which", name=repr(name), hint=did_you_mean(name, TASKS)))
    return [known[name.lower()] for name in dict.fromkeys(names)]
