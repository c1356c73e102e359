"""The form in which a researcher edits a study, made from its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import inspect

from zhiyin.plugins.people import value_in_words
from zhiyin.plugins.studies import settings
from zhiyin.plugins.studies.design import FIELDS
from zhiyin.words import Said


class FormRow(NamedTuple):
    """A setting in the form, with what is wrong with it."""

    setting: settings.StudySetting
    fault: Said | str

    @property
    def control(self) -> str:
        """How it is edited: "check", "checks", "choice", "number", "lines", "text" or "line"."""
        kind = self.setting.kind
        if isinstance(kind, inspect.BoolType):
            return "check"
        if isinstance(kind, inspect.ListType):
            return "checks" if self.setting.among else "lines"
        if self.setting.among:
            return "choice"
        if isinstance(kind, (inspect.IntType, inspect.FloatType)):
            return "number"
        return "text" if "rows" in self.setting.more else "line"

    @property
    def text(self) -> str:
        """Its value as it stands in a field."""
        value = self.setting.value
        if isinstance(value, list):
            return "\n".join(map(str, value))
        if isinstance(value, float):
            return f"{value:g}" if value == float(f"{value:g}") else repr(value)
        return "" if value is None else str(value)

    @property
    def options(self) -> list[tuple[str, Said]]:
        """What can be chosen, and its words."""
        return [(one, value_in_words(str(one))) for one in self.setting.among]

    @property
    def groups(self) -> list[tuple[Said | str, list[tuple[str, Said]]]]:
        """What can be chosen: the answers of a quota under their question."""
        if self.setting.name != "quotas.value":
            return [("", self.options)]
        return [(value_in_words(field), [(one, value_in_words(one)) for one in answers])
                for field, answers in FIELDS.items()]  # fmt: skip


class FormTable(NamedTuple):
    """Settings that stand together, and whether they can still be edited."""

    label: Said
    language: str
    fixed: bool
    rows: list[FormRow]

    @property
    def rare(self) -> bool:
        """Whether it is folded: seldom wanted, and nothing of it is set or wrong."""
        seldom = self.rows[0].setting.path.startswith(("quotas", "end.", "checks.comprehension"))
        return seldom and not any(row.fault or row.setting.value for row in self.rows)


def form_tables(
    values: Mapping[str, Any], roles: Mapping[str, Any], faults: Sequence[settings.StudyFault], *,
    begun: bool,
) -> list[FormTable]:  # fmt: skip
    """The tables of the form. Once a study has `begun`, its texts alone can be edited."""
    wrong = {fault.path: fault.why for fault in faults}
    tables: dict[str, FormTable] = {}
    everything = [*settings.settings_of(values, blank=not begun), *settings.roles_of(roles)]
    without = () if values.get("kind") == "validate" else ("keep",)
    kind = values.get("kind")
    hidden: tuple[str, ...] = settings.AGREEMENT if kind in settings.ALL_ASKED else ()
    hidden += settings.OF_RATINGS if kind != "rate" else ()
    for one in sorted(everything, key=lambda one: _PLACES.get(one.name.partition(".")[0], 2)):
        if "fixed" in one.more or one.name.partition(".")[0] in without or one.name in hidden:
            continue
        is_text = one.name.startswith("texts.")
        label = settings.label_of(one.name.rpartition(".")[0])
        table = FormTable(label, one.language if is_text else "", begun and not is_text, [])
        tables.setdefault(one.table, table).rows.append(FormRow(one, wrong.get(one.path, "")))
    return list(tables.values())


_PLACES = {"texts": 0, "items": 1}
"""What stands first in the form."""
