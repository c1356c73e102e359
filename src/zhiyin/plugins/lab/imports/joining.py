"""Rows of other programs and the questions that they answer: found, and held against each other.

Files of other programs that hold questions, options and keys of their own: read as entries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import one_form
from zhiyin.plugins.lab.imports.files import ForeignRow, read_foreign
from zhiyin.plugins.methods.replies import GivenEntry, joined_entries
from zhiyin.trial import Audio, Option, Trial, right_keys, short
from zhiyin.words import said

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_START = 8
"""By so many letters of its beginning a question is looked for in a prompt."""
_LABELLED = re.compile(r"^\(?([A-Z])[).:\]]\s*(.*)$", re.DOTALL)
_LETTER = re.compile(r"^(?:answer\s*:\s*)?\(?([A-Z])\)?[.:\]]?$", re.IGNORECASE)
_SOUNDS = (".wav", ".mp3", ".flac", ".ogg", ".m4a")


def folded(text: str) -> str:
    """A text as it is compared: one blank for many, no case, no full stop at its end."""
    return " ".join(one_form(text).split()).casefold().rstrip(".")


class JoinedRow(msgspec.Struct, frozen=True):
    """A row with its question, the options in the order in which the model had them."""

    row: ForeignRow
    trial: Trial


class Joined(msgspec.Struct):
    """Result of joining: pairs, what was compared with the questions, and what was left out."""

    pairs: list[JoinedRow]
    by: str
    compared: Counter[str]
    left_out: list[str]


class QuestionIndex:
    """The questions of a benchmark, to be found by id, or by words, options, clip and number.

    Parameters
    ----------
    trials : iterable of Trial
        Each question once.
    right_first : bool
        Whether the data list the right answer first, so that a row has to say what was shown.
    shown : bool
        Whether the trials have their options as the model was shown them.
    """

    def __init__(
        self, trials: Iterable[Trial], right_first: bool = False, *, shown: bool = False
    ) -> None:
        named = map(_named, trials)
        self.trials = [trial if right_first or shown else in_data_order(trial) for trial in named]
        self.right_first = right_first
        self.by_id: dict[str, Trial] = {}
        for trial in self.trials:
            for name in (trial.id, trial.item):
                if name:
                    self.by_id.setdefault(one_form(name), trial)
        self._by_start: dict[str, list[tuple[str, int]]] = {}
        for place, trial in enumerate(self.trials):
            words = folded(trial.stem)
            if words:
                self._by_start.setdefault(words[:_START], []).append((words, place))
        self._sizes = sorted({len(start) for start in self._by_start})

    @classmethod
    def as_written(cls, trials: Mapping[str, Trial]) -> QuestionIndex:
        """Questions as they were written out for another program, by the ids that they have there.

        Their options stand as they were shown.
        """
        made = cls(trials.values(), shown=True)
        made.by_id |= {one_form(name): _named(trial) for name, trial in trials.items()}
        return made

    def join(self, rows: Sequence[ForeignRow], *, partial: bool = False) -> Joined:
        """Each row with its question.

        Parameters
        ----------
        rows : sequence of ForeignRow
        partial : bool
            Whether rows without a question, or that differ from theirs, are left out.

        Raises
        ------
        InputError
            The first row that has none, or several, or that differs from its question.
        """
        by_id = any(one_form(row.id) in self.by_id for row in rows)
        joined = Joined([], "id" if by_id else "words", Counter(), [])
        for row in rows:
            try:
                trial = self._by_id(row) if by_id else self._by_words(row)
                joined.pairs.append(JoinedRow(row, self._held(row, trial, joined.compared)))
            except InputError as fault:
                if not partial:
                    raise InputError(said("import-partial", fault=fault)) from None
                joined.left_out.append(str(fault))
        if not joined.pairs:
            raise InputError(said("import-no-row", fault=joined.left_out[0]))
        return joined

    def _by_id(self, row: ForeignRow) -> Trial:
        trial = self.by_id.get(one_form(row.id))
        if trial is None:
            raise InputError(said("import-no-id", at=row.where, id=repr(row.id)))
        return trial

    def _by_words(self, row: ForeignRow) -> Trial:
        """Find the trial by the row's question; of several by clip, options, length and number."""
        if not row.question:
            raise InputError(said("import-neither", at=row.where))
        prompt = folded(row.question)
        sizes = self._within(prompt)
        if not sizes:
            shown = repr(short(row.question, 60))
            raise InputError(said("import-asks-none", at=row.where, question=shown))
        found = list(sizes)
        # A short question may be part of a long one: the long one was asked.
        found = _among(found, [each for each in found if same_clip(row.clip, self.trials[each])])
        found = _among(found, [each for each in found if self._offers(row, prompt, each)])
        longest = max(sizes[each] for each in found)
        found = [each for each in found if sizes[each] == longest]
        found = _among(found, [each for each in found if each == row.place])
        if len(found) > 1:
            names = [self.trials[place].item for place in found[:3]]
            raise InputError(said("import-alike", at=row.where, n=len(found), names=names))
        return self.trials[found[0]]

    def _within(self, prompt: str) -> dict[int, int]:
        """The questions that a prompt holds, each with its length."""
        found: dict[int, int] = {}
        for size in self._sizes:
            for at in range(len(prompt) - size + 1):
                for words, place in self._by_start.get(prompt[at : at + size], ()):
                    if prompt.startswith(words, at):
                        found[place] = len(words)
        return found

    def _offers(self, row: ForeignRow, prompt: str, place: int) -> bool:
        texts = [folded(option.text) for option in self.trials[place].options]
        if row.options:
            return sorted(texts) == sorted(map(folded, unlabelled(row.options)))
        return all(text in prompt for text in texts)

    def _held(self, row: ForeignRow, trial: Trial, compared: Counter[str]) -> Trial:
        """The trial of a row, its options as they were shown. Raises `InputError` where it differs.

        That is: the clip, the options or their order, or the key.
        """
        clip = clip_of(trial)
        if row.clip and clip:
            if not same_clip(row.clip, trial):
                raise InputError(_differs(row, trial, "clip differs", row.clip, clip))
            compared["clips"] += 1
        shown = unlabelled(row.options) or _listed(row.question, trial)
        if trial.options and shown:
            trial = self._with_options(row, trial, shown)
            compared["options"] += 1
        elif trial.options and self.right_first:
            raise InputError(said("import-order", where=row.where))
        if row.key and trial.target is not None:
            if not names_key(row.key, trial):
                ours = " / ".join(_texts_of(trial, right_keys(trial)))
                raise InputError(_differs(row, trial, "key differs", row.key, ours))
            compared["keys"] += 1
        return trial

    def _with_options(self, row: ForeignRow, trial: Trial, shown: Sequence[str]) -> Trial:
        ours = [option.text for option in trial.options]
        theirs = [folded(text) for text in shown]
        if sorted(theirs) != sorted(map(folded, ours)):
            there, here = _first_difference(sorted(shown, key=folded), sorted(ours, key=folded))
            raise InputError(_differs(row, trial, "options differ", there, here))
        if theirs == [folded(text) for text in ours]:
            return trial
        if not self.right_first:
            there, here = _first_difference(shown, ours)
            raise InputError(_differs(row, trial, "order of the options differs", there, here))
        by_text = {folded(option.text): option for option in trial.options}
        options = [by_text[text] for text in theirs]
        return msgspec.structs.replace(trial, options=lettered(options))


