"""The study file and its items: what a study is, typed and checked before anybody is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import json_lines, read_lines, write_atomically
from zhiyin.flags import COUNT, WHOLE, Flag
from zhiyin.plugins.people import COUNTED, Count, Keep, Role
from zhiyin.plugins.people.rules import Exclude
from zhiyin.trial import Trial
from zhiyin.words import said

FILE, ITEMS, MEDIA, DATABASE, KEY = (
    "study.toml", "items.jsonl", "media", "answers.sqlite", "secret.key"
)  # fmt: skip
CHECKING: dict[Role, str] = {"attention": "attention_wrong", "gold": "gold_right"}
"""Roles of items by whose answers people are excluded, and the rule that does it."""
Kind = Literal["exam", "validate", "rate", "annotate"]
Headphones = Literal["none", "woods", "huggins"]
Whole = Annotated[int, msgspec.Meta(ge=0)]


EDUCATION = ("high_school", "bachelor", "master", "doctorate", "other", "unsaid")
YES_NO = ("yes", "no", "unsaid")
AGES = ("18_24", "25_34", "35_44", "45_54", "55_64", "over_64", "unsaid")
HEARING = ("normal", "loss", "unsure", "unsaid")
YEARS = ("years_0", "years_1_2", "years_3_5", "years_6_9", "years_over_9", "unsaid")
INSTRUMENTS = (
    *("none", "voice", "piano", "strings", "plucked", "wind", "percussion", "electronic"),
    *("other", "unsaid"),
)  # fmt: skip
FIELDS: dict[str, tuple[str, ...]] = {
    "education": EDUCATION, "music_major": YES_NO, "music_background": YES_NO,
    "lessons_years": YEARS, "instrument": INSTRUMENTS, "age": AGES, "hearing": HEARING,
}  # fmt: skip
"""Fields of the questionnaire and what can be answered (the first three: Li et al. 2024,
arXiv:2406.15885, section 7: those who are taking a degree count with those who have it)."""


class _StudyTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the study file. A name that is not known is refused."""


LongText = Annotated[str, msgspec.Meta(extra={"rows": 2})]
"""A text of more than one line; a form has so many rows for it."""


TO = " → "
"""What stands between a line of a question and its translation."""


class StudyTexts(_StudyTable, frozen=True):
    """Texts that participants read about the study, in one language.

    `consent` are the statements to which a person agrees one by one; all are needed. In
    `information`, ``{minutes}`` is filled in (see `telling.minutes_of`). `contact` says who is
    responsible, and how to reach them; `debriefing` is what people read at the end. `pole_low`
    and `pole_high` are the ends of scales, "" for those of the file of words. `questions` are lines
    of questions and options in this language: "Major → Dur".
    """

    title: str
    information: Annotated[str, msgspec.Meta(extra={"rows": 8})]
    consent: Annotated[list[str], msgspec.Meta(extra={"rows": 5})]
    instructions: LongText = ""
    contact: LongText = ""
    debriefing: LongText = ""
    pole_low: Annotated[str, msgspec.Meta(examples=["bad"])] = ""
    pole_high: Annotated[str, msgspec.Meta(examples=["excellent"])] = ""
    questions: Annotated[list[str], msgspec.Meta(extra={"rows": 8})] = []


class Annotations(_StudyTable, frozen=True):
    """Rules on how many answers an item gets.

    An item is closed when it has `most` answers, or where `stop_when_agreed`, when it has at least
    `least` and all are the same. None: every item stays open. `wanted` closes nothing: the study is
    enough when every item has as many answers of people who are not excluded, or is closed.
    """

    least: Count = 3
    most: Annotated[Count | None, msgspec.Meta(examples=[5])] = None
    stop_when_agreed: bool = False
    wanted: Annotated[Count | None, msgspec.Meta(examples=[20])] = None


