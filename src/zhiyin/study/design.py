"""The study file: what a study is, typed and checked before anybody is asked."""

from __future__ import annotations

import hashlib
import math
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.errors import InputError

FILE, ITEMS, MEDIA, DATABASE, KEY = (
    "study.toml", "items.jsonl", "media", "answers.sqlite", "secret.key"
)  # fmt: skip
Kind = Literal["exam", "validate", "rate", "annotate"]
Headphones = Literal["none", "woods", "huggins"]
BUILT_IN = ("en", "zh")
"""Languages whose words Zhiyin has; others come by a file of the study's."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the study file. A name that is not known is refused."""


class Words(_Part, frozen=True):
    """What participants read about the study, in one language.

    `consent` are the statements to which a person agrees one by one; all are needed.
    """

    title: str
    information: str
    consent: list[str]
    instructions: str = ""
    contact: str = ""


class Annotations(_Part, frozen=True):
    """How many answers an item gets.

    An item is closed when it has `most` answers, or where `stop_when_agreed`, when it has at least
    `least` and all are the same. None: every item stays open.
    """

    least: int = 3
    most: int | None = None
    stop_when_agreed: bool = False


class Listening(_Part, frozen=True):
    """How often each sound must be heard to its end before an answer, and how often it may be."""

    least: int = 1
    most: int | None = None


class Question(_Part, frozen=True):
    """A question on the instructions: words by language; `right` is the place of the answer."""

    text: dict[str, str]
    options: dict[str, list[str]]
    right: int


class Checks(_Part, frozen=True):
    """What comes before the questions. Headphones exclude only where an exclusion says so."""

    volume: bool = True
    headphones: Headphones = "none"
    comprehension: list[Question] = []
    tries: int = 2


class Quota(_Part, frozen=True):
    """At most so many people with one answer of the questionnaire."""

    field: str
    value: str
    most: int


class Exclude(_Part, frozen=True):
    """Whose answers are set aside: declared here, before any answer is seen. None: no such rule.

    Attributes
    ----------
    attention_wrong : int or None
        Excluded with at least so many attention questions wrong.
    gold_right : float or None
        Excluded with a smaller share of the items with a known answer right, in [0, 1].
    median_seconds : float or None
        Excluded where the median time on a question, without idle time, is shorter.
    same_place : float or None
        Excluded where more than this share of the choices stands at one place of the list.
    headphones : bool
        Excluded where the headphone check was not passed.
    unfinished : bool
        Excluded where the questions were not all answered.
    """

    attention_wrong: int | None = None
    gold_right: float | None = None
    median_seconds: float | None = None
    same_place: float | None = None
    headphones: bool = False
    unfinished: bool = False


class Keep(_Part, frozen=True):
    """Which questions are kept after validation (Weck et al. 2024, arXiv:2408.01337, section 3.2).

    Kept with at least `annotations` answers, of which at least the share `right` marks the right
    option, and at most the share `distractors` marks a wrong one. `rule` says how wrong ones are
    counted: "any", answers that mark one or more of them; "each", every wrong option by itself.
    """

    annotations: int = 3
    right: float = 0.5
    distractors: float = 0.5
    rule: Literal["any", "each"] = "any"


class End(_Part, frozen=True):
    """Codes for the three ends, and the address that people are sent back to.

    ``{code}`` in `address` is filled in.
    """

    complete: str = ""
    screened_out: str = ""
    no_consent: str = ""
    address: str = ""


class Study(_Part, frozen=True):
    """A study.

    Attributes
    ----------
    name, kind : str
    languages : list of str
        The first is shown where a browser asks for none of them.
    texts : dict
        By language.
    seed : int
        Of all orders and draws.
    per_person : int or None
        Items that one person is given; None for all.
    shuffle : bool
        Whether options and stimuli are shown in random order.
    fields : list of str
        Of the questionnaire: "education", "music_major", "music_background".
    scale_file : str
        A file of statements with their subscales, such as a self-report of musicianship; "" for
        none. See `questionnaire.read_scale`.
    idle_s : float
        After so many seconds without a sign of the person, time does not count.
    """

    name: str
    kind: Kind
    languages: list[str]
    texts: dict[str, Words]
    format: Literal[1] = 1
    seed: int = 0
    per_person: int | None = None
    shuffle: bool = True
    fields: list[str] = msgspec.field(
        default_factory=lambda: ["education", "music_major", "music_background"]
    )
    scale_file: str = ""
    idle_s: float = 30.0
    annotations: Annotations = Annotations()
    listening: Listening = Listening()
    checks: Checks = Checks()
    quotas: list[Quota] = []
    exclude: Exclude = Exclude()
    keep: Keep = Keep()
    end: End = End()


