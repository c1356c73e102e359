"""The settings of a study, from the structs that declare them: file, form and checks are one.

A new field of `StudyDesign` has its line in the study file, its place in the browser's form and its
check without more; its words are in the message `study-setting`, under its path.
"""

from __future__ import annotations

import contextlib
import copy
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from zhiyin.errors import InputError
from zhiyin.files import refuse_pipes
from zhiyin.plugins.people import COUNTED
from zhiyin.plugins.people.rules import idle_rules
from zhiyin.plugins.people.tables import read_toml
from zhiyin.plugins.studies.design import (
    FIELDS,
    FILE,
    TO,
    Annotations,
    ItemRoles,
    ListeningRule,
    StudyDesign,
    StudyItem,
)
from zhiyin.words import Said, said, say

_STUDY, _ROLES = inspect.type_info(StudyDesign), inspect.type_info(ItemRoles)
_MOST_NAMED = 10
_RUN = re.compile(r"^# (run-\d+: .*)$", re.M)
_COMMA = re.compile(r"\d+,\d{1,2}|0,\d+")
"""A number as German or French writes it."""
"""A line of the file that says which run a number stands for; a file that is written again has
it."""


AGREEMENT = ("annotations.least", "annotations.stop_when_agreed")
"""Settings on answers that agree: no form of an exam or of ratings has them, for these want
everybody's answer."""
ALL_ASKED = ("exam", "rate")
"""Kinds of such studies."""
OF_RATINGS = (
    *("exclude.reference_below", "exclude.reference_share", "texts.pole_low", "texts.pole_high"),
)  # fmt: skip
"""Settings that no other kind's form has."""


class StudyFault(NamedTuple):
    """What cannot be meant in a study: the setting, "" for the whole, and why, with its remedy."""

    path: str
    why: Said | str

    @property
    def place(self) -> str:
        """The setting as people count: the first quota is "quotas.1"."""
        return re.sub(r"(?<=\.)\d+(?=\.)", lambda hit: str(int(hit[0]) + 1), self.path)


class FaultyStudyError(InputError):
    """Error: a study cannot be meant. `faults` has each setting that is wrong."""

    def __init__(self, faults: Sequence[StudyFault]) -> None:
        each = [said("error-at", where=f.place, why=f.why) if f.path else f.why for f in faults]

        super().__init__(said("study-faults", each=each))
        self.faults = faults


def faults(study: StudyDesign) -> list[StudyFault]:
    """Everything in which the settings of a study contradict each other, with its remedy."""
    found = []
    if not study.languages:
        found.append(StudyFault("languages", said("study-no-language")))
    for language in study.languages:
        if language not in study.texts:
            found.append(StudyFault("languages", said("study-no-texts", language=language)))
        elif not (language.replace("-", "").isalnum() and language.isascii()):
            found.append(StudyFault("languages", said("study-language-odd", language=language)))
        else:
            texts, path = study.texts[language], f"texts.{language}"
            if odd := [f"“{one}”" for one in texts.questions if TO not in f"{one} "]:
                why = said("study-no-arrow", lines=odd, arrow=TO.strip())
                found.append(StudyFault(f"{path}.questions", why))
            if not texts.consent:
                found.append(StudyFault(f"{path}.consent", said("study-no-consent")))
    if len({len(words.consent) for words in study.texts.values()}) > 1:
        last = list(study.texts)[-1]
        found.append(StudyFault(f"texts.{last}.consent", said("study-consent-unlike")))
    for n, quota in enumerate(study.quotas):
        if quota.field not in study.fields:
            found.append(
                StudyFault(f"quotas.{n}.field", said("study-quota-unasked", name=quota.field))
            )
        elif quota.value not in FIELDS[quota.field]:
            why = said("study-quota-no-answer", value=quota.value, name=quota.field)
            found.append(StudyFault(f"quotas.{n}.value", why))
    ends: dict[str, Annotations | ListeningRule] = {"listening": study.listening}
    if study.annotations.stop_when_agreed:  # else there is no least number of answers
        ends["annotations"] = study.annotations
    for name, rule in ends.items():
        if rule.most is not None and rule.most < rule.least:
            found.append(StudyFault(f"{name}.most", said("study-most-below-least")))
    if study.exclude.headphones and study.checks.headphones == "none":
        found.append(StudyFault("exclude.headphones", said("study-headphones-needed")))
    for n, question in enumerate(study.checks.comprehension):
        for language in study.languages:
            options = question.options.get(language, [])
            if not question.text.get(language) or question.right > len(options):
                why = said("study-question-lacks", language=language)
                found.append(StudyFault(f"checks.comprehension.{n}.right", why))
    return found


