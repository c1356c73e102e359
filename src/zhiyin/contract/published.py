"""Published material of a benchmark: data to be fetched, replies made runs, tables made again.

Data are described by `Source`. Replies that were given elsewhere become a run (`write_run`). A
benchmark declares the tables that can be made again from published replies by `Benchmark.tables`;
what is printed of them, and the sentence on how many figures came out, are the same for all.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import __version__
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.errors import InputError
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial
from zhiyin.words import Text, said
from zhiyin.words.findings import kept

if TYPE_CHECKING:
    from zhiyin.contract.benchmark import Benchmark
    from zhiyin.contract.options import Options


ALL = "all"
"""What may stand for the name of a table: every table of the benchmark."""


class Cause(msgspec.Struct, frozen=True):
    """A reason why two figures of one row differ, and the size of the difference.

    Attributes
    ----------
    between : {"published", "ours"}
        What the figure by the published rule differs from.
    what : str
        In plain words.
    count : int
        How many there are of what it names: replies, as a rule.
    effect : float or None
        By how much it changes the figure, in units of the figure, from the published rule to what
        `between` names; None where it cannot be distinguished from other causes.
    """

    between: str
    what: str
    count: int
    effect: float | None = None


class ReproducedFigure(msgspec.Struct, frozen=True):
    """One figure of a published table, made again.

    Attributes
    ----------
    model : str
    what : str
        Which figure: "GTZAN, accuracy".
    published : float or None
        As published; None where nothing is published of these replies.
    rule : float or None
        Ours from the replies, by the published rule.
    ours : float or None
        Ours by our rule; None where we have no figure of that kind.
    replies : int
        How many the figure by the published rule is over.
    within : float
        By how much `rule` may differ from `published`: half a unit of the last published digit.
    percent : bool
        Whether it is a share, which is shown in per cent.
    causes : tuple of Cause
    remarks : tuple of str
        What else there is to say of the row, such as where it contradicts itself.
    """

    model: str
    what: str
    published: float | None
    rule: float | None
    ours: float | None
    replies: int
    within: float = 5e-5
    percent: bool = True
    causes: tuple[Cause, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def reproduced(self) -> bool | None:
        """True if the published figure came out; None where there is none."""
        if self.published is None:
            return None
        return self.rule is not None and abs(self.rule - self.published) <= self.within + 1e-9


class Reproduction(msgspec.Struct, frozen=True):
    """A table made from the replies: the rows, and notes on the table as a whole."""

    rows: tuple[ReproducedFigure, ...]
    notes: tuple[str, ...] = ()


class ReproducibleTable(msgspec.Struct, frozen=True):
    """A published table that can be made again.

    Attributes
    ----------
    name : str
        Within its benchmark: ``accuracies``.
    summary : str
        One line.
    replies : str
        Which files it is made of, for people: "MODEL_GTZAN.jsonl".
    mine : callable
        Whether a file, by its name alone, may hold replies to this table.
    make : callable
        From such files to rows. Raises `InputError` for one that cannot be read.
    source : str
        Which of the benchmark's sources holds the published ones; "" for none.
    of : str
        The published name in front of its own, where the benchmark here has another one.
    """

    name: str
    summary: str
    replies: str
    mine: Callable[[Path], bool]
    make: Callable[[Sequence[Path]], Reproduction]
    source: str = ""
    of: str = ""

    def called(self, benchmark: str) -> str:
        """Return its name as a user writes it."""
        return f"{self.of or benchmark}:{self.name}"


def files_of(
    table: ReproducibleTable, places: Iterable[Path], *, named: bool = False
) -> list[Path]:
    """The files of a table among some files and folders, sorted, each once.

    A hidden file and one that is still being written are none. `named`: a user named this table
    alone, so that a file among the places is of it, whatever it is called.
    """
    files: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in inside:
            mine = table.mine(path) or (named and path == place)
            if path.is_file() and not path.name.startswith(".") and mine:
                files[path] = None
    return list(files)


def closing_sentence(rows: Sequence[ReproducedFigure]) -> str:
    """The sentence at the end: how many published figures came out. It is true of these rows."""
    compared = [row for row in rows if row.published is not None]
    if not compared:
        return "No figure is published of these replies: nothing is compared."
    right = [row for row in compared if row.reproduced]
    if len(right) == len(compared):
        head = f"All {len(compared)}" if len(compared) > 1 else "The one"
        sentence = f"{head} published figure{'s' * (len(compared) > 1)} came out"
    else:
        lost = [row for row in compared if not row.reproduced]
        named = "; ".join(f"{row.model}, {row.what}" for row in lost[:_NAMED])
        more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
        sentence = f"{len(right)} of {len(compared)} published figures came out, not {named}{more}"
    rest = len(rows) - len(compared)
    without = f"; of {rest} further row{'s' * (rest > 1)} nothing is published" if rest else ""
    return f"{sentence}{without}."


_NAMED = 4


DATA = "data"
"""The source that a benchmark runs on: what ``--data`` names."""
RECORD = ".fetched.json"
"""In the folder of a source: what came, from where, and what its contents were."""


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file to be fetched.

    Attributes
    ----------
    path : str
        Below the folder of the source.
    at : str
        Below the source's `base`; "" for `path`.
    sha256 : str
        Where it is known; "" where the first fetch has to be trusted.
    size : int or None
        In bytes, where it is known.
    """

    path: str
    at: str = ""
    sha256: str = ""
    size: int | None = None

    @property
    def address(self) -> str:
        """Address below the base."""
        return self.at or self.path


