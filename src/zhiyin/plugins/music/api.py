"""Functions that report what the reference listener hears in a recording."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.plugins.music.listener import FILES, hear
from zhiyin.shown.pages import in_notebook
from zhiyin.shown.table import Kind, table_of
from zhiyin.trial import one_line
from zhiyin.words import said


class Heard(msgspec.Struct, frozen=True):
    """The result of listening to a recording.

    Attributes
    ----------
    task : {"chords", "syncopation", "transposition"}
    why : str
        In words.
    found : dict
        The fields of what was heard, as ``zhiyin listen --json`` prints them.
    """

    task: str
    why: str
    found: dict[str, Any]

    def __repr__(self) -> str:
        """Show the words on one line."""
        return one_line("Heard", self.task, "", self.why)

    def _repr_html_(self) -> str:
        shown = [(k, str(v)) for k, v in self.found.items() if k not in ("why", "melodies")]
        columns: dict[str, Kind] = {self.task: "text", "heard": "text"}
        return in_notebook(table_of("heard", columns, shown, self.why))


def listen(*files: Place, task: Literal["chords", "syncopation", "transposition"]) -> Heard:
    """Listen to a recording by signal processing, without a model.

    Parameters
    ----------
    *files : path
        WAV, FLAC, OGG or MP3: one, or the two to be compared for "transposition".
    task : {"chords", "syncopation", "transposition"}
        The quality of a chord; how many onsets of a drum pattern are off the beat; whether two
        melodies are the same in another key.

    Returns
    -------
    Heard
        Also where nothing was heard: `why` says so.

    Raises
    ------
    InputError
        An unknown task, another number of files than it needs, or a file that cannot be read.
    """
    if task not in FILES:
        raise InputError(said("listen-task", task=repr(task), hint=did_you_mean(task, FILES)))
    fields = hear(task, files)
    return Heard(task, str(fields["why"]), fields)