def idle(study: StudyDesign, items: Collection[StudyItem]) -> Iterator[StudyFault]:
    """Rules of a study that can never do anything: refused before anybody takes part."""
    counted = [item for item in items if item.role in COUNTED]
    chosen = [len(one.shown) for one in counted
              if one.form in ("one", "many", "pair") and len(one.shown) > 1]  # fmt: skip
    n = Counter(item.role for item in items)
    asked = min(len(chosen), study.per_person or len(chosen)), min(chosen, default=1)
    hidden = any(item.reference for item in counted)
    for name, why in idle_rules(study.exclude, n["attention"], n["gold"], *asked, hidden=hidden):
        yield StudyFault(f"exclude.{name}", why)
    notes, kept = study.annotations, study.keep.annotations
    ends = [notes.most] if notes.most is not None else []
    if ends and notes.wanted is not None and notes.wanted > ends[0]:
        yield StudyFault("annotations.wanted", said("study-more-than-most", n=ends[0]))
    ends += [notes.least] if notes.stop_when_agreed else []
    if study.kind == "validate" and ends and kept > min(ends):
        yield StudyFault("keep.annotations", said("study-never-kept", n=min(ends)))
    for number, question in enumerate(study.checks.comprehension):
        if any(len(options) < 2 for options in question.options.values()):
            path = f"checks.comprehension.{number}.options.{study.languages[0]}"
            yield StudyFault(path, said("study-one-option"))


class StudySetting(NamedTuple):
    """A setting: where it stands ("texts.en.title"), what it is ("texts.title"), and its value.

    `table` is the path of the struct that holds it. `value` is as TOML has it, None where it is
    left out; `more` is what else is declared of it.
    """

    path: str
    name: str
    table: str
    kind: inspect.Type
    value: Any
    more: Mapping[str, Any]

    @property
    def label(self) -> Said:
        """What it sets, in words."""
        return label_of(self.name)

    @property
    def language(self) -> str:
        """The language of a text; "" for what has none."""
        steps = [step for step in self.path.split(".") if not step.isdecimal()]
        return next((step for step in steps if step not in self.name.split(".")), "")

    @property
    def among(self) -> Sequence[Any]:
        """The values that there are, where they are few."""
        if isinstance(self.kind, inspect.LiteralType):
            return tuple(self.kind.values)
        return tuple(self.more.get("among", ()))


def label_of(name: str) -> Said:
    """What a setting or a table of settings is for, in words."""
    return said("study-setting", path=name.replace(".", "-") or "study")


