"""Questions for a model that runs elsewhere: written out, asked in bulk, bound to answers by id."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec

from zhiyin import __version__
from zhiyin.engine.asking import OtherAsker, asking_others
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, ModelError, reworded
from zhiyin.files import NOT_JSON, cut_torn, read_regular, whole_folder
from zhiyin.models import Setting
from zhiyin.models.media import neutral_copy
from zhiyin.models.questions import (
    LIST,
    MANIFEST,
    MEDIA,
    TRIALS,
    AskedQuestion,
    QuestionNumbers,
    QuestionsManifest,
    WrittenAnswer,
    in_chat_form,
    name_of,
    settings_of,
)
from zhiyin.plugins.lab.layouts import HarnessFiles, OtherLayout, QuestionToWrite, harness_files
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.local.on_ray.bulk import ask_all
from zhiyin.record import Finish, Reply, Sampling, Strategy
from zhiyin.session.selection import Selection
from zhiyin.trial import Audio, Image, Message, Trial, right_keys

Layout = Literal["chat", "list"] | OtherLayout
_FORMAT = 1
_encode = msgspec.json.Encoder().encode


class UnreachedModel:
    """A model that is not here: a run of it can be described, and nothing can be asked."""

    name = "elsewhere"
    concurrency = 1

    async def generate(self, messages: Any, sampling: Sampling, trial: Trial) -> Reply:
        """Always raises `ModelError`."""
        raise ModelError("this model runs elsewhere: bring its answers with -m replay:FILE")

    async def close(self) -> None:
        """Nothing is held open."""


class WrittenTrials(NamedTuple):
    """What was written out: the folder, the file of questions, how many, how many media files.

    `use` says how another harness is told of them, `holds_key` that they hold the right answers.
    """

    folder: Path
    file: Path
    trials: int
    media: int
    run: str
    use: str = ""
    holds_key: bool = False


async def asked_once(trial: Trial, strategy: Strategy, sampling: Sampling) -> AskedQuestion | None:
    """What is asked of a trial, its id not given yet; None where more is asked after a reply.

    The trial's own strategy is given an empty reply, and says what it sends.
    """
    sent: list[tuple[tuple[Message, ...], Sampling]] = []

    async def ask(messages: Iterable[Message], own: Sampling | None = None) -> Reply:
        sent.append((tuple(messages), own or sampling))
        if len(sent) > 9:
            raise ModelError("asks without end")
        return Reply("")

    # It expects words: what it asked first is known. Others that it would ask are not there.
    others = asking_others(lambda _, own: OtherAsker(UnreachedModel(), own, Limits(), None))
    with contextlib.suppress(Exception), others:
        await strategy(trial, ask)
    if len(sent) != 1:
        return None
    return AskedQuestion("", trial.id, *sent[0])


async def names(
    trials: Iterable[Trial], strategy: Callable[[Trial], Strategy], sampling: Sampling
) -> AsyncIterator[tuple[str, str]]:
    """Each trial's id, and its name elsewhere without a number; "" where it has none."""
    for trial in trials:
        asked = await asked_once(trial, strategy(trial), sampling)
        yield trial.id, name_of(asked.messages, asked.sampling) if asked else ""


async def every_question(
    selection: Selection, strategy: Callable[[Trial], Strategy], sampling: Sampling
) -> list[QuestionToWrite]:
    """All that a run asks, in the order of the ids, which reveals nothing.

    Raises
    ------
    InputError
        What is asked depends on what is answered.
    """
    benchmark = selection.benchmark.name
    if selection.sequences:
        raise InputError(
            f"{benchmark} asks {len(selection.sequences)} sequences, in which each question "
            "depends on the answers before: they cannot be written out beforehand; ask the model "
            "where Zhiyin reaches it"
        )
    number, questions = QuestionNumbers(), []
    for trial in selection:
        asked = await asked_once(trial, strategy(trial), sampling)
        if asked is None:
            raise InputError(
                f"{benchmark}: trial {trial.id} asks again after a reply, and cannot be written "
                "out beforehand: choose another way of asking (without --confirm, for one), or "
                "ask the model where Zhiyin reaches it"
            )
        name = number(asked.messages, asked.sampling)
        options = tuple((option.letter, option.text) for option in trial.options)
        letters = {option.key: option.letter for option in trial.options}
        right = tuple(letters.get(key, key) for key in right_keys(trial))
        if selection.benchmark.reviews and selection.benchmark.reviews in trial.groups:
            right = ()  # what is right of a text is for a judge to say
        own = (asked.messages, asked.sampling, trial.stem, options, right)
        questions.append(QuestionToWrite(name, trial.id, *own))
    return sorted(questions, key=lambda question: question.id)