EDUCATION = ("high_school", "bachelor", "master", "doctorate", "other", "unsaid")
YES_NO = ("yes", "no", "unsaid")
FIELDS: dict[str, tuple[str, ...]] = {
    "education": EDUCATION,
    "music_major": YES_NO,
    "music_background": YES_NO,
}
"""Fields of the questionnaire and what can be answered (Li et al. 2024, arXiv:2406.15885,
section 7: those who are taking a degree count with those who have it)."""


def read_study(folder: Path) -> Study:
    """The study file of a folder, checked. Raises `InputError` with place and remedy."""
    path = folder / FILE
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: no {FILE} here: make one with `zhiyin study make`") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error}); mend that line") from None
    try:
        study = msgspec.convert(document, Study)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}") from None
    for fault in faults(study):
        raise InputError(f"{path}: {fault}")
    return study


def faults(study: Study) -> list[str]:
    """Everything in a study file that cannot be meant, with its remedy."""
    problems = []
    if not study.languages:
        problems.append('languages is empty: give at least one, such as ["en"]')
    for language in study.languages:
        if language not in study.texts:
            problems.append(f"there is no [texts.{language}]: write one, or leave the language out")
        elif not study.texts[language].consent:
            problems.append(f"texts.{language}.consent is empty: say what people agree to")
    if len({len(words.consent) for words in study.texts.values()}) > 1:
        problems.append(
            "consent has more statements in one language than in another: make them alike"
        )
    for name in study.fields:
        if name not in FIELDS:
            problems.append(f"fields: {name!r} is not known; known: {', '.join(FIELDS)}")
    for quota in study.quotas:
        if quota.field not in study.fields:
            problems.append(f"quotas: {quota.field!r} is not asked: add it to fields")
        elif quota.value not in FIELDS[quota.field]:
            problems.append(f"quotas: {quota.value!r} is no answer of {quota.field}")
    return problems + _faults_of_numbers(study)


def _faults_of_numbers(study: Study) -> list[str]:
    problems = []
    rules, keep, notes = study.exclude, study.keep, study.annotations
    shares = {
        "exclude.gold_right": rules.gold_right, "exclude.same_place": rules.same_place,
        "keep.right": keep.right, "keep.distractors": keep.distractors,
    }  # fmt: skip
    for name, share in shares.items():
        if share is not None and not 0 <= share <= 1:
            problems.append(f"{name} = {share:g} is no share: give 0 to 1")
    counts = {
        "per_person": study.per_person, "annotations.least": notes.least,
        "annotations.most": notes.most, "listening.most": study.listening.most,
        "exclude.attention_wrong": rules.attention_wrong, "checks.tries": study.checks.tries,
        "keep.annotations": keep.annotations,
    }  # fmt: skip
    for name, count in counts.items():
        if count is not None and count < 1:
            problems.append(f"{name} = {count}: give 1 or more, or leave it out")
    if notes.most is not None and notes.most < notes.least:
        problems.append("annotations.most is below annotations.least")
    if study.listening.most is not None and study.listening.most < study.listening.least:
        problems.append("listening.most is below listening.least")
    if study.listening.least < 0:
        problems.append("listening.least cannot be negative")
    if not 0 < study.idle_s < math.inf:
        problems.append(f"idle_s = {study.idle_s:g}: give seconds above 0")
    if rules.headphones and study.checks.headphones == "none":
        problems.append("exclude.headphones needs checks.headphones: woods or huggins")
    for question in study.checks.comprehension:
        for language in study.languages:
            options = question.options.get(language, [])
            if language not in question.text or not 0 <= question.right < len(options):
                problems.append(
                    f"a question of checks.comprehension has no words or no right option in "
                    f"{language}"
                )
    return problems


def fingerprint(study: Study, *files: bytes) -> str:
    """A hash of all that must not change once somebody has taken part: design and items.

    Parameters
    ----------
    study : Study
    files : bytes
        The contents of the other files that belong to it.
    """
    digest = hashlib.sha256(msgspec.json.encode(study, order="sorted"))
    for data in files:
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def quoted(value: Any) -> str:
    """A value as TOML; JSON's strings and lists are TOML's too."""
    return msgspec.json.encode(value).decode()
