"""Answers produced elsewhere, or in an earlier run, given again: read from files, matched by id.

Questions for a model that runs elsewhere have an id that binds their answers. An id is a hash of
what is asked and of nothing else, so that it reveals nothing that the question does not, and an
answer belongs to the very question that it was given to: other words, another order of the options
or another recording are another id. Questions that are alike to the last letter are distinguished
by a number; which of them an answer belongs to makes no difference.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.errors import InputError, ModelError, reworded
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.models.capabilities import ANYTHING
from zhiyin.record import FINISHES, Finish, Record, Reply, Sampling
from zhiyin.trial import Audio, Image, Message, Messages, Part, Text, Trial
from zhiyin.words import said
from zhiyin.words.findings import NotAskedFor, Warning

TEXT_NAMES = ("text", "reply", "response", "output", "model_output")


class RecordedAnswer(NamedTuple):
    """An answer: for which id, in one reply or in several calls, and where it was read.

    `failed` says why there is no reply, for a trial of a run that failed.
    """

    id: str
    replies: list[Reply]
    failed: str
    where: str


def read_answers(path: Path) -> tuple[list[RecordedAnswer], str]:
    """The answers in a file, in its order, and the SHA-256 of its bytes in hexadecimal.

    Raises
    ------
    InputError
        The file cannot be read, an entry is broken, or an id stands in it twice.
    """
    with reworded(said("error-read", path=path, why="")):
        data = path.read_bytes()
    text = data.removeprefix(b"\xef\xbb\xbf")
    if path.suffix.lower() in (".csv", ".tsv"):
        entries = _table(text, path)
    elif text.lstrip()[:1] == b"[" and path.suffix.lower() == ".json":
        entries = _list(text, path)
    else:
        entries = _lines(text, path)
    answers: dict[str, RecordedAnswer] = {}
    for answer in entries:
        before = answers.get(answer.id)
        if before is not None and answer.replies and before.replies:
            raise InputError(said("replay-twice", where=answer.where, id=repr(answer.id)))
        if before is None or answer.replies:
            answers[answer.id] = answer
    return list(answers.values()), hashlib.sha256(data).hexdigest()


def _lines(data: bytes, path: Path) -> Iterator[RecordedAnswer]:
    """A JSON object a line, or a run's log: why there is no reply where a trial had failed."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        with reworded(f"{where}: not a JSON line that can be read (", ")", of=NOT_JSON):
            entry = msgspec.json.decode(line)
            if isinstance(entry, dict) and "trial" in entry and "verdict" in entry:
                record = msgspec.json.decode(line, type=Record)
                replies = [turn.reply for turn in record.exchange.turns]
                yield RecordedAnswer(record.id, replies, record.error or "no reply", where)
                continue
        yield _of_object(entry, where)


def _list(data: bytes, path: Path) -> Iterator[RecordedAnswer]:
    """A JSON list of objects."""
    with reworded(f"{path}: not JSON that can be read (", ")", of=NOT_JSON):
        items = msgspec.json.decode(data)
    for number, item in enumerate(items, 1):
        yield _of_object(item, f"{path}, item {number}")