def write_out(
    questions: list[QuestionToWrite],
    folder: Path,
    config: dict[str, Any],
    run: str,
    layout: Layout = "chat",
) -> WrittenTrials:
    """Write questions, their sounds and pictures, and a manifest into a folder.

    Parameters
    ----------
    questions : list of QuestionToWrite
    folder : Path
        Made if it is not there. A folder that holds something else is left alone.
    config : dict
        What the run is, as a run's manifest says.
    run : str
        The command that makes a run of the answers.
    layout : str
        "chat", a line for each question; "list", one JSON list of prompts, options and sounds; or
        the files of another harness, see `zhiyin.plugins.lab.layouts`.

    Raises
    ------
    InputError
        The folder holds something else or cannot be written, a sound or picture cannot be read, or
        a question has no place in the layout.
    """
    if layout == "list":
        for one in questions:
            _refuse_as_list(one)
    _refuse_folder(folder)
    try:
        with whole_folder(folder) as new:
            away = _write(questions, new, config, run, layout)
            if folder.exists():
                shutil.rmtree(folder)
    except ModelError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from None
    file = folder / away.files[0]
    return WrittenTrials(folder, file, len(questions), away.media, run, away.use, away.holds_key)


def _write(
    questions: Sequence[QuestionToWrite],
    folder: Path,
    config: dict[str, Any],
    run: str,
    layout: Layout,
) -> QuestionsManifest:
    """What is said of it in the folder."""
    media = folder / MEDIA
    media.mkdir()
    places: dict[Audio | Image, str] = {}

    def place(part: Audio | Image) -> str:
        if part not in places:
            places[part] = f"{MEDIA}/{neutral_copy(part, media).name}"
        return places[part]

    benchmark = config["benchmark"]
    if layout == "chat":
        lines = b"".join(_encode(_line(one, place)) + b"\n" for one in questions)
        written = HarnessFiles({TRIALS: lines}, "", holds_key=False)
    elif layout == "list":
        items = msgspec.json.format(_encode([_item(one, place) for one in questions])) + b"\n"
        written = HarnessFiles({LIST: items}, "", holds_key=False)
    else:
        written = harness_files(layout, questions, benchmark, place)
    for name, data in written.files.items():
        (folder / name).write_bytes(data)
    count = len({*places.values()})
    digest = hashlib.sha256(b"".join(written.files.values())).hexdigest()
    away = QuestionsManifest(
        _FORMAT, __version__, benchmark, config, len(questions), count, digest, run,
        [*written.files], written.use, written.holds_key,
    )  # fmt: skip
    (folder / MANIFEST).write_bytes(msgspec.json.format(_encode(away)) + b"\n")
    if not count:
        media.rmdir()
    return away