class ListeningRule(_StudyTable, frozen=True):
    """Least and greatest number of times that each sound is heard to its end before an answer."""

    least: Whole = 1
    most: Annotated[Count | None, msgspec.Meta(examples=[3])] = None


class ComprehensionQuestion(_StudyTable, frozen=True):
    """A question on the instructions: words by language; `right` is the answer's place, from 1."""

    text: dict[str, str]
    options: dict[str, list[str]]
    right: Annotated[Count, msgspec.Meta(examples=[1])]


class Checks(_StudyTable, frozen=True):
    """Checks before the questions. Headphones exclude only where an exclusion says so."""

    volume: bool = True
    headphones: Headphones = "none"
    tries: Count = 2
    comprehension: list[ComprehensionQuestion] = []


class Quota(_StudyTable, frozen=True):
    """A limit on the number of people with one answer of the questionnaire."""

    field: Annotated[str, msgspec.Meta(extra={"among": (*FIELDS,)})]
    value: Annotated[str, msgspec.Meta(extra={"among": (*dict.fromkeys(chain(*FIELDS.values())),)})]
    most: Annotated[Whole, msgspec.Meta(examples=[20])]


_PLATFORM = "https://app.prolific.com/submissions/complete?cc={code}"


class End(_StudyTable, frozen=True):
    """Codes for the three ends, and the address that people are sent back to.

    ``{code}`` in `address` is filled in. Where there is no code, none is shown.
    """

    complete: Annotated[str, msgspec.Meta(examples=["C1"])] = ""
    screened_out: Annotated[str, msgspec.Meta(examples=["C2"])] = ""
    no_consent: Annotated[str, msgspec.Meta(examples=["C3"])] = ""
    address: Annotated[str, msgspec.Meta(examples=[_PLATFORM])] = ""


GIVEN_UP_HOURS = 24.0
FIXED = msgspec.Meta(extra={"fixed": True})
"""What the items of a study are made for: it is not edited."""


class StudyDesign(_StudyTable, frozen=True, kw_only=True):
    """A study.

    Attributes
    ----------
    format : int
        1 counted `right` of a comprehension question from 0 (`settings.read_study`).
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
        Of the questionnaire: "education", "music_major", "music_background", "lessons_years",
        "instrument", "age", "hearing".
    scale_file : str
        A file of statements with their subscales, such as a self-report of musicianship; "" for
        none. See `questionnaire.read_scale`.
    idle_s : float
        After so many seconds without a sign of the person, time does not count.
    given_up_hours : float
        After so many hours without a sign, somebody who has not ended has given up; they may still
        come back.
    """

    format: Annotated[Literal[1, 2], FIXED] = 2
    name: str
    kind: Annotated[Kind, FIXED]
    languages: list[str]
    seed: int = 0
    per_person: Annotated[Count | None, msgspec.Meta(examples=[40])] = None
    shuffle: bool = True
    fields: Annotated[list[str], msgspec.Meta(extra={"among": (*FIELDS,)})] = msgspec.field(
        default_factory=lambda: ["education", "music_major", "music_background"]
    )
    scale_file: Annotated[str, msgspec.Meta(examples=["scale.json"])] = ""
    idle_s: Annotated[float, msgspec.Meta(gt=0)] = 30.0
    given_up_hours: Annotated[float, msgspec.Meta(gt=0)] = GIVEN_UP_HOURS
    annotations: Annotations = Annotations()
    listening: ListeningRule = ListeningRule()
    checks: Checks = Checks()
    quotas: list[Quota] = []
    exclude: Exclude = Exclude()
    keep: Keep = Keep()
    end: End = End()
    texts: dict[str, StudyTexts]


class ItemRoles(msgspec.Struct, frozen=True):
    """Numbers of items for practice, with a known answer that counts, and of attention checks."""

    practice: Whole = 0
    gold: Whole = 0
    attention: Whole = 0


