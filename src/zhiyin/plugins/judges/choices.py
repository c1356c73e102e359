"""Naming failures: why a choice went wrong, with the words that show it.

Grading the reasoning behind right answers by the criteria that each question brings along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.numerals import percent
from zhiyin.plugins.judges import reading
from zhiyin.plugins.judges.language import Language, open_language
from zhiyin.plugins.judges.reading import (
    TEXT,
    YES_NO,
    Fields,
    Schema,
    UnreadableJudgement,
    choice,
    list_schema,
    record_schema,
)
from zhiyin.plugins.judges.rubric import Judgement, JudgementDetail
from zhiyin.plugins.methods.evasion import evasion_in
from zhiyin.reader import is_refusal
from zhiyin.words import Text, localized, said

if TYPE_CHECKING:
    from zhiyin.plugins.judges.cases import JudgedCase
    from zhiyin.plugins.judges.grades import Grades


_SHARED = ("evasion", "guess", "other")
MODES = {
    "heard": (
        *("auditory_hallucination", "language_hallucination", "training_data_bias"),
        *_SHARED,
    ),
    "read": ("matching_error", "comprehension_error", "reasoning_error", *_SHARED),
}
"""Names of failures: of questions about sound (after Weck et al. 2024, arXiv:2408.01337, section
6), of questions in writing (after Li et al. 2024, arXiv:2406.15885, section 6), and of both. What
each means stands in the language packs."""
BY_RULE = (
    *("silence", "refusal", "training_data_bias", "evasion"),
    *("bare_letter", "guess", "caption"),
)
"""What the first pass can name: besides the above, no words at all, a model that declines, a
letter without any reasoning, and a caption in place of an answer."""

_NO_CAPTION = re.compile(
    r"(?:not|n't|never) (?:explicitly |clearly |specifically )?"
    r"(?:mentioned|specified|stated|described|provided|given|indicated) (?:in|by) the "
    r"(?:caption|description|text|passage|context|metadata)[^.\n]{0,120}+"
    r"|(?:the )?(?:caption|description|passage|metadata) (?:does not|doesn't) "
    r"(?:mention|say|specify|state|describe|provide|indicate)[^.\n]{0,120}+"
    r"|(?:描述|字幕|文字说明|标题|说明)(?:中|里)?(?:并)?(?:没有|未)(?:提到|提及|说明|给出)[^。\n]{0,60}+",
    re.IGNORECASE,
)
"""Mentions a caption where there is none: an example of training bias in Weck et al. 2024."""
_GUESS = re.compile(
    r"(?:I(?:'ll| will| would|'d)? (?:have to )?(?:just )?guess|my (?:best )?guess|"
    r"(?:random|educated|wild) guess|at random)[^.\n]*"
    r"|(?:我猜|猜测|随便选|随机选|蒙一个|瞎猜)[^。\n]*",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:the (?:low quality )?(?:recording|song|track|clip) (?:features|is an? instrumental|"
    r"consists of|contains)|the tempo is (?:slow|medium|fast)|there are no (?:vocals|voices)|"
    r"this (?:song|track|piece|music) (?:can|could|may) be (?:played|used|heard)|"
    r"(?:这是一首|这首(?:歌|曲子|音乐)(?:适合|可以用于)))[^.。\n]*",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(?:the|my|final|correct|right|answer|option|choice|is|it)\b|最终|正确|答案|选项|应该|选|是|为",
    re.IGNORECASE,
)
"""What may stand around a bare letter."""


class RuleFinding(msgspec.Struct, frozen=True):
    """A failure named by the first pass: a name out of `BY_RULE`, and the words that show it."""

    mode: str
    quote: str


def first_pass(reply: str, letters: Sequence[str], answered: bool) -> RuleFinding | None:
    """The failure that can be named by rule alone, or None.

    Parameters
    ----------
    reply : str
    letters : sequence of str
        The letters of the options.
    answered : bool
        Whether an answer was found in the reply; one who answers does not evade, and a caption
        beside an answer is the judge's matter.
    """
    text = reply.strip()
    if not text:
        return RuleFinding("silence", "")
    if not answered and (finding := _without_answer(text)):
        return finding
    guess = _GUESS.search(text)
    if guess:
        return RuleFinding("guess", guess[0].strip())
    if _FRAME.sub("", text).strip("\n\t .:：。，,()（）[]*\"'") in letters:
        return RuleFinding("bare_letter", text)
    captions = [match[0].strip() for match in _CAPTION.finditer(text)]
    if not answered and len(captions) >= 2:
        return RuleFinding("caption", "; ".join(captions))
    return None


def _without_answer(text: str) -> RuleFinding | None:
    """Find why a reply has no answer, if its words say so."""
    if is_refusal(text):
        return RuleFinding("refusal", text[:200])
    if biased := _NO_CAPTION.search(text):
        return RuleFinding("training_data_bias", biased[0].strip())
    evasion = evasion_in(text)
    return RuleFinding("evasion", evasion) if evasion is not None else None


def failure_schema(kind: str) -> Schema:
    """The JSON schema of a finding, for questions that were "heard" or "read"."""
    return record_schema(mode=choice(MODES[kind]), quote=TEXT, reason=TEXT)


def wording(mode: str, language: Language) -> str:
    """Describe a failure mode; in English if a language pack does not say it."""
    return language.words.modes.get(mode) or open_language("en").words.modes[mode]


def list_modes(kind: str, language: Language) -> str:
    """The modes as lines for a prompt."""
    return "\n".join(f"- {mode}: {wording(mode, language)}" for mode in MODES[kind])


def read_failure(reply: str, text: str, kind: str) -> Judgement:
    """The failure named in a reply.

    Raises
    ------
    UnreadableJudgement
        The mode is not one of those asked for, or the quotation is not in `text`.
    """
    fields = reading.read_object(reply, ("mode",))
    quote, faults = reading.words(fields.get("quote")), []
    if not reading.quoted_in(quote, text):
        faults = [
            said("log-judge-quote", quote=quote[:60]) if quote else said("log-judge-no-quote")
        ]
    modes = dict.fromkeys(MODES[kind], ())
    (mode,) = reading.read_all(
        lambda word: reading.word_of(word, modes, "mode"), [fields.get("mode")], *faults
    )
    reason = reading.words(fields.get("reason"))
    return Judgement({mode: 1.0}, JudgementDetail(mode=mode, quote=quote, reason=reason))


_TRIMMED = 3
"""From so many draws on the highest and the lowest can be left out."""


def criteria_schema(count: int) -> Schema:
    """The JSON schema of a judgement by `count` criteria."""
    number = {"type": "integer", "minimum": 1, "maximum": count}
    return record_schema(
        criteria=list_schema(record_schema(criterion=number, met=YES_NO, reason=TEXT))
    )


def listed(case: JudgedCase) -> str:
    """The criteria as numbered lines of a prompt."""
    return "\n".join(f"{n}. {c.name}: {c.met}" for n, c in enumerate(case.criteria, 1))


def read_criteria(reply: str, count: int) -> Judgement:
    """The criteria that a judge found met. The score is their share.

    Raises
    ------
    UnreadableJudgement
        A criterion is missing, named twice or unknown, or is neither met nor not.
    """
    fields = reading.read_object(reply, ("criteria",))
    met: dict[int, bool] = {}
    reasons: dict[int, str] = {}

    def read(entry: Fields) -> None:
        number = reading.number(entry.get("criterion"), count, "criterion")
        if number != int(number) or number < 1:
            raise UnreadableJudgement(said("log-judge-criterion", number=number, count=count))
        if int(number) in met:
            raise UnreadableJudgement(said("log-judge-twice", number=int(number)))
        met[int(number)] = reading.yes_no(entry.get("met"), "met")
        reasons[int(number)] = reading.words(entry.get("reason"))

    reading.read_all(read, reading.objects(fields.get("criteria"), "criteria"))
    if lost := [n for n in range(1, count + 1) if n not in met]:
        raise UnreadableJudgement(said("log-judge-lost", number=lost[0], count=count))
    total = sum(met.values())
    order = sorted(met)
    detail = JudgementDetail(met=[met[n] for n in order], reasons=[reasons[n] for n in order])
    return Judgement({"score": total / count, "met": float(total)}, detail)


class ReasoningScore(msgspec.Struct, frozen=True):
    """The score of a group of questions, with its 95 % interval; each in [0, 1].

    `right` are those that were answered right, `missing` those of them without a judgement. While
    there are such, there is no score: what is missing are right answers alone, so that the mean
    of the rest would be too low. `worst` and `best` are what it is if they meet nothing, or all.
    `stable`, with its interval, leaves out the lowest and the highest draw question by question;
    None with fewer than three draws, or where one is missing.
    """

    group: str
    questions: int
    right: int
    missing: int
    score: float | None
    low: float | None
    high: float | None
    worst: float
    best: float
    stable: tuple[float, float, float] | None = None

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / self.questions


class Reasoned(msgspec.Struct, frozen=True):
    """The reasoning of a run, graded by one judge.

    `trimmed` is the mean over draws without the highest and the lowest of them; None with fewer
    than three, or where one is not whole. `missing` counts questions that lack a judgement,
    `partly` those among them that have others.
    """

    run: str
    judge: str
    draws: int
    groups: list[ReasoningScore]
    trimmed: float | None
    missing: int
    notes: list[str]
    partly: int = 0


def graded(run: Path, grades: Grades) -> Reasoned:
    """Put the answers of a run and the judgements of their reasoning together."""
    draws = grades.of("reasoning")
    values: dict[str, list[float | None]] = {}
    for case in grades.cases:
        if not case.right:
            values[case.id] = [0.0] * grades.draws
            continue
        given = draws.get(case.id, [])
        values[case.id] = [g.judgement.scores["score"] if g.judgement else None for g in given]
    names = dict.fromkeys(g for case in grades.cases for g in case.groups if "/" not in g)
    # As everywhere, the whole is over what was asked in the main way, where anything was.
    shares = [_share("all", [c for c in grades.cases if c.plain] or grades.cases, values)]
    shares += [_share(g, [c for c in grades.cases if g in c.groups], values) for g in names]
    return Reasoned(
        str(run), grades.judge, grades.draws, shares, _trimmed(values, grades.draws),
        sum(None in each for each in values.values()), grades.remarks,
        sum(None in each and set(each) != {None} for each in values.values()),
    )  # fmt: skip


def all_wrong(run: Path, draws: int) -> Reasoned:
    """The reasoning of a run without a right answer, which needs no judge."""
    from zhiyin.plugins.judges.cases import reasoned
    from zhiyin.plugins.judges.grades import Grades

    return graded(run, Grades(run, "nobody", draws, ("reasoning",), reasoned(run), [], []))


def _share(
    group: str, cases: Sequence[JudgedCase], values: dict[str, list[float | None]]
) -> ReasoningScore:
    scored = [
        (case.song, sum(scores) / len(scores))
        for case in cases
        if (scores := [value for value in values[case.id] if value is not None])
    ]
    score = low = high = None
    missing = len(cases) - len(scored)
    worst = sum(value for _, value in scored) / len(cases)
    if not missing:
        score, low, high = _with_interval(scored)
    right = sum(case.right for case in cases)
    best = worst + missing / len(cases)
    return ReasoningScore(
        group, len(cases), right, missing, score, low, high, worst, best, _stable(cases, values)
    )


def _with_interval(scored: Sequence[tuple[str, float]]) -> tuple[float, float, float]:
    """The mean of scores by song, and its 95 % interval."""
    from zhiyin.statistics.intervals import interval

    songs, values = zip(*scored, strict=True)
    return interval(values, songs).ends


def _stable(
    cases: Sequence[JudgedCase], values: dict[str, list[float | None]]
) -> tuple[float, float, float] | None:
    """The mean over questions, each without its lowest and its highest draw.

    Source: Ma et al. 2025 (arXiv:2505.13032), ``code/evaluation_rubrics.py`` at commit 3bce090.
    """
    scored = []
    for case in cases:
        draws = sorted(value for value in values[case.id] if value is not None)
        if case.right and (len(draws) < _TRIMMED or len(draws) < len(values[case.id])):
            return None
        scored.append((case.song, sum(draws[1:-1]) / (len(draws) - 2) if case.right else 0.0))
    return _with_interval(scored)


def _trimmed(values: dict[str, list[float | None]], draws: int) -> float | None:
    columns = list(zip(*values.values(), strict=True)) if values else []
    whole = [c for c in columns if None not in c]
    if draws < _TRIMMED or len(whole) < draws:
        return None
    means = sorted(sum(v or 0.0 for v in c) / len(c) for c in whole)
    return float(sum(means[1:-1])) / (len(means) - 2)


def reasoning_lines(result: Reasoned) -> Iterator[str]:
    """The figures as lines."""
    total, draws = result.groups[0], result.draws
    yield localized(said("judged-reasoning", run=result.run, judge=result.judge, right=total.right,
                   n=total.questions))  # fmt: skip
    width = max(len(share.group) for share in result.groups)
    lines = []
    for one in result.groups:
        if one.score is None or one.low is None or one.high is None:
            score = f"{percent(one.worst)}–{percent(one.best)} %"
        else:
            score = f"{percent(one.score)} % ({percent(one.low)}–{percent(one.high)})"
        lines.append(said("judged-reasoning-group", name=f"{one.group:{width}}", score=score,
                          n=one.questions, missing=one.missing))  # fmt: skip
    if result.trimmed is not None:
        score = f"{percent(result.trimmed)} %"
        lines.append(said("judged-reasoning-trimmed", draws=draws, score=score))
    if total.stable is not None and draws >= _TRIMMED:
        score, right = (f"{percent(each)} %" for each in (total.stable[0], total.accuracy))
        lines.append(said("judged-reasoning-stable", draws=draws, score=score, right=right))
    notes: list[Text] = []
    if result.missing > result.partly:
        notes.append(said("judged-reasoning-missing"))
    if result.partly:
        notes.append(said("judged-reasoning-partly", draws=draws, n=result.partly))
    lines += [said("judged-note", what=note) for note in [*notes, *result.notes]]
    yield from (f"   {localized(line)}" for line in lines)
