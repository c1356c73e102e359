"""Questions that ``zhiyin trials`` wrote for another program, known again in what that wrote.

There a question has an id that is a hash of what is asked. Programs that keep no ids keep the order
of the file: its rows say which id each place has.
"""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.arguments import OWN
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.models.replay import MANIFEST, QuestionsManifest
from zhiyin.parsing import read_json_text
from zhiyin.plugins.lab.imports.files import ForeignFile, ForeignRow
from zhiyin.plugins.lab.written_out import written_trials
from zhiyin.record import Sampling
from zhiyin.trial import Trial

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


def is_written_name(name: str) -> bool:
    """Tell whether an id looks like one of written questions."""
    return _NAME.fullmatch(name) is not None


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
            f"{row.where}: asks another question than the one written at its place in "
            f"{written.folder}: {asked[:60]!r}; give the file that came of that folder"
        )
    return msgspec.structs.replace(row, id=ids[row.place])
