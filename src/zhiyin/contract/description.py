"""Description of a benchmark as data: one TOML file in the folder of its class.

``description = "benchmark.toml"`` in a class names the file. What it holds become attributes of the
class, its protocols, its sources and its published rows, so that none of them is code. In it

* `sets` of a protocol are switches by their names in Python: a list holds several values that are
  all within the protocol, and ``""`` is the switch not given;
* a source without a ``home`` has that of the description, and what is known of the contents of its
  files stands in ``sha256.json`` beside it, by their place below the folder of the source;
* `published` names the benchmark's sets in the table of published figures, to which a
  ``published.csv`` beside it may add its own;
* `printed` are the tables and figures of the paper in its own form, for ``zhiyin table --as``.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import PUBLISHED, Headline, Skill
from zhiyin.contract.protocols import Protocol
from zhiyin.contract.published import Source
from zhiyin.contract.published_table import PublishedSets
from zhiyin.errors import InputError, system_words
from zhiyin.files import NOT_JSON
from zhiyin.parsing import read_toml_text
from zhiyin.words import Text, said

SUMS = "sha256.json"
"""SHA-256 of files that we have seen, beside the description."""


class PrintedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a paper in its own form, to be filled from runs beside what the paper has.

    Attributes
    ----------
    name : str
        Within its benchmark: ``table-1``.
    title : Text
        As the paper numbers and calls it.
    columns : tuple of (str, str, str)
        Of each its heading, the group of our runs and the figure.
    rows : tuple of (Text, str)
        A heading, and what stands for ``*`` in the groups of columns: models stand side by side
        in each column. Without them each model has a row.
    sets : dict of str to Any
        What the paper says of its settings, as in `Protocol`: a run that departs is told of.
    short : dict of str to str
        Names of published rows as the table has them; those that it names stand last, in its
        order.
    renamed : dict of str to str
        Figures that are published under another name than ours.
    mean : str
        The heading of a last row, the mean of the published ones; "" for none.
    note : Text
        What is to be known of the paper's figures.
    drawn : str
        Of a figure, the name of what is drawn (`declared.Drawn`), in the place of columns.
    """

    name: str
    title: Text
    columns: tuple[tuple[str, str, str], ...] = ()
    rows: tuple[tuple[Text, str], ...] = ()
    sets: dict[str, Any] = {}
    short: dict[str, str] = {}
    renamed: dict[str, str] = {}
    mean: str = ""
    note: Text = ""
    drawn: str = ""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A benchmark's description of itself.

    Attributes
    ----------
    paper, licence, home, bibtex, chance, headline, without_sound, panels, skills, protocols
    printed
        As in `Benchmark`.
    sources : tuple of Source
    published : PublishedSets, optional
    counts : str
        The file beside it that says what the published data hold: a `declared.Published`.
    """

    paper: str = ""
    licence: str = ""
    home: str = ""
    bibtex: str = ""
    chance: float | None = None
    headline: Headline = Headline()
    without_sound: str = ""
    panels: tuple[str, ...] = ()
    skills: dict[str, Skill] = {}
    protocols: tuple[Protocol, ...] = ()
    printed: tuple[PrintedTable, ...] = ()
    sources: tuple[Source, ...] = ()
    published: PublishedSets | None = None
    counts: str = PUBLISHED


_ATTRIBUTES = Description.__struct_fields__[: Description.__struct_fields__.index("sources")]


def told(description: Description) -> dict[str, Any]:
    """Return the attributes of its class that a description sets, by their names."""
    return {
        name: value
        for name in _ATTRIBUTES
        if (value := getattr(description, name)) != getattr(Description(), name)
    }


@cache
def read_description(module: str, name: str) -> Description:
    """The description in a file beside a module. Raises `InputError` for a fault, with its file."""
    path = Path(str(sys.modules[module].__file__)).with_name(name)
    try:
        raw = read_toml_text(path.read_bytes())
        sums = _sums(path.with_name(SUMS))
        for source in raw.get("sources", ()):
            source.setdefault("home", raw.get("home", ""))
            # what is known of the contents of its files, and of the members of its archives
            for file in source.get("files", ()):
                file.setdefault("sha256", sums.get(file.get("path", ""), ""))
            for archive in source.get("archives", ()):
                folders = tuple(f"{folder}/" for folder in archive.get("keep", {}).values())
                archive["known"] = {p: s for p, s in sums.items() if p.startswith(folders)}
        for protocol in (*raw.get("protocols", ()), *raw.get("printed", ())):
            protocol["sets"] = {k: _switch(v) for k, v in protocol.get("sets", {}).items()}
        if "published" in raw:
            raw["published"]["folder"] = str(path.parent)
        return msgspec.convert(raw, Description)
    except OSError as error:
        raise InputError(said("error-read-so", path=path, why=system_words(error))) from None
    except (ValueError, *NOT_JSON) as error:
        raise InputError(said("declares-description", path=path, why=str(error))) from None


def _sums(path: Path) -> dict[str, str]:
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}


def _switch(value: Any) -> Any:
    """The value of a protocol's switch: several in a tuple, None for the switch not given."""
    if isinstance(value, list):
        return tuple(map(_switch, value))
    return None if value == "" else value
