"""The whole study as people see it, page after page, for the researcher: nothing of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from types import SimpleNamespace
from typing import Any

from zhiyin.plugins.studies.assigning import how_many, order_of
from zhiyin.plugins.studies.design import StudyItem
from zhiyin.plugins.studies.pages import Pages, Preview, medium
from zhiyin.plugins.studies.people import steps_of
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.words import Said, said

NOBODY = "preview"
"""The pseudonym by which orders are drawn."""
_ORDER = ("practice", "attention", "gold", "plain")
_ROLES = {
    "plain": said("study-role-plain"), "gold": said("study-role-gold"),
    "practice": said("study-role-practice"), "attention": said("study-role-attention"),
}  # fmt: skip


class StudyPreview:
    """The pages of a study, by their number from 1.

    Parameters
    ----------
    store : StudyStore
    """

    def __init__(self, store: StudyStore) -> None:
        self.store = store
        steps = [step for step in steps_of(store.study) if step not in ("items", "end")]
        self._before = ["start", "link", *steps]
        self.items = sorted(store.items.values(), key=lambda item: _ORDER.index(item.role))
        self._after = ["end", "withdraw"]

    @property
    def pages(self) -> int:
        """Number of pages."""
        return len(self._before) + len(self.items) + len(self._after)

    def number_of(self, item: str) -> int:
        """The page of an item."""
        names = [one.id for one in self.items]
        return len(self._before) + names.index(item) + 1

    def page(self, number: int, language: str) -> str:
        """A page as HTML, with what is known of it above."""
        onward = f"/preview/{number + 1}?language={language}" if number < self.pages else "/"
        back = f"/preview/{number - 1}?language={language}" if number > 1 else ""
        place = number - len(self._before) - 1
        item = self.items[place] if 0 <= place < len(self.items) else None
        told = _told(item, self._place(item).order) if item else ""
        preview = Preview(number, self.pages, f"/preview/{number}", back, onward, told)
        pages = Pages(self.store, preview)
        if item is not None:
            # As a person's counter: practice is in no number.
            done = max(0, place - len(self.store.of_role["practice"]))
            return pages.question(self._person(language), self._place(item), done, "")
        if place < 0:
            return self._early(pages, self._before[number - 1], language, onward)
        if self._after[place - len(self.items)] == "end":
            return pages.end(language, "complete")
        return pages.withdraw(self._person(language), "")

    def sound(self, name: str) -> tuple[bytes, str] | None:
        """The contents and the type of a sound or picture under its name; None for no such name."""
        found = (medium(self.store, self._place(item), item, name) for item in self.items)
        return next(filter(None, found), None)

    def _early(self, pages: Pages, name: str, language: str, onward: str) -> str:
        if name == "start":
            return pages.start(language, {}, "")
        if name == "link":
            return pages.link(language, onward)
        return pages.step(self._person(language, name), "")

    def _person(self, language: str, step: str = "items") -> Any:
        return SimpleNamespace(
            id=0, language=language, pseudonym=NOBODY, step=step, checks={},
            planned=how_many(self.store),
        )  # fmt: skip

    def _place(self, item: StudyItem) -> Any:
        return SimpleNamespace(
            id=0, person=0, item=item.id, order=order_of(self.store, NOBODY, item)
        )


def _told(item: StudyItem, order: Sequence[str]) -> Said:
    """Describe what a researcher needs to know of a page: role, right answer, which sound is which.

    `order`: of what is compared, as the page shows it.
    """
    by_key = {choice.key: choice.text for choice in item.choices}
    right = "; ".join(by_key.get(key, key) for key in item.expected)
    role = _ROLES[item.role]
    places = {"slots": ascii_uppercase, "pair": ("left", "right")}.get(item.form, ())
    each = [said("study-item-place", place=place, key=key, role=item.roles.get(key, "none"))
            for place, key in zip(places, order, strict=False)]  # fmt: skip
    known = {"known": int(bool(right)), "placed": int(bool(each)), "each": each}
    return said("study-item-is", item=item.id, role=role, right=right, **known)
