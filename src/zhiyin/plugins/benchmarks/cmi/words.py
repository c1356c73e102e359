"""Texts against texts: lyrics by edits, descriptions by what they share."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure, JudgedReply, error_rate_of, mean_of

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
            _grams(tokens, order) for tokens in (reply_tokens, label_tokens)
        )
        scores[f"grams_{order}"] = float(reply_grams.total())
        scores[f"shared_{order}"] = float((reply_grams & label_grams).total())
    return scores, "a text" if reply.strip() else "no text"


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=True)


def _grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[k : k + order]) for k in range(len(tokens) - order + 1))


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
    import numpy as np

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
