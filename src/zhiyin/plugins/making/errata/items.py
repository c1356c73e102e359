"""Items as rules see them: what is asked, made of all trials that ask it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from zhiyin.contract.conditions import SOUND
from zhiyin.trial import Audio, Image, Trial, right_keys


class AskedItem(msgspec.Struct, frozen=True):
    """One item of a benchmark, however often and in however many ways it is asked.

    Attributes
    ----------
    id : str
    stem : str
        The question; what is sent last where no stem is given.
    options : tuple of str
        All that are offered, in the order of their keys; a text that stands twice in one trial
        stands twice here.
    right : tuple of int
        Which of them are keyed, from 0; empty where none is, though a target is stated.
    target : str or None
        What the trial states as right.
    about : str
        The recording or picture, by its contents where it is here, else by its cluster; "" for a
        question that stands alone.
    sounds : bool
        Whether it is about something heard: a recording is sent, or its tags say what is.
    trial : Trial
        The one with the most options.
    """

    id: str
    stem: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    target: str | None
    about: str
    sounds: bool
    trial: Trial

    @property
    def keyed(self) -> str:
        """The text of the keyed option, or the answer that is expected where there are none."""
        return self.options[self.right[0]] if self.right else self.target or ""

    @property
    def wrong(self) -> list[int]:
        """The options that are not keyed, from 0."""
        return [place for place in range(len(self.options)) if place not in self.right]

    @property
    def pictures(self) -> bool:
        """Tell whether a picture is sent."""
        return any(isinstance(part, Image) for m in self.trial.messages for part in m.parts)

    @property
    def sent(self) -> str:
        """All the words that are sent."""
        return "\n\n".join(message.text for message in self.trial.messages)


def items_of(trials: Iterable[Trial]) -> list[AskedItem]:
    """The items behind trials, in order of appearance.

    Parameters
    ----------
    trials : iterable of Trial
        Those without a key are left out.
    """
    together: dict[str, list[Trial]] = {}
    for trial in trials:
        if trial.target is not None:
            together.setdefault(trial.item or trial.id, []).append(trial)
    return [_item(name, several) for name, several in together.items()]


def _item(name: str, trials: list[Trial]) -> AskedItem:
    fullest = max(trials, key=lambda trial: len(trial.options))
    # In the order of the data: letters are shuffled, and equal options may share a key.
    ordered = sorted(fullest.options, key=lambda option: (option.key, option.letter))
    options = [option.text for option in ordered]
    right = [n for n, option in enumerate(ordered) if option.key in right_keys(fullest)]
    for trial in trials:  # some leave one option out in turn
        options += [o.text for o in trial.options if o.text not in options]
    media = [
        part.sha256
        for message in fullest.messages[-1:]
        for part in message.parts
        if isinstance(part, Audio | Image)
    ]
    heard = any(isinstance(part, Audio) for m in fullest.messages for part in m.parts)
    stem = fullest.stem or (fullest.messages[-1].text if fullest.messages else "")
    return AskedItem(
        id=name,
        stem=stem,
        options=tuple(options),
        right=tuple(right),
        target=fullest.target,
        about=" ".join(media) or fullest.cluster or "",
        sounds=heard or SOUND.name in fullest.tags,
        trial=fullest,
    )
