"""Benchmarks whose entries hold question, choices, answer, and beside them what a model replied.

Their replies are published by writing them into the file of the questions. A subclass says what
else an entry must hold, where the entries stand in the file, and which question and reply each is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from zhiyin.contract.asked import Asked, FaultSink, common_flaws, fault_in, refuse, twins
from zhiyin.contract.declared import Flaw
from zhiyin.contract.listening import Listening, Settings
from zhiyin.errors import InputError
from zhiyin.record import Reply

S = TypeVar("S", bound=Settings)


class Matched(Listening[S]):
    """Choices about recordings, read from a file that replies are written into."""

    named: ClassVar[tuple[str, ...]]
    """The texts that an entry must hold beside question and answer; the first is its id."""

    @classmethod
    @abstractmethod
    def entries(cls, path: Path) -> Iterable[tuple[str, str, Any]]:
        """Each entry of a file, where it stands ("line 3"), and what is to be mended there."""

    @classmethod
    @abstractmethod
    def asked(cls, entry: dict[str, Any]) -> Asked:
        """The question of an entry without a fault."""

    @classmethod
    @abstractmethod
    def reply(cls, path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
        """What a model replied; None for nothing. `name` is the id, for `InputError`."""

    @classmethod
    def fault(cls, entry: dict[str, Any]) -> tuple[str, str] | None:
        """What else is wrong with an entry: the kind of the flaw, and what is wrong."""
        return None

    @classmethod
    def place(cls, question: Asked) -> Any:
        """What questions are sorted by; of equal ones the first in the file comes first."""
        return 0

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[Asked]:
        """The questions of a file, in their order."""
        questions = [asked for asked, _ in cls.read_entries(path, on_fault)]
        if not questions:
            raise InputError(f"{path}: holds no question that can be asked; get it from {cls.home}")
        return sorted(questions, key=cls.place)

    @classmethod
    def read_entries(
        cls, path: Path, on_fault: FaultSink
    ) -> Iterator[tuple[Asked, dict[str, Any]]]:
        """The questions of a file with their entries; faulty ones go to `on_fault`."""
        seen: set[str] = set()
        for where, what, entry in cls.entries(path):
            fault = fault_in(entry, cls.named) or cls.fault(entry)
            name = "" if fault else entry[cls.named[0]]
            if name in seen:
                fault = "repeated-id", f"the id {name} stands twice"
            if fault:
                on_fault(Flaw(fault[0], str(path), where, f"{fault[1]}: mend the {what}"))
                continue
            seen.add(name)
            yield cls.asked(entry), entry

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[Asked]) -> Iterator[Flaw]:
        """What is wrong with questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)
            yield from twins(path, question)

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """A run of files with replies in them, one for each repeat."""
        predictions = [
            (asked, repeat, cls.reply(path, asked.id, entry))
            for repeat, path in enumerate(files, 1)
            for asked, entry in cls.read_entries(path, refuse)
        ]
        return cls.import_predictions(files, predictions, out, extract, model)