def _unwrapped(kind: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    """A type without what may be left out, and what is declared beside it."""
    more: dict[str, Any] = {}
    while isinstance(kind, (inspect.Metadata, inspect.UnionType)):
        if isinstance(kind, inspect.Metadata):
            more |= (kind.extra or {}) | (kind.extra_json_schema or {})
            kind = kind.type
        else:
            kind = next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    return kind, more


def _item(kind: inspect.Type) -> inspect.Type | None:
    """The struct of which a type is a list."""
    of = kind.item_type if isinstance(kind, inspect.ListType) else None
    return of if isinstance(of, inspect.StructType) else None


def settings_of(values: Mapping[str, Any], *, blank: bool = False) -> Iterator[StudySetting]:
    """Every setting of a study file, or of its form: there each list has a `blank` row more."""
    languages = [one for one in values.get("languages") or () if isinstance(one, str)]
    yield from _settings(_STUDY, values, SettingPlace(), languages, blank)


class SettingPlace(NamedTuple):
    """Where a walk through the settings is: path, name, table, and whether something must stand."""

    path: str = ""
    name: str = ""
    table: str = ""
    required: bool = False


def _settings(
    kind: inspect.Type, value: Any, at: SettingPlace, languages: Sequence[str], blank: bool
) -> Iterator[StudySetting]:
    kind, more = _unwrapped(kind)
    of = _item(kind)
    parts: list[tuple[inspect.Type, Any, str, str, bool]] = []
    there: Any = value if isinstance(value, list if of else Mapping) else None
    if isinstance(kind, inspect.StructType):
        at, held = at._replace(table=at.path), there or {}
        parts = [(one.type, held.get(one.name), one.name, one.name, one.required)
                 for one in kind.fields]  # fmt: skip
    elif isinstance(kind, inspect.DictType):
        names = dict.fromkeys([*languages, *(there or {})])
        parts = [(kind.value_type, (there or {}).get(one), one, "", False) for one in names]
    elif of is not None:
        rows = [*(there or []), *([{}] if blank else [])]
        parts = [(of, row, str(n), "", False) for n, row in enumerate(rows)]
    else:
        yield StudySetting(
            at.path, at.name, at.table, kind, value, more | {"required": at.required}
        )
    for part, held, step, word, required in parts:
        path, name = f"{at.path}.{step}".strip("."), f"{at.name}.{word}".strip(".")
        yield from _settings(
            part, held, SettingPlace(path, name, at.table, required), languages, blank
        )


def roles_of(roles: Mapping[str, Any]) -> Iterator[StudySetting]:
    """The numbers of items with a role of their own, as settings."""
    yield from _settings(_ROLES, roles, SettingPlace("items", "items"), (), blank=False)


def misfits(settings: Iterator[StudySetting]) -> Iterator[StudyFault]:
    """Settings whose value is not of their kind, or out of bounds."""
    for one in settings:
        kind, value = one.kind, one.value
        if value is None:
            if one.more["required"]:
                yield StudyFault(one.path, said("study-missing"))
            continue
        low, high = getattr(kind, "ge", None), getattr(kind, "le", None)
        above = getattr(kind, "gt", None)
        if isinstance(kind, (inspect.IntType, inspect.FloatType)):
            wanted = "int" if isinstance(kind, inspect.IntType) else "float"
            fits = type(value) is int or (type(value) is float and wanted == "float")
            fits = fits and math.isfinite(value) and not (
                (low is not None and value < low) or (high is not None and value > high)
                or (above is not None and value <= above)
            )  # fmt: skip
        elif isinstance(kind, inspect.ListType):
            wanted = "list"
            fits = isinstance(value, list) and all(isinstance(part, str) for part in value)
        else:
            wanted = "bool" if isinstance(kind, inspect.BoolType) else "str"
            fits = isinstance(value, bool if wanted == "bool" else (str, int))
        if not fits:
            ends = {"low": low, "high": high, "above": above}
            bounds = {name: None if end is None else f"{end:g}" for name, end in ends.items()}
            told = f"{value:g}" if isinstance(value, float) else str(value)[:40]
            facts = {"kind": wanted, "value": told, **bounds}
            yield StudyFault(one.path, said("study-wants", **facts))
        elif one.among:
            for part in value if isinstance(value, list) else [value]:
                if part == "":
                    yield StudyFault(one.path, said("study-missing"))
                elif part not in one.among:
                    known = ", ".join(map(str, one.among))
                    yield StudyFault(
                        one.path, said("study-unknown", value=str(part)[:40], known=known)
                    )


def without(
    values: Mapping[str, Any], wrong: Iterable[StudyFault], before: Mapping[str, Any]
) -> dict[str, Any]:
    """Values with those of `before` in the place of wrong ones, so that the rest can be checked.

    What stands in a row that is new stays wrong.
    """
    mended = copy.deepcopy(dict(values))
    for fault in wrong:
        *steps, last = fault.path.split(".")
        place: Any = mended
        former: Any = before
        with contextlib.suppress(LookupError, TypeError):
            for step in (int(one) if one.isdecimal() else one for one in steps):
                place, former = place[step], former[step]
            place[last] = former.get(last)
            if place[last] is None:
                del place[last]
    return mended


def read_study(folder: Path) -> StudyDesign:
    """The study file of a folder, checked. Raises `InputError` with place and remedy."""
    path = folder / FILE
    if not path.exists():
        raise InputError(said("study-none", folder=folder, file=FILE))
    refuse_pipes(folder)
    values = read_toml(path, dict[str, Any])
    try:
        if values.get("format") == 1:
            values = _counted_from_one(values)
        return study_of(values)
    except FaultyStudyError as fault:
        first = FaultyStudyError(fault.faults[:1])
        raise InputError(said("error-at", where=path, why=first)) from None


def _counted_from_one(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a file of format 1, in which the place of a right answer was from 0."""
    checks = values.get("checks")
    rows = checks.get("comprehension") if isinstance(checks, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and type(row.get("right")) is int:
            row["right"] += 1
    return values | {"format": 2}


def study_of(values: Mapping[str, Any]) -> StudyDesign:
    """A study of the values of its settings. Raises `FaultyStudyError`."""
    if found := list(misfits(settings_of(values))):
        raise FaultyStudyError(found)
    try:
        study = msgspec.convert(values, StudyDesign)
    except msgspec.ValidationError as error:
        raise FaultyStudyError([StudyFault("", str(error))]) from None
    if found := faults(study):
        raise FaultyStudyError(found)
    return study


def read_form(given: Mapping[str, str], before: StudyDesign) -> tuple[dict[str, Any], Any]:
    """The values of a form, as a study file has them, and the numbers of items by role.

    What is no number where one is wanted stays as it was typed, for `misfits`.
    """
    languages = [*dict.fromkeys([*_lines(given.get("languages", "")), *before.texts])]
    values = _read(_STUDY, given, "", languages)
    kept = {} if before.kind == "validate" else {"keep": msgspec.to_builtins(before.keep)}
    values |= {"kind": before.kind, "format": before.format, **kept}
    if before.kind in ALL_ASKED:
        keys = [name.partition(".")[2] for name in AGREEMENT]
        values["annotations"] |= {key: getattr(before.annotations, key) for key in keys}
    return values, _read(_ROLES, given, "items", ())


def _read(kind: inspect.Type, given: Mapping[str, str], path: str, languages: Sequence[str]) -> Any:
    """What a form says of a setting; None where it is left empty."""
    kind, more = _unwrapped(kind)
    text = given.get(path, "").strip()
    if isinstance(kind, inspect.StructType):
        fields = {one.name: _read(one.type, given, f"{path}.{one.name}".strip("."), languages)
                  for one in kind.fields}  # fmt: skip
        return {name: value for name, value in fields.items() if value is not None}
    if isinstance(kind, inspect.DictType):
        return {one: _read(kind.value_type, given, f"{path}.{one}", languages) for one in languages}
    if (of := _item(kind)) is not None:
        row = re.compile(rf"{re.escape(path)}\.(\d{{1,3}})\.")
        found = {int(hit[1]) for name, held in given.items() if held and (hit := row.match(name))}
        return [_read(of, given, f"{path}.{row}", languages) for row in sorted(found)]
    if isinstance(kind, inspect.BoolType):
        return text == "on"
    if isinstance(kind, inspect.ListType):
        among = [one for one in more.get("among", ()) if given.get(f"{path}.{one}") == "on"]
        return among if "among" in more else _lines(text)
    if isinstance(kind, (inspect.IntType, inspect.FloatType)):
        number = int if isinstance(kind, inspect.IntType) else float
        point = text.replace(",", ".") if _COMMA.fullmatch(text) else text
        try:
            return number(point) if text else None
        except ValueError:
            return text
    return text


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def study_file(study: StudyDesign, runs: Sequence[str] = ()) -> str:
    """The text of a study file, with a word on each setting; JSON's strings and lists are TOML's.

    What is left out stands there as a comment, with an example; so does one row more of each list.
    `runs` says which run each number of the figures stands for.
    """
    lines, table = [f"# {say(said('study-file-is'), 'en')}", *(f"# {run}" for run in runs)], ""
    for one in settings_of(msgspec.to_builtins(study), blank=True):
        value, key = one.value, one.path.removeprefix(f"{one.table}.")
        off = "# " if value is None or (value == "" and "examples" in one.more) else ""
        if one.table != table:
            table = one.table
            steps = [step for step in table.split(".") if not step.isdecimal()]
            head, row = f"[{'.'.join(steps)}]", table[-1].isdecimal()
            lines += ["", _help(one.name.rpartition(".")[0]), f"{off}[{head}]" if row else head]
        known = f" ({', '.join(map(str, one.among))})" if 1 < len(one.among) < _MOST_NAMED else ""
        example = [] if isinstance(one.kind, inspect.ListType) else ""
        shown = one.more.get("examples", [example])[0] if off else value
        lines += ["", f"{_help(one.name)}{known}", f"{off}{key} = {_toml(shown)}"]
    return "\n".join(lines) + "\n"


def _help(name: str) -> str:
    return f"# {say(label_of(name), 'en')}"


def runs_named(text: str) -> list[str]:
    """What a study file says of its runs."""
    return _RUN.findall(text)


def _toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