class Archive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archive to be fetched, of which some members are kept.

    Attributes
    ----------
    at : str
        Below the source's `base`.
    keep : dict of str to str
        Folders (or files) within it, to where they go below the folder of the source. A first
        part that names the archive itself, as GitHub adds one, is left out of both.
    sha256 : str
        Of the archive; "" where the first fetch has to be trusted.
    size : int or None
    known : dict of str to str
        SHA-256 of members, by their place below the folder, as far as known.
    wrapped : bool
        Whether all members lie in one folder that is named after the archive.
    """

    at: str
    keep: dict[str, str]
    sha256: str = ""
    size: int | None = None
    known: dict[str, str] = {}
    wrapped: bool = True


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place where something is published.

    Attributes
    ----------
    name : str
        `DATA`, or what it holds: "replies".
    what : str
        One line.
    home : str
        The page for people.
    licence : str
    revision : str
        Commit or version that is fetched; "" where nothing can be fetched.
    base : str
        Address that `files` and `archives` lie below.
    hub : str
        A data set of the Hugging Face hub, in place of `base`.
    files, archives
        What is fetched; neither where no download is allowed or known.
    by_hand : tuple of str
        What to get oneself and how to lay it out, a line each. Beside files: what is missing
        after they came.
    """

    name: str
    what: str
    home: str
    licence: str
    revision: str = ""
    base: str = ""
    hub: str = ""
    files: tuple[File, ...] = ()
    archives: tuple[Archive, ...] = ()
    by_hand: tuple[str, ...] = ()

    @property
    def fetchable(self) -> bool:
        """True if anything can be fetched."""
        return bool(self.files or self.archives)

    @property
    def size(self) -> int | None:
        """Size of the download in bytes; None where that of a part is not known."""
        sizes = [*(f.size for f in self.files), *(a.size for a in self.archives)]
        known = [size for size in sizes if size is not None]
        return sum(known) if sizes and len(known) == len(sizes) else None


def data_home() -> Path:
    """Return the folder of fetched data.

    ``$ZHIYIN_DATA``, or else where the system keeps the data of its users' programs: for Linux
    ``$XDG_DATA_HOME/zhiyin`` or ``~/.local/share/zhiyin``. It need not be there yet.
    """
    import platformdirs

    return Path(os.environ.get("ZHIYIN_DATA") or platformdirs.user_data_dir("zhiyin"))


def folder_of(benchmark: str, source: Source) -> Path:
    """The folder of a source: ``NAME`` for the data, ``NAME-SOURCE`` for anything else."""
    name = benchmark if source.name == DATA else f"{benchmark}-{source.name}"
    return data_home() / name


def fetched_folder(benchmark: str, sources: Iterable[Source]) -> str | None:
    """The folder that the data of a benchmark were fetched into; None where they were not."""
    for source in sources:
        folder = folder_of(benchmark, source)
        if source.name == DATA and (folder / RECORD).is_file():
            return str(folder)
    return None