def _table(data: bytes, path: Path) -> Iterator[RecordedAnswer]:
    try:
        text = io.StringIO(data.decode("utf-8"), newline="")
    except UnicodeDecodeError as error:
        raise InputError(said("replay-utf8", path=path, reason=error.reason)) from None
    rows = csv.DictReader(text, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    try:
        columns = rows.fieldnames or ()
        for name, wanted in (("id", ("id",)), ("answer", TEXT_NAMES)):
            if not any(column in columns for column in wanted):
                names = " or ".join(wanted)
                raise InputError(said("replay-no-column", path=path, name=name, names=names))
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            if None in row or None in row.values():
                raise InputError(said("replay-columns", where=where, n=len(columns)))
            yield _of_object(row, where)
    except csv.Error as error:
        raise InputError(
            said("replay-csv", path=path, line=str(rows.line_num), why=str(error))
        ) from None


def _of_object(entry: Any, where: str) -> RecordedAnswer:
    """The answer of an entry, under whichever of the names it goes."""
    if not isinstance(entry, dict):
        raise InputError(said("replay-object", where=where))
    name = entry.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        shown = _shown(name) if "id" in entry else "missing"
        raise InputError(said("replay-id", where=where, shown=shown))
    texts = {name: entry[name] for name in TEXT_NAMES if name in entry}
    if not texts:
        raise InputError(said("replay-no-answer", where=where, textnames=", ".join(TEXT_NAMES[1:])))
    first, *_ = texts
    for other, text in texts.items():
        if not isinstance(text, str):
            raise InputError(said("replay-no-string", where=where, other=other, text=_shown(text)))
        if text != texts[first]:
            raise InputError(said("replay-differ", where=where, first=first, other=other))
    finish: Finish = entry["finish"] if entry.get("finish") in FINISHES else "stop"
    return RecordedAnswer(str(name), [Reply(texts[first], finish)], "", where)


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else f"{text[:37]}..."


_SHOWN = 5


class ReplayModel:
    """Files of answers as a model.

    Each entry has an ``id`` and the answer as ``text`` (or ``reply``, ``response``, ``output``,
    ``model_output``), or is a record of a run of Zhiyin's, whose replies are given in the order in
    which they came. An id is that of a trial, or the one under which ``zhiyin trials`` wrote it.

    Parameters
    ----------
    path : str
        A file, the folder of a run, or several of them with commas between.

    Raises
    ------
    InputError
        When a file cannot be read, an entry is broken, or an id occurs twice in a file.
    """

    capabilities = ANYTHING
    canary = False
    concurrency = 1
    instant = True

    def __init__(self, path: str, setting: object = None) -> None:
        if not path:
            raise InputError(said("replay-no-file"))
        self.name = f"replay:{path}"
        self._paths = _places(path)
        self._where = ", ".join(map(str, self._paths))
        self._answers: dict[str, list[RecordedAnswer]] = {}
        self._failed: dict[str, str] = {}
        self._read()
        self._by_trial: Mapping[str, RecordedAnswer] = {}
        """By trial, its answer, as `bind` matched them."""
        self._used: set[str] = set()
        self._calls: dict[str, int] = {}
        self._missing: dict[str, None] = {}

    def bind(self, asked: Iterable[tuple[str, str]], config: Mapping[str, Any]) -> None:
        """Match the answers with what is going to be asked, before it is.

        Parameters
        ----------
        asked : iterable of (str, str)
            The id of each trial, and the one under which it would be written out without its
            number (see `away.name_of`); "" where it cannot be.
        config : mapping
            What the run is, as its manifest says.

        Raises
        ------
        InputError
            No answer belongs to this run, or an id has more answers than it is asked times.
        """
        trials: dict[str, list[str]] = {}
        of: dict[str, RecordedAnswer] = {}
        for trial, name in asked:
            if trial in self._answers:
                of[trial] = self._single(trial)
            elif name:
                trials.setdefault(name, []).append(trial)
        for name, alike in trials.items():
            of |= self._distribute(name, alike)
        known = {answer.id for answer in of.values()}
        if not known and self._answers:
            raise InputError(self._no_match(config))
        self._by_trial = of

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
        """The answer; asked about the same trial again, the next one.

        Raises
        ------
        ModelError
            When there is no answer, or no further one, for the trial.
        """
        answer = self._by_trial.get(trial.id)
        if answer is None and trial.id in self._answers:
            answer = self._single(trial.id)
        if answer is None:
            self._missing[trial.id] = None
            why = self._failed.get(trial.id)
            failed = f" (it failed: {why})" if why else ""
            raise ModelError(f"no answer for this trial in {self._where}{failed}")
        self._used.add(answer.id)
        calls = self._calls.get(trial.id, 0)
        self._calls[trial.id] = calls + 1
        if calls >= len(answer.replies):
            raise ModelError(
                f"no answer for call {calls + 1} of this trial in {self._where}, "
                f"which holds {len(answer.replies)}"
            )
        return answer.replies[calls]

    def report(self) -> list[str | Warning]:
        """List which answers belong to no trial, and which trials found none."""
        known = self._used | {answer.id for answer in self._by_trial.values()}
        unused = [name for name in self._answers if name not in known]
        lines: list[str | Warning] = []
        if unused:
            n, of = len(unused), len(self._answers)
            lines.append(NotAskedFor(where=self._where, n=n, of=of, first=_first(unused)))
        if self._missing:
            lines.append(
                f"{self._where}: no answer for {len(self._missing)} of the trials "
                f"({_first(self._missing)})"
            )
        return lines

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of this model."""
        return {"kind": "replay", "file": self._where, "answers": len(self._answers)}

    def fingerprint(self) -> str:
        """SHA-256 of the files as they were read, in hexadecimal: other answers, another run."""
        return self._sha256

    async def close(self) -> None:
        """Do nothing: no resource is held open."""

    def _read(self) -> None:
        digests = []
        for path in self._paths:
            answers, digest = read_answers(path)
            digests.append(digest)
            for answer in answers:
                if answer.replies:
                    self._answers.setdefault(answer.id, []).append(answer)
                else:
                    self._failed.setdefault(answer.id, answer.failed)
        if not self._answers:
            raise InputError(said("replay-empty", where=self._where))
        of_all = hashlib.sha256("".join(digests).encode()).hexdigest()
        self._sha256 = digests[0] if len(digests) == 1 else of_all

    def _single(self, name: str) -> RecordedAnswer:
        """The one answer for an id. Raises `InputError` where files hold several."""
        answers = self._answers[name]
        if len(answers) > 1:
            facts = {"n": len(answers), "where": answers[0].where, "whereb": answers[1].where}
            raise InputError(said("replay-several", name=repr(name), **facts))
        return answers[0]

    def _distribute(self, name: str, alike: Sequence[str]) -> dict[str, RecordedAnswer]:
        """The answers of trials that ask the very same, each under its number or in the order
        in which the files hold them.
        """
        own = {trial: numbered(name, n) for n, trial in enumerate(alike, 1)}
        of = {trial: self._answers[key][0] for trial, key in own.items() if key in self._answers}
        more = [answer for key in own.values() for answer in self._answers.get(key, [])[1:]]
        free = [trial for trial in alike if trial not in of]
        if len(more) > len(free):
            times = "once" if len(alike) == 1 else f"{len(alike)} times"
            last = more[-1]
            raise InputError(said("replay-asked", where=last.where, id=repr(last.id), times=times))
        return of | dict(zip(free, more, strict=False))

    def _no_match(self, config: Mapping[str, Any]) -> str:
        """The fault where no answer belongs to the run."""
        ids = f"{len(self._answers)} ids ({_first(self._answers)})"
        message = f"{self._where}: none of its {ids} is that of a trial of this run"
        for path, away in self._manifests():
            differ = [
                f"{key} was {before}, now {now}"
                for key, before, now in _differences(away.config, config)
            ]
            if differ:
                return (
                    f"{message}; {path} was written for other settings ({'; '.join(differ[:4])}): "
                    f"give the flags of then: {away.run}"
                )
        return f"{message}: give the flags and data that `zhiyin trials` was given"

    def _manifests(self) -> Iterable[tuple[Path, QuestionsManifest]]:
        """The manifests of `zhiyin trials` that lie beside the answers."""
        for path in dict.fromkeys(file.parent / MANIFEST for file in self._paths):
            try:
                yield path, msgspec.json.decode(read_regular(path), type=QuestionsManifest)
            except (OSError, *NOT_JSON):
                continue  # none there, or something else of that name


def _places(path: str) -> list[Path]:
    """The files that a spec names."""
    whole = Path(path).expanduser()
    places = [whole] if whole.exists() or "," not in path else []
    places = places or [Path(part.strip()).expanduser() for part in path.split(",") if part.strip()]
    return [place / "records.jsonl" if place.is_dir() else place for place in places]


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = ""
) -> Iterable[tuple[str, Any, Any]]:
    for name in sorted((old.keys() | new.keys()) - {"model", "model_data", "limit", "sample"}):
        before, now = old.get(name), new.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            yield from _differences(before, now, f"{prefix}{name}.".lstrip("."))
        elif before != now:
            yield f"{prefix}{name}", _short(before), _short(now)


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:16]}…{text[-8:]}"


def _first(names: Iterable[str]) -> str:
    """The first few of some ids."""
    names = list(names)
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")


TRIALS, LIST, MANIFEST, MEDIA = "trials.jsonl", "trials.json", "manifest.json", "media"
"""What `zhiyin trials` writes: the questions (as lines, or as one list), the manifest, media."""


class QuestionsManifest(msgspec.Struct):
    """The manifest of questions that were written out: answers are checked against it.

    `files` are those that hold the questions, `use` how another harness is told of them;
    `holds_key` says that they hold the right answers.
    """

    format: int
    zhiyin: str
    benchmark: str
    config: dict[str, object]
    trials: int
    media: int
    sha256: str
    run: str
    files: list[str] = []
    use: str = ""
    holds_key: bool = False


class AskedQuestion(msgspec.Struct, frozen=True):
    """One question as it is asked: the trial that it belongs to, and everything that is sent."""

    id: str
    trial: str
    messages: tuple[Message, ...]
    sampling: Sampling


def numbered(name: str, number: int) -> str:
    """The id of a question that is asked for the `number`-th time, from 1."""
    return name if number == 1 else f"{name}-{number}"


def name_of(messages: Messages, sampling: Sampling) -> str:
    """A hash of what is asked: words, sound and pictures by their bytes, and how to sample."""
    content = [[m.role, *(_identity(part) for part in m.parts)] for m in messages]
    data = msgspec.json.encode([content, settings_of(sampling)], order="sorted")
    return blake2b(data, digest_size=10).hexdigest()


def _identity(part: Part) -> list[Any]:
    if isinstance(part, Text):
        return ["text", part.text]
    if isinstance(part, Image):
        return ["image", part.sha256]
    return ["audio", part.sha256, part.start, part.end]


def settings_of(sampling: Sampling) -> dict[str, object]:
    """The settings of sampling that are set."""
    every: dict[str, object] = msgspec.to_builtins(sampling)
    return {name: value for name, value in every.items() if value is not None}


def chat_messages(
    messages: Messages, medium: Callable[[Audio | Image], object], text_type: str = "text"
) -> list[dict[str, object]]:
    """Messages as chat APIs take them; `medium` writes the part for a sound or a picture."""
    return [
        {"role": m.role, "content": m.text}
        if all(isinstance(part, Text) for part in m.parts)
        else {
            "role": m.role,
            "content": [
                {"type": text_type, "text": part.text} if isinstance(part, Text) else medium(part)
                for part in m.parts
            ],
        }
        for m in messages
    ]


def in_chat_form(
    messages: Messages, place: Callable[[Audio | Image], str]
) -> list[dict[str, object]]:
    """The same with sounds and pictures by their paths; `place` says where one lies."""
    return chat_messages(
        messages,
        lambda part: {"type": "image" if isinstance(part, Image) else "audio", "path": place(part)},
    )
