"""Files of other programs as runs: which questions they answer, and what is said of them.

Questions that ``zhiyin trials`` wrote for another program, known again in what that wrote.

There a question has an id that is a hash of what is asked. Programs that keep no ids keep the order
of the file: its rows say which id each place has.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.arguments import OWN, looks_like_file, questions_in
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import find, places
from zhiyin.contract.settings import RunSettings
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, one_form, read_regular
from zhiyin.models.replay import MANIFEST, QuestionsManifest
from zhiyin.parsing import read_json_text
from zhiyin.plugins.lab.imports import AUTO
from zhiyin.plugins.lab.imports.files import ForeignFile, ForeignRow, read_foreign
from zhiyin.plugins.lab.imports.joining import Joined, QuestionIndex
from zhiyin.plugins.lab.written_out import written_trials
from zhiyin.plugins.methods.imported import repeated, write_run
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Trial, say
from zhiyin.words import Said, said

Kind = type[Benchmark[Any]]


class ForeignOrder(msgspec.Struct, frozen=True):
    """The user's order for files of other programs.

    Attributes
    ----------
    benchmark : str
        A benchmark, or a file of questions; "" to have it found among the data that are here.
    files : tuple of Path
        One for each repeat of the same questions, unless the rows say which repeat they are.
    name : str
        Of the format, or "auto".
    data : str
        The folder of the benchmark's data; "" for the fetched ones.
    field : str
        Where in a row the reply stands; "" for where the format has it.
    partial : bool
        Whether rows that differ from their question, or have none, are left out.
    """

    benchmark: str
    files: tuple[Path, ...]
    name: str = AUTO
    data: str = ""
    field: str = ""
    partial: bool = False
    extract: str = "robust"
    model: str = ""

    @property
    def line(self) -> str:
        """The command that was typed, as far as it says what is imported."""
        words = ["zhiyin", "import", self.benchmark, *map(str, self.files), "--from", self.name]
        words += ["--data", self.data] * bool(self.data)
        return shlex.join(filter(None, words))


def import_foreign(order: ForeignOrder, out: Path | None) -> Path:
    """Write a run of the replies in files of other programs.

    Parameters
    ----------
    order : ForeignOrder
    out : Path or None
        The folder; None for one named after the first file.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        A file that cannot be read, replies in two places that differ, a row without a question,
        or the first difference of clip, options, their order or key.
    """
    order = _with_benchmark(order)
    files = [read_foreign(path, order.name, order.field, order.line) for path in order.files]
    kind, options = _benchmark(order)
    benchmark = kind.from_options({**kind.plain, **options})
    questions, files, asked = _questions(benchmark, options, files)
    if asked:
        options = {**asked, **options}
        benchmark = kind.from_options(options)
    if not questions.trials:
        raise InputError(said("import-no-single", name=kind.name))
    answers, lacking, remarks = _answers(files, questions, order.partial)
    given = {k: v for k, v in options.items() if k != "extract"}
    given |= {"from": files[0].format.name, "field": files[0].field}
    return write_run(
        type(benchmark), answers, benchmark.score, order.files, out, order.extract, order.model,
        remarks, lacking, options=given,
    )  # fmt: skip


def _questions(
    benchmark: Benchmark[Any], options: Mapping[str, Any], files: list[ForeignFile]
) -> tuple[QuestionIndex, list[ForeignFile], Mapping[str, Any]]:
    """The questions that files answer, the files, and the options with which these were asked.

    Those that ``zhiyin trials`` wrote, where it wrote the folder that the files lie in, or where
    their ids are such: the order of the options is that which was shown.
    """
    kind = type(benchmark)
    written = written_beside(files[0].path)
    if written and written.is_of(kind):
        trials = trials_as_written(kind, options, written)
        found = [with_ids(file, written, trials) for file in files]
        if any(row.id in trials for file in found for row in file.rows):
            return QuestionIndex.as_written(trials), found, written.options
    questions = QuestionIndex(benchmark.asked_elsewhere(), kind.right_first)
    ids = {one_form(row.id) for file in files for row in file.rows}
    if ids and all(map(_NAME.fullmatch, ids)) and not ids & questions.by_id.keys():
        trials = trials_as_written(kind, options, None)
        if ids & trials.keys():
            return QuestionIndex.as_written(trials), files, {}
        raise InputError(said("import-moved", path=files[0].path))
    return questions, files, {}


def _answers(
    files: Sequence[ForeignFile], questions: QuestionIndex, partial: bool
) -> tuple[list[tuple[Trial, Reply]], int, list[Said]]:
    """Trials with replies, how many are lacking, and what is to be said of them."""
    answers: dict[str, tuple[Trial, Reply, ForeignRow]] = {}
    silent: dict[str, ForeignRow] = {}
    remarks: list[Said] = []
    same = 0
    before_files: Counter[str] = Counter()
    for file in files:
        joined = questions.join(file.rows, partial=partial)
        remarks += list(_said_of(file, joined, len(questions.trials)))
        repeats = _repeats(joined, before_files)
        before_files.update({pair.trial.id for pair in joined.pairs})
        for pair, repeat in zip(joined.pairs, repeats, strict=True):
            asked = pair.row.question or pair.trial.stem
            trial = msgspec.structs.replace(pair.trial, messages=(say("user", asked),))
            trial = repeated(trial, repeat)
            if pair.row.reply is None:
                silent.setdefault(trial.id, pair.row)
                continue
            before = answers.setdefault(trial.id, (trial, pair.row.reply, pair.row))
            if before[2] is pair.row:
                continue
            if before[1].text != pair.row.reply.text:
                where, first = pair.row.where, before[2].where
                raise InputError(said("import-second", where=where, item=trial.item, whereb=first))
            same += 1
    if same:
        remarks.append(said("import-same", n=same))
    lacking = len(silent.keys() - answers.keys())
    if lacking:
        remarks.append(said("without-reply", n=lacking))
    asked_of = {trial.item for trial, _, _ in answers.values()}
    absent = sum(trial.item not in asked_of for trial in questions.trials) - lacking
    if absent > 0:
        remarks.append(said("import-absent", n=absent, of=len(questions.trials)))
    pairs = [(trial, reply) for trial, reply, _ in answers.values()]
    if not pairs:
        raise InputError(said("import-none", path=files[0].path))
    return pairs, lacking + max(absent, 0), remarks


def _said_of(file: ForeignFile, joined: Joined, questions: int) -> Iterator[Said]:
    """Say how a file was read and joined, and what was compared with the questions."""
    compared = joined.compared
    yield said(
        "import-read", file=file.path.name, format=file.format.title, field=file.field, by=joined.by
    )
    yield said(
        "import-compared", of=len(joined.pairs), options=compared["options"],
        keys=compared["keys"], clips=compared["clips"],
    )  # fmt: skip
    if joined.left_out:
        yield said("import-left-out", n=len(joined.left_out), first=joined.left_out[0])


def _repeats(joined: Joined, before: Mapping[str, int]) -> list[int]:
    """Number each row's reply to its question, from 1: as rows say, or by the files before.

    Files of other questions are parts of one, and no repeats.
    """
    named = [pair.row.repeat for pair in joined.pairs]
    values = list(dict.fromkeys(value for value in named if value is not None))
    if len(values) < 2:
        return [before.get(pair.trial.id, 0) + 1 for pair in joined.pairs]
    if before:
        raise InputError(said("import-repeats"))
    if all(isinstance(value, int) for value in values):
        values.sort(key=lambda value: (isinstance(value, str), value))
    places = {value: place for place, value in enumerate(values, 1)}
    return [1 if value is None else places[value] for value in named]


def _with_benchmark(order: ForeignOrder) -> ForeignOrder:
    """The order with its benchmark: a file of replies in its place is one more file."""
    word = order.benchmark
    if order.files and word:
        return order
    if word and looks_like_file(word):
        order = msgspec.structs.replace(order, benchmark="", files=(Path(word), *order.files))
    if not order.files:
        raise InputError(said("import-no-file", benchmark=word or "BENCHMARK"))
    return msgspec.structs.replace(order, benchmark=_found(order))


def _found(order: ForeignOrder) -> str:
    """The benchmark whose questions the first file answers, among those whose data are here."""
    if (beside := written_beside(order.files[0])) and beside.manifest.benchmark in places():
        return beside.manifest.benchmark
    file = read_foreign(order.files[0], order.name, order.field, order.line)
    fit: list[str] = []
    here: list[str] = []
    for name in places():
        kind = find(name)
        data = order.data or kind.fetched({})
        if not data or not kind.sources():
            continue
        try:
            benchmark = kind.from_options({**kind.plain, "data": data})
            questions = QuestionIndex(benchmark.asked_elsewhere(), kind.right_first)
            here.append(name)
            questions.join(file.rows[:_TRIED])
            fit.append(name)
        except (InputError, OSError):
            continue
    if len(fit) == 1:
        return fit[0]
    again = shlex.join(["zhiyin", "import", "BENCHMARK", *map(str, order.files), "--from", "auto"])
    raise InputError(said(
        "import-whose", file=order.files[0], fit=fit, here=here, data=order.data or None,
        again=again,
    ))  # fmt: skip


_TRIED = 20


def _benchmark(order: ForeignOrder) -> tuple[Kind, Mapping[str, Any]]:
    """The class of the benchmark, and its options."""
    word, extract = order.benchmark, {"extract": order.extract}
    if looks_like_file(word):
        if order.data:
            raise InputError(said("import-is-data", file=word))
        return find(OWN), {**extract, "data": questions_in(word)}
    kind = find(word)
    data = order.data or kind.fetched({})
    if not data and kind.sources():
        raise InputError(said("import-needs", name=kind.name))
    return kind, {**extract, "data": data} if data else extract


_ABOVE = 6
"""So many folders above a file its questions are looked for: harnesses write into folders of
their own within the folder that they are started in."""
_NAME = re.compile(r"[0-9a-f]{20}(-\d{1,9})?")
_PARTS = {"general_vmcq": "default_val.jsonl", "general_vqa": "default_test.jsonl"}
"""By what EvalScope calls its data, the file that it read."""


class WrittenFolder(msgspec.Struct, frozen=True):
    """A folder that ``zhiyin trials`` wrote, and its manifest."""

    folder: Path
    manifest: QuestionsManifest

    def is_of(self, kind: type[Benchmark[Any]]) -> bool:
        """Tell whether it holds questions of a benchmark, or of a file where that is meant."""
        name = self.manifest.benchmark
        return name == kind.name or (kind.name == OWN and name.startswith(f"{OWN}-"))

    @property
    def options(self) -> dict[str, Any]:
        """Options of the benchmark, as they were written out."""
        options = self.manifest.config.get("options")
        kept = options if isinstance(options, dict) else {}
        return {name: value for name, value in kept.items() if value is not None}

    def ids(self, file: Path) -> list[str]:
        """The ids in the order of the file that another program read; none where it is not here."""
        names = [name for name in self.manifest.files if Path(name).suffix in (".jsonl", ".tsv")]
        named = [of for data, of in _PARTS.items() if data in file.name and of in names]
        for name in named or names[:1]:
            with contextlib.suppress(OSError, KeyError, TypeError, ValueError):
                text = (self.folder / name).read_text("utf-8")
                if name.endswith(".tsv"):
                    return [row["id"] for row in csv.DictReader(io.StringIO(text), delimiter="\t")]
                return [read_json_text(line)["id"] for line in text.splitlines() if line.strip()]
        return []


def written_beside(file: Path) -> WrittenFolder | None:
    """The folder of written questions that a file lies in; None for none."""
    for folder in list(file.absolute().parents)[:_ABOVE]:
        with contextlib.suppress(OSError, *NOT_JSON):
            data = read_regular(folder / MANIFEST)
            return WrittenFolder(folder, msgspec.json.decode(data, type=QuestionsManifest))
    return None


def trials_as_written(
    kind: type[Benchmark[Any]], options: Mapping[str, Any], written: WrittenFolder | None
) -> dict[str, Trial]:
    """The trials by the ids that ``zhiyin trials`` gave them, with the options as they were shown.

    Parameters
    ----------
    kind : type of Benchmark
    options : mapping
        Where its data are, and how replies are read.
    written : WrittenFolder or None
        How they were written out; None for the benchmark as it is without flags.

    Raises
    ------
    InputError
        What is asked depends on what is answered, or the data are not here.
    """
    config = written.manifest.config if written else {}
    order = RunSettings(
        benchmark=kind,
        model="replay:",
        options={**(written.options if written else {}), **options},
        sampling=msgspec.convert(config.get("sampling") or {}, Sampling),
        limit=msgspec.convert(config.get("limit"), int | None),
        sample=msgspec.convert(config.get("sample"), int | None),
    )
    return asyncio.run(written_trials(order))


def with_ids(file: ForeignFile, written: WrittenFolder, trials: Mapping[str, Trial]) -> ForeignFile:
    """A file with the ids of written questions, by the places of its rows where it names none.

    Raises
    ------
    InputError
        A row asks another question than the one at its place.
    """
    if any(row.id in trials for row in file.rows):
        return file
    ids = written.ids(file.path)
    rows = [_with_id(row, ids, written, trials) for row in file.rows]
    return msgspec.structs.replace(file, rows=rows)


def _with_id(
    row: ForeignRow, ids: list[str], written: WrittenFolder, trials: Mapping[str, Trial]
) -> ForeignRow:
    if row.place is None or not 0 <= row.place < len(ids) or ids[row.place] not in trials:
        return row
    trial = trials[ids[row.place]]
    asked = " ".join(row.question.split())
    if " ".join(trial.stem.split()) not in asked:
        raise InputError(
            said("import-other", where=row.where, folder=written.folder, asked=repr(asked[:60]))
        )
    return msgspec.structs.replace(row, id=ids[row.place])
