"""Questions for a model that runs elsewhere: written out, and bound to the answers by their ids."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from zhiyin import __version__
from zhiyin.errors import InputError, ModelError
from zhiyin.files import whole_folder
from zhiyin.models.media import write_neutral_picture
from zhiyin.models.playback import write_neutral
from zhiyin.models.questions import (
    LIST,
    MANIFEST,
    MEDIA,
    TRIALS,
    AskedQuestion,
    QuestionNumbers,
    QuestionsManifest,
    in_chat_form,
    name_of,
    settings_of,
)
from zhiyin.record import Reply, Sampling, Strategy
from zhiyin.session.selection import Selection
from zhiyin.trial import Audio, Image, Message, Trial

Layout = Literal["chat", "list"]
_FORMAT = 1
_encode = msgspec.json.Encoder().encode


class Elsewhere:
    """A model that is not here: a run of it can be described, and nothing can be asked."""

    name = "elsewhere"
    concurrency = 1

    async def generate(self, messages: Any, sampling: Sampling, trial: Trial) -> Reply:
        """Always raises `ModelError`."""
        raise ModelError("this model runs elsewhere: bring its answers with -m replay:FILE")

    async def close(self) -> None:
        """Nothing is held open."""


class Written(NamedTuple):
    """What was written out: the folder, the file of questions, how many, how many media files."""

    folder: Path
    file: Path
    trials: int
    media: int
    run: str


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

    with contextlib.suppress(Exception):  # it expects words: what it asked first is known
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
) -> list[AskedQuestion]:
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
    number, pairs = QuestionNumbers(), []
    for trial in selection:
        asked = await asked_once(trial, strategy(trial), sampling)
        if asked is None:
            raise InputError(
                f"{benchmark}: trial {trial.id} asks again after a reply, and cannot be written "
                "out beforehand: choose another way of asking (without --confirm, for one), or "
                "ask the model where Zhiyin reaches it"
            )
        name = number(asked.messages, asked.sampling)
        pairs.append((msgspec.structs.replace(asked, id=name), trial))
    return [
        _with_question(asked, trial) for asked, trial in sorted(pairs, key=lambda pair: pair[0].id)
    ]


class _Question(AskedQuestion, frozen=True):
    """With the question alone and the options as shown, for code that has a prompt of its own."""

    stem: str = ""
    options: tuple[tuple[str, str], ...] = ()


def _with_question(asked: AskedQuestion, trial: Trial) -> AskedQuestion:
    options = tuple((option.letter, option.text) for option in trial.options)
    return _Question(asked.id, asked.trial, asked.messages, asked.sampling, trial.stem, options)


def write_out(
    questions: list[AskedQuestion],
    folder: Path,
    config: dict[str, Any],
    run: str,
    layout: Layout = "chat",
) -> Written:
    """Write questions, their sounds and pictures, and a manifest into a folder.

    Parameters
    ----------
    questions : list of AskedQuestion
    folder : Path
        Made if it is not there. A folder that holds something else is left alone.
    config : dict
        What the run is, as a run's manifest says.
    run : str
        The command that makes a run of the answers.
    layout : {"chat", "list"}
        A line for each question, or one JSON list of prompts, options and sounds.

    Raises
    ------
    InputError
        The folder holds something else, cannot be written, or a sound or picture cannot be read.
    """
    if layout == "list":
        for one in questions:
            _refuse_as_list(one)
    _refuse_folder(folder)
    try:
        with whole_folder(folder) as new:
            file, count = _write(questions, new, config, run, layout)
            if folder.exists():
                shutil.rmtree(folder)
    except ModelError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from None
    return Written(folder, folder / file, len(questions), count, run)


def _write(
    questions: Sequence[AskedQuestion],
    folder: Path,
    config: dict[str, Any],
    run: str,
    layout: Layout,
) -> tuple[str, int]:
    """The name of the file of questions, and how many sounds and pictures there are."""
    media = folder / MEDIA
    media.mkdir()
    places: dict[Audio | Image, str] = {}

    def place(part: Audio | Image) -> str:
        if part not in places:
            write = write_neutral_picture if isinstance(part, Image) else write_neutral
            path = write(part, media)  # type: ignore[arg-type]
            places[part] = f"{MEDIA}/{path.name}"
        return places[part]

    if layout == "chat":
        file = TRIALS
        data = b"".join(_encode(_line(one, place)) + b"\n" for one in questions)
    else:
        file = LIST
        data = msgspec.json.format(_encode([_item(one, place) for one in questions])) + b"\n"
    (folder / file).write_bytes(data)
    count = len({*places.values()})
    away = QuestionsManifest(
        _FORMAT, __version__, config["benchmark"], config, len(questions), count,
        hashlib.sha256(data).hexdigest(), run,
    )  # fmt: skip
    (folder / MANIFEST).write_bytes(msgspec.json.format(_encode(away)) + b"\n")
    if not count:
        media.rmdir()
    return file, count


def _refuse_folder(folder: Path) -> None:
    """Refuse a folder of somebody else's: not one that is empty, or that was written here."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: is a file: choose another folder with --out")
    ours = {TRIALS, LIST, MANIFEST, MEDIA}
    there = {path.name for path in folder.iterdir()}
    if there - ours or (there and MANIFEST not in there):
        other = sorted(there - ours or there)[0]
        raise InputError(f"{folder} holds {other} already: choose another folder with --out")


def _line(asked: AskedQuestion, place: Callable[[Audio | Image], str]) -> dict[str, Any]:
    line: dict[str, Any] = {
        "id": asked.id,
        "messages": in_chat_form(asked.messages, place),
        "settings": settings_of(asked.sampling),
    }
    if isinstance(asked, _Question) and asked.options:
        line["question"] = asked.stem
        line["options"] = dict(asked.options)
    return line


def _refuse_as_list(asked: AskedQuestion) -> None:
    """Raise `InputError` where a question has no place in the list."""
    parts = [part for message in asked.messages for part in message.parts]
    sounds = [part for part in parts if isinstance(part, Audio)]
    options = asked.options if isinstance(asked, _Question) else ()
    pictures = any(isinstance(part, Image) for part in parts)
    if len(asked.messages) != 1 or len(sounds) > 1 or pictures or not options:
        raise InputError(
            "--layout list holds one prompt, one sound at most and some options a question, "
            "and this benchmark asks otherwise: leave --layout out"
        )


def _item(asked: AskedQuestion, place: Callable[[Audio | Image], str]) -> dict[str, Any]:
    """An item of the list: prompt, options as shown, sound."""
    sounds = [part for part in asked.messages[0].parts if isinstance(part, Audio)]
    options = asked.options if isinstance(asked, _Question) else ()
    return {
        "id": asked.id,
        "prompt": asked.messages[0].text,
        "answers": [text for _, text in options],
        "audio_path": place(sounds[0]) if sounds else None,
    }