def _refuse_folder(folder: Path) -> None:
    """Refuse a folder of somebody else's: not one that is empty, or that was written here."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: is a file: choose another folder with --out")
    ours = {TRIALS, LIST, MANIFEST, MEDIA, *_files_of(folder)}
    there = {path.name for path in folder.iterdir()}
    if there - ours or (there and MANIFEST not in there):
        other = sorted(there - ours or there)[0]
        raise InputError(f"{folder} holds {other} already: choose another folder with --out")


def _files_of(folder: Path) -> list[str]:
    """The files that a manifest in a folder names; none where there is none that can be read."""
    with contextlib.suppress(OSError, *NOT_JSON):
        manifest = read_regular(folder / MANIFEST)
        return msgspec.json.decode(manifest, type=QuestionsManifest).files
    return []


class _ChatLine(msgspec.Struct):
    """A line of the questions; where there are options, also the question without its prompt."""

    id: str
    messages: list[dict[str, object]]
    settings: dict[str, object]
    question: str | msgspec.UnsetType = msgspec.UNSET
    options: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


def _line(asked: QuestionToWrite, place: Callable[[Audio | Image], str]) -> _ChatLine:
    messages = in_chat_form(asked.messages, place)
    line = _ChatLine(asked.id, [*messages], settings_of(asked.sampling))
    if asked.options:
        line.question, line.options = asked.stem, dict(asked.options)
    return line


def _refuse_as_list(asked: QuestionToWrite) -> None:
    """Raise `InputError` where a question has no place in the list."""
    parts = [part for message in asked.messages for part in message.parts]
    sounds = [part for part in parts if isinstance(part, Audio)]
    pictures = any(isinstance(part, Image) for part in parts)
    if len(asked.messages) != 1 or len(sounds) > 1 or pictures or not asked.options:
        raise InputError(
            "--layout list holds one prompt, one sound at most and some options a question, "
            "and this benchmark asks otherwise: leave --layout out"
        )


class _ListItem(msgspec.Struct):
    """An item of the list: prompt, options as shown, sound."""

    id: str
    prompt: str
    answers: list[str]
    audio_path: str | None


def _item(asked: QuestionToWrite, place: Callable[[Audio | Image], str]) -> _ListItem:
    sounds = [part for part in asked.messages[0].parts if isinstance(part, Audio)]
    texts = [text for _, text in asked.options]
    return _ListItem(asked.id, asked.messages[0].text, texts, place(sounds[0]) if sounds else None)


ANSWERS, ASKED_OF = "answers.jsonl", "answers.model"


class _Named(msgspec.Struct):
    id: str


class _Kept(msgspec.Struct, omit_defaults=True):
    """A line of the answers."""

    id: str
    text: str
    finish: Finish = "stop"


class BulkProgress(msgspec.Struct):
    """What came of it.

    Attributes
    ----------
    questions, before, answered : int
        In all; those with a reply when this began; those that have got one since.
    failures : Counter
        Questions without a reply, by the reason.
    run : str
        The command that makes a run of the replies.
    file : Path
        The replies.
    """

    questions: int
    before: int
    answered: int
    failures: Counter[str]
    run: str
    file: Path

    @property
    def missing(self) -> int:
        """Questions without a reply."""
        return self.questions - self.before - self.answered


def ask_in_bulk(
    folder: Path,
    spec: str,
    setting: Setting,
    cluster: Cluster,
    block: int,
    progress: Callable[[BulkProgress], None],
) -> BulkProgress:
    """Ask all questions of a folder that have no reply yet.

    Replies are appended to ``answers.jsonl`` in the folder, a block at a time: ending this at
    any moment loses the blocks under way, and the same call asks for the rest.

    Parameters
    ----------
    folder : Path
        What ``zhiyin trials`` wrote.
    spec, setting, cluster, block
        See `ask_all`.
    progress : callable
        Called after each block.

    Raises
    ------
    InputError
        The folder holds no questions, or answers of another model or to other questions; or as
        `ask_all` does.
    HaltError
        As `ask_all` does.
    """
    away = _manifest(folder)
    ids = _ids(folder / TRIALS)
    file = folder / ANSWERS
    _same_model(folder, spec)
    cut_torn(file)
    answered = set(_ids(file)) if file.exists() else set()
    if strangers := answered - set(ids):
        raise InputError(
            f"{file}: {len(strangers)} answers belong to no question of {folder / TRIALS} (such as "
            f"{min(strangers)!r}): move the file away to ask again"
        )
    bulk = BulkProgress(len(ids), len(answered), 0, Counter(), away.run, file)
    if not bulk.missing:
        return bulk
    with file.open("ab") as out:
        todo = _unanswered(folder / TRIALS, answered)
        for answers in ask_all(todo, folder, spec, setting, cluster, block):
            _keep(answers, answered, out, bulk)
            progress(bulk)
    return bulk


def _manifest(folder: Path) -> QuestionsManifest:
    path = folder / MANIFEST
    try:
        if (folder / TRIALS).is_file():
            return msgspec.json.decode(read_regular(path), type=QuestionsManifest)
        trouble = f"no {TRIALS} in it"
    except OSError as error:
        trouble = f"{MANIFEST} cannot be read ({error.strerror})"
    except NOT_JSON as error:
        trouble = f"{MANIFEST}: {error}"
    raise InputError(f"{folder}: no questions to ask: {trouble}; write them with `zhiyin trials`")


def _same_model(folder: Path, spec: str) -> None:
    """Refuse to mix the replies of two models in one file."""
    note = folder / ASKED_OF
    asked = note.read_text("utf-8", errors="ignore").strip() if note.is_file() else ""
    if (folder / ANSWERS).exists() and asked != spec:
        whose = f"of {asked}" if asked else "that something else wrote"
        raise InputError(
            f"{folder / ANSWERS} holds answers {whose}: move it away to ask {spec} the same "
            "questions"
        )
    note.write_text(spec + "\n", "utf-8")


def _ids(path: Path) -> list[str]:
    decoder, ids = msgspec.json.Decoder(_Named), []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            with reworded(f"{path}, line {number}: ", of=NOT_JSON):
                ids.append(decoder.decode(line).id)
    return ids


def _unanswered(path: Path, answered: set[str]) -> Iterator[bytes]:
    decoder = msgspec.json.Decoder(_Named)
    with path.open("rb") as file:
        for line in file:
            if decoder.decode(line).id not in answered:
                yield line


def _keep(
    answers: list[WrittenAnswer], answered: set[str], out: BinaryIO, bulk: BulkProgress
) -> None:
    """Append a block of replies; one that has come already, from a block sent twice, is dropped."""
    lines = []
    for one in answers:
        if one.reply is None:
            bulk.failures[one.error] += 1
        elif one.id not in answered:
            answered.add(one.id)
            lines.append(_encode(_Kept(one.id, one.reply.text, one.reply.finish)) + b"\n")
    out.write(b"".join(lines))
    out.flush()
    os.fsync(out.fileno())
    bulk.answered += len(lines)
    if fatal := next((one for one in answers if one.fatal), None):
        raise InputError(fatal.error)