def _named(trial: Trial) -> Trial:
    """The trial with a name of its item."""
    return trial if trial.item else msgspec.structs.replace(trial, item=trial.id)


def _among(found: list[int], fitting: list[int]) -> list[int]:
    """Return those of several that fit, where any does."""
    return fitting if len(found) > 1 and fitting else found


def _first_difference(theirs: Sequence[str], ours: Sequence[str]) -> tuple[str, str]:
    for number in range(max(len(theirs), len(ours))):
        there = theirs[number] if number < len(theirs) else "nothing"
        here = ours[number] if number < len(ours) else "nothing"
        if folded(there) != folded(here):
            return there, here
    return "", ""


def _differs(row: ForeignRow, trial: Trial, what: str, theirs: str, ours: str) -> str:
    there, here = short(theirs, 60), short(ours, 60)
    return f"{row.where}: the {what} from {trial.item}: {there!r} there, {here!r} here"


def in_data_order(trial: Trial) -> Trial:
    """The trial with its options in the order of the data, where their keys tell it.

    They do if they are different letters: what stands twice among the options has one key.
    """
    options = trial.options
    keys = {option.key for option in options}
    if len(keys) < len(options) or not all(len(key) == 1 and key in LETTERS for key in keys):
        return trial
    ordered = lettered(sorted(options, key=lambda option: option.key))
    return trial if ordered == options else msgspec.structs.replace(trial, options=ordered)


def lettered(options: Iterable[Option]) -> tuple[Option, ...]:
    """Options under the letters of the places where they stand."""
    return tuple(
        Option(letter, option.text, option.key)
        for letter, option in zip(LETTERS, options, strict=False)
    )


def clip_of(trial: Trial) -> str:
    """The recording of a trial, as the data name it; "" where it has none, or several."""
    sounds = [part.path for m in trial.messages for part in m.parts if isinstance(part, Audio)]
    if len(sounds) == 1:
        return sounds[0]
    cluster = trial.cluster or ""
    return cluster if cluster.lower().endswith(_SOUNDS) else ""