class StudyWish(msgspec.Struct, frozen=True):
    """Wishes for a new study; each field carries its command-line flag."""

    kind: Annotated[Kind, Flag("what people do")] = "exam"
    per_group: Annotated[
        int | None, Flag("items drawn of each group", metavar="N", within=COUNT)
    ] = None
    sample: Annotated[int | None, Flag("items drawn of all", metavar="N", within=COUNT)] = None
    practice: Annotated[int, Flag("items set apart for practice", within=WHOLE)] = 0
    gold: Annotated[int, Flag("items whose known answer counts", within=WHOLE)] = 0
    attention: Annotated[int, Flag("questions for a certain answer", within=WHOLE)] = 0
    pairs: Annotated[bool, Flag("compare the texts of two runs side by side")] = False
    seed: Annotated[int, Flag("of all draws and orders")] = 0
    languages: Annotated[
        tuple[str, ...],
        Flag("of the pages; default those of the questions", metavar="L,L", once=True),
    ] = ()
    errata: Annotated[
        str | None, Flag("of `zhiyin errata`: for annotate, the items to be judged", "FILE")
    ] = None
    as_loud: Annotated[bool, Flag("leave every sound as loud as it is")] = False
    words: Annotated[
        tuple[str, ...], Flag("of pages in a further language, such as fr.ftl", metavar="FILE")
    ] = ()

    def __post_init__(self) -> None:
        names = self.languages
        if any(not name.replace("-", "").isalnum() for name in names):
            raise InputError(said("study-languages", names=",".join(names)))


PORT = msgspec.Meta(ge=0, le=65535)


class ServingWish(msgspec.Struct, frozen=True):
    """Serving of a study and the way people come; each field carries its command-line flag."""

    host: Annotated[str, Flag("where people come", "ADDRESS")] = "127.0.0.1"
    port: Annotated[int, Flag("of people; 0: as the last time, at first any free one"), PORT] = 0
    research_host: Annotated[str, Flag("of the researcher's page", "ADDRESS")] = "127.0.0.1"
    research_port: Annotated[int, Flag("likewise"), PORT] = 0
    https: Annotated[bool, Flag("people come by https, through a proxy")] = False
    behind_proxy: Annotated[bool, Flag("believe a proxy's X-Forwarded-For")] = False
    model: Annotated[
        tuple[str, ...], Flag("a model's run on the exam, to stand beside people", "RUN")
    ] = ()


def fingerprint(study: StudyDesign, *files: bytes) -> str:
    """A hash of all that must not change once somebody has taken part: design and items.

    Parameters
    ----------
    study : StudyDesign
    files : bytes
        The contents of the other files that belong to it.
    """
    design = msgspec.to_builtins(study) | {"format": 1}  # a study of that format is the same
    for question in design["checks"]["comprehension"]:
        question["right"] -= 1
    for texts in design["texts"].values():
        for name in ("debriefing", "pole_low", "pole_high", "questions"):
            if not texts[name]:  # a study that was begun before there was one is the same
                del texts[name]
    if design["annotations"]["wanted"] is None:  # likewise
        del design["annotations"]["wanted"]
    if study.exclude.reference_below is None:  # likewise
        del design["exclude"]["reference_below"], design["exclude"]["reference_share"]
    if study.given_up_hours == GIVEN_UP_HOURS:  # likewise
        del design["given_up_hours"]
    digest = hashlib.sha256(msgspec.json.encode(design, order="sorted"))
    for data in files:
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


Form = Literal["one", "many", "text", "grades", "slots", "pair"]
FLAGS = ("cannot_tell", "odd")
"""What may stand in place of marks: that it cannot be answered, that something is wrong."""


class StudyChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to choose: its key in the data, its words, and these in other languages."""

    key: str
    text: str
    texts: dict[str, str] = {}


class GradeScale(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to grade from `low` to `high` in whole numbers; `texts` are its words."""

    key: str
    texts: dict[str, str]
    low: int = 1
    high: int = 10


