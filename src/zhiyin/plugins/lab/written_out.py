"""Questions for a model that runs elsewhere, written out."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from zhiyin import __version__
from zhiyin.contract.registry import blaming, given
from zhiyin.contract.settings import RunSettings
from zhiyin.errors import InputError, ModelError, system_words
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.models import replay
from zhiyin.models.media import neutral_copy
from zhiyin.plugins.lab.layouts import HarnessFiles, OtherLayout, QuestionToWrite, harness_files
from zhiyin.plugins.music.made_files import whole_folder
from zhiyin.record import Sampling, Strategy
from zhiyin.session.selection import Selection
from zhiyin.session.setup import UnreachedModel, asked_once, manifest_of, selected, strategies
from zhiyin.trial import Audio, Image, Message, Trial, right_keys
from zhiyin.words import said

Layout = Literal["chat", "list"] | OtherLayout
_FORMAT = 1
_encode = msgspec.json.Encoder().encode


class WrittenTrials(NamedTuple):
    """Result of writing out: the folder, the file of questions, counts of trials and media files.

    `use` says how another harness is told of them, `holds_key` that they hold the right answers.
    """

    folder: Path
    file: Path
    trials: int
    media: int
    run: str
    use: str = ""
    holds_key: bool = False


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
            said("written-sequences", benchmark=benchmark, sequences=len(selection.sequences))
        )
    number, questions = QuestionNumbers(), []
    for trial in selection:
        asked = await asked_once(trial, strategy(trial), sampling)
        if asked is None:
            raise InputError(said("written-again", benchmark=benchmark, trial=trial.id))
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
    questions: list[QuestionToWrite], folder: Path, config: dict[str, Any], run: str,
    layout: Layout = "chat",
) -> WrittenTrials:  # fmt: skip
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
        raise InputError(
            said("error-not-written-to", path=folder, why=system_words(error))
        ) from None
    file = folder / away.files[0]
    return WrittenTrials(folder, file, len(questions), away.media, run, away.use, away.holds_key)


def _write(
    questions: Sequence[QuestionToWrite], folder: Path, config: dict[str, Any], run: str,
    layout: Layout,
) -> replay.QuestionsManifest:  # fmt: skip
    """Write the folder: media, the harness's files and the manifest."""
    media = folder / replay.MEDIA
    media.mkdir()
    places: dict[Audio | Image, str] = {}

    def place(part: Audio | Image) -> str:
        if part not in places:
            places[part] = f"{replay.MEDIA}/{neutral_copy(part, media).name}"
        return places[part]

    benchmark = config["benchmark"]
    if layout == "chat":
        lines = b"".join(_encode(_line(one, place)) + b"\n" for one in questions)
        written = HarnessFiles({replay.TRIALS: lines}, "", holds_key=False)
    elif layout == "list":
        items = msgspec.json.format(_encode([_item(one, place) for one in questions])) + b"\n"
        written = HarnessFiles({replay.LIST: items}, "", holds_key=False)
    else:
        written = harness_files(layout, questions, benchmark, place)
    for name, data in written.files.items():
        (folder / name).write_bytes(data)
    count = len({*places.values()})
    digest = hashlib.sha256(b"".join(written.files.values())).hexdigest()
    away = replay.QuestionsManifest(
        _FORMAT, __version__, benchmark, config, len(questions), count, digest, run,
        [*written.files], written.use, written.holds_key,
    )  # fmt: skip
    (folder / replay.MANIFEST).write_bytes(msgspec.json.format(_encode(away)) + b"\n")
    if not count:
        media.rmdir()
    return away


def _refuse_folder(folder: Path) -> None:
    """Refuse a folder of somebody else's: not one that is empty, or that was written here."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(said("written-file", folder=folder))
    ours = {replay.TRIALS, replay.LIST, replay.MANIFEST, replay.MEDIA, *_files_of(folder)}
    there = {path.name for path in folder.iterdir()}
    if there - ours or (there and replay.MANIFEST not in there):
        other = sorted(there - ours or there)[0]
        raise InputError(said("written-there", folder=folder, other=other))


def _files_of(folder: Path) -> list[str]:
    """The files that a manifest in a folder names; none where there is none that can be read."""
    with contextlib.suppress(OSError, *NOT_JSON):
        manifest = read_regular(folder / replay.MANIFEST)
        return msgspec.json.decode(manifest, type=replay.QuestionsManifest).files
    return []


class _ChatLine(msgspec.Struct):
    """A line of the questions; where there are options, also the question without its prompt."""

    id: str
    messages: list[dict[str, object]]
    settings: dict[str, object]
    question: str | msgspec.UnsetType = msgspec.UNSET
    options: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


def _line(asked: QuestionToWrite, place: Callable[[Audio | Image], str]) -> _ChatLine:
    messages = replay.in_chat_form(asked.messages, place)
    line = _ChatLine(asked.id, [*messages], replay.settings_of(asked.sampling))
    if asked.options:
        line.question, line.options = asked.stem, dict(asked.options)
    return line


def _refuse_as_list(asked: QuestionToWrite) -> None:
    """Raise `InputError` where a question has no place in the list."""
    parts = [part for message in asked.messages for part in message.parts]
    sounds = [part for part in parts if isinstance(part, Audio)]
    pictures = any(isinstance(part, Image) for part in parts)
    if len(asked.messages) != 1 or len(sounds) > 1 or pictures or not asked.options:
        raise InputError(said("written-list"))


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


async def write_trials(order: RunSettings, folder: Path, layout: Layout, run: str) -> WrittenTrials:
    """Write out what an order would ask, for a model that runs elsewhere.

    Parameters
    ----------
    order : RunSettings
        Its model and its folder do not matter.
    folder : Path
    layout : str
        As in `write_out`.
    run : str
        The command that makes a run of the answers.

    Raises
    ------
    InputError
        For anything in the order that the user can mend, or where what is asked depends on what
        is answered.
    """
    with blaming(given(order.benchmark)):
        order, selection = selected(order)
        config = manifest_of(order, selection, UnreachedModel()).config
        del config["model"]
        own = strategies(order, selection.benchmark)
        asked = await every_question(selection, own, order.sampling)
        return write_out(asked, folder, config, run, layout)


async def written_trials(order: RunSettings) -> dict[str, Trial]:
    """The trials that `write_trials` writes of an order, by the id that each has there.

    Raises
    ------
    InputError
        As `write_trials` does.
    """
    order, selection = selected(order)
    own = strategies(order, selection.benchmark)
    asked = await every_question(selection, own, order.sampling)
    trials = {trial.id: trial for trial in selection}
    return {question.id: trials[question.trial] for question in asked}


class QuestionNumbers:
    """Gives ids: of what is asked, and a number where the same was asked before."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def __call__(self, messages: Sequence[Message], sampling: Sampling) -> str:
        """The id of one question."""
        name = replay.name_of(messages, sampling)
        self._times[name] += 1
        return replay.numbered(name, self._times[name])