def same_clip(clip: str, trial: Trial) -> bool:
    """Tell whether two paths name one recording, whatever their folder and ending."""
    ours = clip_of(trial)
    return bool(clip and ours) and _stem(clip) == _stem(ours)


def _stem(path: str) -> str:
    return PurePosixPath(one_form(path).replace("\\", "/")).stem


def unlabelled(options: Sequence[str]) -> tuple[str, ...]:
    """Options without the letters before them, where each has the letter of its place."""
    labels = [_LABELLED.match(option.strip()) for option in options]
    named = zip(labels, LETTERS, strict=False)
    if options and all(match and match[1] == letter for match, letter in named):
        return tuple(match[2].strip() for match in labels if match)
    return tuple(option.strip() for option in options)


def _listed(prompt: str, trial: Trial) -> tuple[str, ...]:
    """The options as a prompt lists them behind letters, behind the question; none for none.

    What follows the last of them on its line is no part of it.
    """
    ours = [option.text for option in trial.options]
    if not ours:
        return ()
    after = prompt[prompt.rfind(trial.stem.strip()) + len(trial.stem.strip()) :]
    lines = list(_behind_letters(after if trial.stem.strip() in prompt else prompt, len(ours)))
    if len(lines) != len(ours):
        return ()
    last = [text for text in ours if folded(lines[-1]).startswith(folded(text))]
    lines[-1] = max(last, key=len, default=lines[-1])
    if sorted(map(folded, lines)) == sorted(map(folded, ours)):
        return tuple(lines)
    whole = folded(prompt)
    return () if all(folded(text) in whole for text in ours) else tuple(lines)


def _behind_letters(prompt: str, count: int) -> Iterator[str]:
    """Yield the text after "(A)", "A." or "A)" up to the next letter or the end of the line."""
    ends: list[re.Match[str]] = []
    at = 0
    for letter in LETTERS[:count]:
        label = re.compile(rf"(?:^|(?<=\s))(?:\({letter}\)|{letter}[.):])\s*")
        match = label.search(prompt, at)
        if match is None:
            return
        ends.append(match)
        at = match.end()
    for match, following in zip(ends, [*ends[1:], None], strict=True):
        stop = following.start() if following else len(prompt)
        text = prompt[match.end() : stop].strip()
        yield text.partition("\n")[0].strip() if following is None else text


def names_key(key: str, trial: Trial) -> bool:
    """Tell whether a key as another program writes it is that of a trial.

    It is the text of the right option, its letter in the order shown, or both: "(B) Violin".
    """
    right = right_keys(trial)
    if not trial.options:
        return folded(key) in {folded(each) for each in right}
    texts = {folded(text) for text in _texts_of(trial, right)}
    if folded(key) in texts:
        return True
    letters = {option.letter for option in trial.options if option.key in right}
    if match := _LETTER.match(key.strip()):
        return match[1].upper() in letters
    labelled = _LABELLED.match(key.strip())
    return bool(labelled and labelled[1] in letters and folded(labelled[2]) in texts)


def _texts_of(trial: Trial, keys: Sequence[str]) -> list[str]:
    texts: Mapping[str, str] = {option.key: option.text for option in trial.options}
    return [texts.get(key, key) for key in keys]


REPLY = "reply"


def foreign_entries(
    path: Path, field: str = "", questions: Path | None = None, line: str = ""
) -> list[GivenEntry]:
    """The rows of a file of any known format as entries, the reply of each under `REPLY`.

    Parameters
    ----------
    path : Path
    field : str
        The place of the reply in a row; "" for that of the format.
    questions : Path, optional
        See `joined_entries`.
    line : str
        The command that is to be typed again, with another flag behind it.

    Raises
    ------
    InputError
        The file cannot be read, or a reply belongs to none of the questions.
    """
    rows = read_foreign(path, field=field, line=line).rows
    found = ((path, row.where.removeprefix(f"{path}, "), _entry(row)) for row in rows)
    return joined_entries(found, questions)


def _entry(row: ForeignRow) -> Mapping[str, Any]:
    texts = unlabelled(row.options)
    options = lettered(Option("", text, str(place)) for place, text in enumerate(texts))
    entry = {
        "id": row.id,
        "question": row.question,
        "choices": [*texts],
        "answer": _keyed(row.key or "", options),
        REPLY: None if row.reply is None else row.reply.text,
    }
    return {name: value for name, value in entry.items() if value} | {REPLY: entry[REPLY]}


def _keyed(key: str, options: tuple[Option, ...]) -> str:
    """The text of the option that a key names, by its text, its letter or both; else the key."""
    texts = [option.text for option in options]
    if key.strip() in texts:
        return key.strip()
    trials = (Trial("", (), options=options, target=option.key) for option in options)
    named = (text for text, trial in zip(texts, trials, strict=True) if names_key(key, trial))
    return next(named, key)