class StudyMedium(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of the study's own: nothing in its name tells what it is.

    `kind` is "sound", "picture", "tune" (engraved), "tune_sound" (its notes played), "example"
    (the sound of a worked example, which need not be heard), or "example_tune" (its notation).
    `label` is what a person reads, such
    as the letter of the option that it belongs to, or the number of the example; `slot` the key of
    what is graded with it.
    """

    kind: Literal["sound", "picture", "tune", "tune_sound", "example", "example_tune"]
    file: str
    seconds: float = 0.0
    label: str = ""
    slot: str = ""


class StudyExample(msgspec.Struct, frozen=True):
    """A worked example, in the words that models get: what is asked, and what is answered."""

    question: str
    answer: str


class StudyItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One page of a study.

    Attributes
    ----------
    id : str
        Unique in the study.
    trial : Trial
        What is asked, as a model is asked it. For rated texts: of the first of them.
    form : str
        "one" choice, "many", free "text", "grades" on scales, "slots" (a sound each, graded), or a
        "pair" of texts of which the better is chosen.
    stem : str
        What a person reads.
    choices, scales : tuple
    quoted : tuple of StudyChoice
        Texts of models that are judged; their keys say whose they are, and are never shown.
    media : tuple of StudyMedium
    role : str
        "plain"; "practice" is outside all figures; "gold" has a known answer, "attention" asks for
        a certain one.
    expected : tuple of str
        Keys of a gold, attention or practice item that are right.
    group : str
        For drawing in proportion.
    roles : dict
        Of slots: "reference" and "anchor", by key.
    instruction : str
        The system message of the trial, which a person reads as models do.
    examples : tuple of StudyExample
        Likewise.
    """

    id: str
    trial: Trial
    form: Form
    stem: str
    choices: tuple[StudyChoice, ...] = ()
    scales: tuple[GradeScale, ...] = ()
    quoted: tuple[StudyChoice, ...] = ()
    media: tuple[StudyMedium, ...] = ()
    role: Role = "plain"
    expected: tuple[str, ...] = ()
    group: str = ""
    roles: dict[str, str] = {}
    stems: dict[str, str] = {}
    instruction: str = ""
    examples: tuple[StudyExample, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys whose order is drawn."""
        named = self.quoted if self.form == "pair" else self.choices
        return tuple(one.key for one in (named or (self.scales if self.form == "slots" else ())))

    @property
    def reference(self) -> str:
        """The key of the hidden reference; "" where there is none."""
        return next((key for key, role in self.roles.items() if role == "reference"), "")

    @property
    def sounds(self) -> tuple[StudyMedium, ...]:
        """Sounds that must be heard before an answer. Tunes that are played for help are not."""
        return tuple(one for one in self.media if one.kind == "sound")


def sounds_as_shown(item: StudyItem, order: list[str]) -> list[StudyMedium]:
    """The sounds that have to be heard, in the order of the page: it tells nothing of the data's.

    Those that are graded come in the order drawn, then what is heard openly.
    """
    by_slot = {sound.slot: sound for sound in item.sounds}
    graded = [by_slot[key] for key in order if key in by_slot] if item.form == "slots" else []
    return [*graded, *(sound for sound in item.sounds if sound not in graded)]


def write_items(folder: Path, items: Iterable[StudyItem]) -> None:
    """Write the items of a study."""
    data = json_lines(items)
    write_atomically(folder / ITEMS, data, synced=True)


def read_items(folder: Path) -> dict[str, StudyItem]:
    """The items of a study by id. Raises `InputError` for what is damaged or named twice."""
    path = folder / ITEMS
    items: dict[str, StudyItem] = {}
    for where, item in read_lines(path, StudyItem, said("study-make-again", why="")):
        if item.id in items:
            raise InputError(said("study-item-twice", where=where, id=repr(item.id)))
        items[item.id] = item
    if not any(item.role in COUNTED for item in items.values()):
        raise InputError(said("study-no-items", path=path))
    return items
