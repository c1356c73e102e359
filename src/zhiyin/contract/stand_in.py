"""A stand-in for a missing benchmark: what a run keeps of it, enough to read the run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import DeclaredMeasure, Headline, Published, Reference, Skill
from zhiyin.contract.options import defaults_of
from zhiyin.contract.protocols import Protocol
from zhiyin.errors import InputError
from zhiyin.extensions import error_line
from zhiyin.record import Exchange, Verdict
from zhiyin.runs.ways import Way
from zhiyin.trial import Trial
from zhiyin.words import said
from zhiyin.words.findings import Warning, WithoutBenchmark

OriginKind = Literal["zhiyin", "package", "file", "object"]
_OWN = ("details", "figures", "score", "totals")
"""What needs the class itself where the class does it in its own way."""


class Origin(msgspec.Struct, frozen=True, omit_defaults=True):
    """The origin of a class.

    Attributes
    ----------
    kind : {"zhiyin", "package", "file", "object"}
        This package, an installed plug-in, a Python file, or an object given from Python.
    place : str
        ``module:Class``, or ``/FOLDER/FILE.py:Class`` of a file.
    distribution, version : str
        Of a plug-in.
    sha256 : str
        Of a file.
    """

    kind: OriginKind
    place: str
    distribution: str = ""
    version: str = ""
    sha256: str = ""

    @property
    def in_words(self) -> str:
        """The origin as a line names it."""
        if self.kind == "package":
            return f"{self.distribution} {self.version}".strip() or self.place
        return self.place

    @property
    def remedy(self) -> str:
        """Instructions for having the class here."""
        if self.kind == "package":
            version = f"=={self.version}" if self.version else ""
            return (
                f"pip install {self.distribution}{version}" if self.distribution else "install it"
            )
        if self.kind == "file":
            return f"--benchmark {self.place} names its file"
        return "give the object to Python's zhiyin again, or put its class into a file"


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """A benchmark's declaration as it was when the run began.

    Attributes
    ----------
    origin : Origin
    name, version, summary, paper, licence, bibtex, chance, headline, titles, protocols, extract
        As in `Benchmark`.
    defaults : dict
        Of the settings, so that a run without one is known when a later version has another.
    measures : tuple of DeclaredMeasure
        What of `Benchmark.measures` can be read without the class.
    panels, reviews, ways
        As in `Benchmark`.
    own : tuple of str
        Which of "details", "figures", "score" and "totals" the class does in its own way.
    published_sha256 : str
        Of the published rows; "" where there are none.
    published : Reference, optional
        The rows themselves, of benchmarks from outside. Ours come with Zhiyin.
    expected : Published, optional
        Likewise.
    """

    origin: Origin
    name: str
    version: str = "1"
    summary: str = ""
    paper: str = ""
    licence: str = ""
    bibtex: str = ""
    chance: float | None = None
    headline: Headline = Headline()
    measures: tuple[DeclaredMeasure, ...] = ()
    titles: dict[str, str] = {}
    skills: dict[str, Skill] = {}
    protocols: tuple[Protocol, ...] = ()
    extract: str = "robust"
    panels: tuple[str, ...] = ()
    reviews: str = ""
    ways: tuple[Way, ...] | None = None
    own: tuple[str, ...] = ()
    published_sha256: str = ""
    published: Reference | None = None
    expected: Published | None = None
    defaults: dict[str, Any] = {}


def declaration_of(kind: type[Benchmark[Any]], origin: Origin) -> dict[str, Any]:
    """The declaration of a class as a run's manifest holds it.

    Raises
    ------
    InputError
        The class declares something of another type than it should, or fails to say it.
    """
    try:
        published, expected = kind.published(), kind.expected()
        published = published and published.in_english()
        ours = origin.kind == "zhiyin"
        kept = Declaration(
            origin=origin,
            name=kind.name,
            **{name: getattr(kind, name) for name in _PLAIN},
            measures=tuple(map(DeclaredMeasure.of, kind.measures)),
            summary=str(kind.summary),
            titles={group: str(title) for group, title in kind.titles.items()},
            skills=dict(kind.skills),
            own=tuple(name for name in _OWN if overrides(kind, name)),
            defaults=defaults_of(kind.Settings),
            published_sha256=_sha256(published),
            published=None if ours else published,
            expected=None if ours else expected,
        )
        plain: dict[str, Any] = msgspec.to_builtins(kept, str_keys=True)
        _check(msgspec.convert(plain, Declaration))
    except InputError:
        raise
    except Exception as error:  # the class may be anybody's
        raise InputError(said(
            "declares-faulty", kind=repr(kind.name), origin=origin.in_words, why=error_line(error)
        )) from None  # fmt: skip
    return plain


_PLAIN = (
    *("version", "paper", "licence", "bibtex", "chance", "headline"),
    *("protocols", "extract", "panels", "reviews", "ways"),
)


def overrides(kind: type[Benchmark[Any]], name: str) -> bool:
    """Tell whether a class overrides a method of `Benchmark`."""
    own, default = getattr(kind, name), getattr(Benchmark, name)
    return getattr(own, "__func__", own) is not getattr(default, "__func__", default)


def _sha256(published: Reference | None) -> str:
    if published is None:
        return ""
    return hashlib.sha256(msgspec.json.encode(published, order="sorted")).hexdigest()


def read_declaration(declared: Mapping[str, Any]) -> Declaration | None:
    """The declaration in a manifest; None for an older run, or where it cannot be read."""
    if not declared:
        return None
    try:
        kept = msgspec.convert(declared, Declaration)
        _check(kept)
    except (msgspec.ValidationError, ValueError):
        return None
    return kept


_KINDS = frozenset({"model", "human", "chance"})


def _check(kept: Declaration) -> None:
    """Raise ValueError where rows or counts cannot be what they should."""
    rows = kept.published.rows if kept.published else {}
    for name, row in rows.items():
        for group, figures in row.items():
            for figure, value in figures.items():
                if not 0 <= value <= 1:
                    raise ValueError(
                        f"published(): {figure} of {name!r} in {group!r} is {value:g}: give a "
                        "fraction from 0 to 1"
                    )
    for name, kind in (kept.published.kinds if kept.published else {}).items():
        if name not in rows or kind not in _KINDS:
            raise ValueError(
                f"published(): kind {kind!r} of {name!r}: give model, human or chance, of a row"
            )
    if kept.expected:
        for part in kept.expected.parts:
            if part not in kept.expected.counts:
                raise ValueError(f"expected(): counts says nothing of the part {part!r}")
            kept.expected.fingerprints(part)


class StandIn(Benchmark[Any]):
    """A benchmark that is missing here, as a run's manifest describes it.

    Its runs can be read. They can be scored again where the class reads a choice as all do.
    """

    name = ""
    kept: Declaration | None = None
    absence = "unknown"

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """Raises `InputError` where the class itself is needed to score."""
        if cls.kept is None or "score" in cls.kept.own:
            raise InputError(cls.missing("its replies cannot be scored"))
        return super().from_options(options)

    def trials(self) -> Iterable[Trial]:
        """Raises `InputError`: what was asked is in the run's log alone."""
        raise InputError(self.missing("its items cannot be made"))

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score as every choice is scored."""
        return super().score(trial, exchange)

    @classmethod
    def published(cls) -> Reference | None:
        """The rows that the run kept."""
        return cls.kept.published if cls.kept else None

    @classmethod
    def expected(cls) -> Published | None:
        """Return the extent that the run kept."""
        return cls.kept.expected if cls.kept else None

    @classmethod
    def missing(cls, what: str) -> str:
        """The line that names what cannot be done, and how it can."""
        if cls.kept is None:
            return f"benchmark {cls.name!r} is not installed here: {what}"
        origin = cls.kept.origin
        return (
            f"benchmark {cls.name!r} ({origin.in_words}) is not here: {what} without it: "
            f"{origin.remedy}"
        )

    @classmethod
    def lacking(cls) -> list[Warning]:
        """Warn of what a reader of the run does not see; an empty list where nothing is lacking."""
        if cls.kept is None or not {"details", "figures", "parts", "totals"} & set(cls.kept.own):
            return []
        origin = cls.kept.origin
        install = origin.remedy if origin.kind == "package" else ""
        return [
            WithoutBenchmark(name=cls.name, why=cls.absence, place=origin.in_words, install=install)
        ]


def stand_in(
    name: str,
    kept: Declaration | None,
    absence: Literal["unknown", "package", "object", "file"] = "unknown",
) -> type[StandIn]:
    """The class that stands for a missing benchmark called `name`, and why it is missing."""
    attributes: dict[str, Any] = {"name": name, "kept": kept, "absence": absence}
    if kept is not None:
        attributes |= {each: getattr(kept, each) for each in _PLAIN} | {
            "summary": kept.summary,
            "titles": kept.titles,
            "skills": kept.skills,
        }
        if kept.measures:
            attributes["measures"] = tuple(one.measure() for one in kept.measures)
        attributes["protocols"] = tuple(map(_with_tuples, kept.protocols))
    return type("StandIn", (StandIn,), attributes)


def _with_tuples(protocol: Protocol) -> Protocol:
    """JSON has no tuples: several values of a switch that are all within the protocol."""
    sets = {k: tuple(v) if isinstance(v, list) else v for k, v in protocol.sets.items()}
    return msgspec.structs.replace(protocol, sets=sets)