def files_below(
    places: Iterable[Path], inside: Callable[[Path], Iterable[Path]], absent: str
) -> list[Path]:
    """Files as they are given, and those that `inside` finds in folders, each folder's sorted.

    Raises
    ------
    InputError
        A folder has none; `absent` says of what, and what to do.
    """
    paths: list[Path] = []
    for place in places:
        found = sorted(inside(place)) if place.is_dir() else [place]
        if not found:
            raise InputError(said("error-at", where=place, why=absent))
        paths += found
    return paths


def each_once(
    files: Sequence[Path], what: str, key: Callable[[Path], object] = Path.read_bytes
) -> tuple[list[Path], list[str]]:
    """Files without copies, and a note of how many there were; the same by `key` are copies."""
    distinct: dict[object, Path] = {}
    for path in files:
        distinct.setdefault(key(path), path)
    copies = len(files) - len(distinct)
    note = f"{copies} {what} stand twice, the same to the byte: each counts once"
    return list(distinct.values()), [note] if copies else []


def repeated(trial: Trial, repeat: int) -> Trial:
    """The trial of one of several replies to a question, from 1."""
    return msgspec.structs.replace(
        trial, id=f"{trial.id}/r{repeat}", tags={**trial.tags, "repeat": repeat}
    )


def write_run(
    kind: type[Benchmark[Any]],
    answers: Sequence[tuple[Trial, Reply]],
    score: Callable[[Trial, Exchange], Verdict],
    files: Sequence[Path],
    out: Path | None,
    extract: str,
    model: str,
    remarks: Iterable[Text] = (),
    lacking: int = 0,
    unknown: str = "played",
    options: Options | None = None,
) -> Path:
    """A run folder of replies.

    Parameters
    ----------
    kind : type of Benchmark
    answers : sequence of (Trial, Reply)
    score : callable
        As `Benchmark.score`.
    files : sequence of Path
        What the replies were read from.
    out : Path or None
        The folder; None for one named after the first file and the content of all.
    extract, model : str
        As in `Benchmark.import_answers`.
    remarks : iterable of Text
        What there is to say of the replies.
    lacking : int
        Trials whose replies are missing: the run is not whole.
    unknown : {"played", "pictures"}
        What of the trials cannot be known: what was played, or the pictures.
    options : mapping, optional
        Further options of the run.

    Returns
    -------
    Path
        The folder. Written again from the same files, it is the same.
    """
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    name = files[0].name.partition(".")[0]
    folder = out or Path("runs") / f"{kind.name}-{name}-{digest[:8]}"
    return write_replies(
        kind,
        answers,
        score,
        folder,
        digest,
        model=model or name,
        options={**(options or {}), "extract": extract, "imported": True},
        remarks=[said("given-elsewhere", unknown=unknown), *remarks],
        lacking=lacking,
    )


def write_replies(
    kind: type[Benchmark[Any]],
    answers: Sequence[tuple[Trial, Reply]],
    score: Callable[[Trial, Exchange], Verdict],
    folder: Path,
    digest: str,
    *,
    model: str,
    options: Options,
    remarks: Iterable[Text],
    lacking: int = 0,
    label: str = "",
    declared: Mapping[str, Any] | None = None,
) -> Path:
    """Write a run as `write_run` does, into a given folder, with a digest of what was read.

    `label` is what tables call the run; `declared` what `contract.registry.declared` says of the
    benchmark, for runs that are to be read where it has changed.
    """
    manifest = Manifest(
        benchmark=kind.name,
        model=model,
        config={
            "benchmark": kind.name,
            "benchmark_version": kind.version,
            "options": options,
            "data": digest,
            "model": model,
        },
        options=options,
        planned=len(answers) + lacking,
        versions={"zhiyin": __version__},
        remarks=kept(remarks),
        label=label,
        declared=dict(declared or {}),
    )
    with RunFolder(folder, manifest) as log:
        for trial, reply in answers:
            if trial.id not in log.answered:
                exchange = Exchange((Turn(reply),))
                log.append(Record(trial.id, score(trial, exchange), trial, exchange))
    return folder
