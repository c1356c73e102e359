"""Which dimensions of a taxonomy each question tests, by a language model, with its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON
from zhiyin.forge.asking import TAXONOMY, Asking
from zhiyin.forge.items import Item
from zhiyin.forge.stages import Fallen
from zhiyin.judges.reading import Unreadable, read_object, words
from zhiyin.judges.wording import fenced
from zhiyin.record import Record


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A category: what it is about, and its dimensions with their descriptions."""

    about: str
    dimensions: dict[str, str]


class Taxonomy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Categories by name, and where they are from."""

    categories: dict[str, Category]
    source: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Every "category/dimension" by its folded form, and by that of the dimension alone."""
        by_words: dict[str, str] = {}
        twice: set[str] = set()
        for category, entry in self.categories.items():
            for dimension in entry.dimensions:
                name = f"{category}/{dimension}"
                by_words[_folded(name)] = name
                if _folded(dimension) in by_words:
                    twice.add(_folded(dimension))
                by_words.setdefault(_folded(dimension), name)
        return {key: name for key, name in by_words.items() if key not in twice}


def read_taxonomy(text: str, where: str) -> Taxonomy:
    """A taxonomy from JSON. Raises `InputError` where it is none, or has no dimension."""
    try:
        taxonomy = msgspec.json.decode(text, type=Taxonomy)
    except NOT_JSON as error:
        raise InputError(f"{where}: no taxonomy ({error}); see docs/how-to/forge.md") from None
    if not any(category.dimensions for category in taxonomy.categories.values()):
        raise InputError(f"{where}: no dimension in it: write one with its description")
    return taxonomy


class Labelling(Asking):
    """Questions with their right answers, to be filed under dimensions."""

    name = "forge-label"
    version = "1"
    summary = "dimensions that questions test, named by a model (use `zhiyin forge questions`)"
    paper = "none; the step is that of section 3.2 of Weck et al. 2024, arXiv:2408.01337"
    kind = Item

    @cached_property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy in use."""
        return read_taxonomy(self.prompts.texts[TAXONOMY], str(self.prompts.paths[TAXONOMY]))

    def words(self, item: Item) -> str:
        """The prompt about a question: with its right answer alone, as in the paper."""
        lines = []
        for category, entry in self.taxonomy.categories.items():
            lines.append(f"{category.upper()}: {entry.about}")
            lines += [f"- {category}/{name}: {text}" for name, text in entry.dimensions.items()]
        about = f"Question: {item.question}\nRight answer: {item.answer}"
        return self.prompts.fill("label", taxonomy="\n".join(lines), item=fenced(about))

    def read(self, text: str, item_id: str) -> tuple[tuple[str, ...], str]:
        """The dimensions in a reply, and the explanation.

        Raises
        ------
        Unreadable
            None is named, or one that the taxonomy does not have.
        """
        reply = read_object(text, ("dimensions",))
        named = reply.get("dimensions")
        if not isinstance(named, list) or not named:
            raise Unreadable('"dimensions" was no list of dimensions')
        known = self.taxonomy.names
        for name in named:
            if _folded(words(name)) not in known:
                raise Unreadable(f"{words(name)[:60]!r} is not one of the dimensions")
        dimensions = tuple(dict.fromkeys(known[_folded(words(name))] for name in named))
        return dimensions, words(reply.get("explanation"))


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def label(
    items: Sequence[Item], records: Mapping[str, Record], labelling: Labelling
) -> tuple[list[Item], list[Fallen]]:
    """The questions with their categories, and those of which no reply can be used."""
    kept, fallen = [], []
    for item in items:
        record = records.get(item.id)
        if record is None or record.verdict.state == "error":
            detail = (record.error or record.verdict.why) if record else "it was not asked about"
            fallen.append(Fallen(item.id, "unlabelled", detail))
            continue
        categories, explanation = labelling.read(record.exchange.final.text, item.id)
        kept.append(msgspec.structs.replace(item, categories=categories, explanation=explanation))
    return kept, fallen
