"""The reference listener as a model: it answers trials by what it hears, and by nothing else.

Skills of hearing in one or two short recordings, each named by a question's options.

A skill is known by the words of the options alone. It hears the recordings and gives a word; the
option that begins with that word, or holds it, is the answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from zhiyin.errors import InputError, ModelError
from zhiyin.models.capabilities import Capabilities
from zhiyin.plugins.music import solvers
from zhiyin.plugins.music.listener import chords, differences, strokes
from zhiyin.plugins.music.listener.answering import (
    SCHEMA,
    ListenerQuestion,
    Source,
    answer,
    first_word,
    hear_piece,
    read_chord,
    read_melody,
    read_piece,
    read_rhythm,
    understand,
)
from zhiyin.plugins.music.listener.differences import (
    Hear,
    brass_or_reed,
    first_bar,
    late,
    loudest,
    pace,
)
from zhiyin.plugins.music.listener.instruments import hear_source
from zhiyin.plugins.music.listener.melody import hear_melody, hear_shape, same_melody
from zhiyin.plugins.music.listener.rhythm import hear_rhythm
from zhiyin.plugins.music.listener.spectrum import Answer, one_core
from zhiyin.plugins.music.notated.solving import understand as understand_notation
from zhiyin.plugins.music.solvers import Kind, write_schema
from zhiyin.record import Reply, Sampling
from zhiyin.sound import Sound, read_sound
from zhiyin.trial import Audio, Image, Message, Option, Text, Trial

LINE = re.compile(
    r"^[^\S\n]*+(rhythm|melody|chord)\([^\[\]\n]*+\[([\d, \t]*+)\]\)[^\S\n]*+$", re.MULTILINE
)


@dataclass(frozen=True)
class ListenerFinding:
    """The listener's finding on the sounds of a question.

    Attributes
    ----------
    rows : tuple of tuple of int
        Slots of kick and snare, or MIDI pitches, for each source; an empty row for nothing.
    answer : str or None
        First word of the right option ("minor", "yes", "4"); None for no answer.
    why : str
        One line for people, to stand after "I".
    """

    rows: tuple[tuple[int, ...], ...]
    answer: str | None
    why: str


class Listener:
    """Answers trials on rhythm, melody and chords through classical signal processing.

    It is a `zhiyin.record.Model`. It looks at sound (or at the MIDI text of a message), at the
    question and at the options; never at a file's name, and a blinded trial holds no target.
    A reply is one line that says what was heard, then ``Final Answer: X``; or the schema lines
    that the conversation asks for; or one line that says why there is no answer.
    """

    name = "listener"
    canary = False
    capabilities = Capabilities(
        sound=True, image=False, seconds=None, clips=None, system=True, sound_examples=True,
        logprobs=False, schema=False, thinking=False,
    )  # fmt: skip

    def __init__(self) -> None:
        self.concurrency = os.cpu_count() or 1
        self._cores = contextlib.ExitStack()
        self._hearing = False

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Answer one call; `sampling` has no meaning here, since nothing is drawn at random.

        Raises
        ------
        ModelError
            Where a recording cannot be read.
        """
        if not self._hearing:
            self._hearing = True
            self._cores.enter_context(one_core())
        try:
            return await asyncio.to_thread(reply, messages, trial.options, trial.stem)
        except InputError as problem:
            raise ModelError(str(problem)) from None

    async def close(self) -> None:
        """Let others use all cores again."""
        self._hearing = False
        self._cores.close()


def reply(messages: Sequence[Message], options: Sequence[Option], stem: str = "") -> Reply:
    """The listener's reply to a conversation. Raises `InputError` for what cannot be read."""
    if (noted := reply_about_notation(messages, options, stem)) is not None:
        return noted
    if (skilled := reply_by_skill(messages, options)) is not None:
        return skilled
    question = understand(messages, options)
    if isinstance(question, str):
        general = reply_about_piece(messages, options, stem)
        return general or Reply(f"I cannot answer this: {question}.")
    finding = conclude(question) or perceive(question)
    silent = _final(finding.why, None, finding.rows)
    if question.ids:
        if all(finding.rows):
            silent.text = write_schema(question.kind, finding.rows, question.ids)
        else:
            silent.text = f"I cannot transcribe this: I {finding.why}."
        return silent
    chosen = next((o for o in question.options if first_word(o.text) == finding.answer), None)
    if chosen is None:
        return silent
    final = chosen.text if question.kind == "melody" else chosen.letter
    return _final(finding.why, final, finding.rows)


def reply_about_notation(
    messages: Sequence[Message], options: Sequence[Option], stem: str
) -> Reply | None:
    """The reply to a question about notes, bars or parts of a piece; None for any other."""
    parts = messages[-1].parts if messages else ()
    if understand_notation(stem) is None:
        return None
    if any(isinstance(part, Image) for part in parts):  # which is not looked at here
        return Reply("I have no answer: I cannot see.")
    if sounds := [part for part in parts if isinstance(part, Audio)]:
        answered = hear_piece(stem, [load(sound) for sound in sounds], options)
    else:
        texts = [part.text for part in parts if isinstance(part, Text)]
        answered = read_piece(stem, texts, options)
    if answered is None:
        return None
    letter, why = answered
    return _final(why, letter)


def reply_by_skill(messages: Sequence[Message], options: Sequence[Option]) -> Reply | None:
    """The reply to a question whose options name one of the skills; None for any other."""
    skill = skill_for(options)
    if skill is None:
        return None
    asked = next((m for m in reversed(messages) if m.role == "user"), None)
    sounds = [p for p in asked.parts if isinstance(p, Audio)] if asked else []
    words = "\n".join(m.text for m in messages if m.role == "system" or m is asked)
    if len(sounds) < skill.sounds or SCHEMA.search(words):  # a transcription is asked for
        return None
    # What was played before the last ones in a message are worked examples.
    word, why = skill.hear(*(load(sound) for sound in sounds[-skill.sounds :]))
    chosen = None if word is None else (skill.placed(options) or {}).get(word)
    if chosen is None:
        return _final(why, None)
    if all(first_word(option.text) in ("yes", "no") for option in options) and skill.sounds > 1:
        return _final(why, chosen.text)
    return Reply(f"I {why}.\n{chosen.letter}. {chosen.text}", detail={"why": why})


def reply_about_piece(
    messages: Sequence[Message], options: Sequence[Option], stem: str
) -> Reply | None:
    """The reply to a question in words about one recording; None where there is no such thing."""
    parts = messages[-1].parts if messages else ()
    sounds = [part for part in parts if isinstance(part, Audio)]
    if not stem or not options or len(sounds) != 1:
        return None
    answered = answer(stem, options, lambda: load(sounds[0]))
    return _final(answered.why, answered.letter)


def _final(why: str, answer: str | None, rows: Sequence[Sequence[int]] | None = None) -> Reply:
    """A reply with its answer in the last line, or why there is none."""
    heard = {} if rows is None else {"heard": [list(row) for row in rows]}
    said = f"I have no answer: I {why}." if answer is None else f"I {why}.\nFinal Answer: {answer}"
    return Reply(said, detail={**heard, "why": why})


def conclude(question: ListenerQuestion) -> ListenerFinding | None:
    """Draw the answer from a transcription that the closing message states; None without one."""
    lines = [numbers for kind, numbers in LINE.findall(question.stated) if kind == question.kind]
    numbers = [re.findall(r"\d++", line) for line in lines]
    if any(len(number) > 3 for row in numbers for number in row):
        return None  # neither a slot nor a pitch
    rows = tuple(tuple(map(int, row)) for row in numbers)
    if not rows or len(rows) != len(question.sources):
        return None
    return ListenerFinding(
        rows, decide(question.kind, rows), "take the transcription as it is stated"
    )


def decide(kind: Kind, rows: Sequence[Sequence[int]]) -> str | None:
    """The first word of the option that the solver of a task arrives at."""
    if kind == "rhythm":
        return str(solvers.count_offbeats(rows[0]))
    if kind == "chord":
        return solvers.chord_quality(rows[0])
    return yes_no(solvers.are_transpositions(*rows))


def perceive(question: ListenerQuestion) -> ListenerFinding:
    """Hear (or read) the sources of a question, and decide."""
    if question.kind == "melody":
        return compare(question.sources)
    (source,) = question.sources
    if question.kind == "chord":
        chord = chords.hear_chord(load(source)) if isinstance(source, Audio) else read_chord(source)
        return ListenerFinding((chord.pitches,), chord.quality, chord.why)
    rhythm = hear_rhythm(load(source)) if isinstance(source, Audio) else read_rhythm(source)
    count = None if rhythm.offbeats is None else str(rhythm.offbeats)
    return ListenerFinding((rhythm.slots,), count, rhythm.why)


def compare(sources: Sequence[Source]) -> ListenerFinding:
    """Tell whether two melodies are one: heard ones by likeness, written ones by intervals."""
    a, b = (hear_melody(load(s)) if isinstance(s, Audio) else read_melody(s) for s in sources)
    rows = (a.pitches, b.pitches)
    if not all(isinstance(source, Audio) for source in sources):
        return ListenerFinding(rows, decide("melody", rows), f"{a.why} and {b.why}")
    match = same_melody(a, b)
    return ListenerFinding(rows, yes_no(match.same), match.why)


def load(part: Audio) -> Sound:
    """The sound of an audio part, cut to what is to be sent.

    Raises
    ------
    InputError
        For a file that cannot be read, or a part that lies outside it.
    """
    sound = read_sound(part.path)
    first = round((part.start or 0.0) * sound.rate)
    last = len(sound.samples) if part.end is None else round(part.end * sound.rate)
    if not 0 <= first < min(last, len(sound.samples)):
        raise InputError(
            f"{part.path}: {part.start} to {part.end} s lies outside its {sound.seconds:.2f} s"
        )
    return Sound(sound.samples[first:last], sound.rate)


def open_listener(rest: str, setting: object) -> Listener:
    """The listener, which has no variants and no settings."""
    return Listener()


@dataclass(frozen=True)
class Skill:
    """One thing that can be heard.

    Attributes
    ----------
    words : tuple of str
        Patterns, one for each option, in whatever order: all must match a different option.
    answers : tuple of str
        What `hear` calls each of them, in the order of `words`.
    sounds : int
        How many recordings it takes.
    hear : callable
        From the recordings to the answer.
    """

    words: tuple[str, ...]
    answers: tuple[str, ...]
    sounds: int
    hear: Hear

    def placed(self, options: Sequence[Option]) -> dict[str, Option] | None:
        """Each answer with its option; None where the options are not this skill's."""
        by_answer: dict[str, Option] = {}
        for word, named in zip(self.words, self.answers, strict=True):
            fits = [o for o in options if re.search(word, o.text.lower())]
            if len(fits) == 1:
                by_answer[named] = fits[0]
        return by_answer if len(by_answer) == len(options) == len({*by_answer.values()}) else None


@dataclass(frozen=True)
class Spelling(Skill):
    """One whose options are rows of signs: an answer is the row that was heard."""

    def placed(self, options: Sequence[Option]) -> dict[str, Option] | None:
        """Each row of signs with its option."""
        return strokes.spelled(options)


def skill_for(options: Sequence[Option]) -> Skill | None:
    """The skill that the options ask for; None for any other question."""
    if len(options) < 2:
        return None
    return next((skill for skill in SKILLS if skill.placed(options) is not None), None)


def yes_no(value: bool | None) -> str | None:
    """The first word of an answer to a yes-or-no question; None for no answer."""
    return None if value is None else "yes" if value else "no"


def _transposed(a: Sound, b: Sound) -> Answer:
    match = same_melody(hear_melody(a), hear_melody(b))
    return yes_no(match.same), match.why


def _same_notes(a: Sound, b: Sound) -> Answer:
    match = same_melody(hear_melody(a), hear_melody(b))
    return yes_no(match.same and match.shift == 0), match.why


def _pair(what: str) -> tuple[str, str]:
    return rf"^yes\b.*\b{what}", rf"^no\b.*\b{what}"


def _eighths(what: str) -> tuple[str, str]:
    return rf"^the third note {what}", rf"^the sixth note {what}"


_YES_NO = ("yes", "no")


def _which(claim: str, hear: Hear) -> Skill:
    """Make a skill that picks one of a recording's two sounds, by what both options claim."""
    words = tuple(rf"^(?=.*{claim})(?=.*\b{place}\b)" for place in ("first", "second"))
    return Skill(words, ("1", "2"), 1, hear)


def _whether(yes: str, no: str, hear: Hear) -> Skill:
    """Make a skill that tells whether a recording has something."""
    return Skill((rf"^yes\b.*{yes}", rf"^no\b.*{no}"), _YES_NO, 1, hear)


_MORE, _HAS = differences.which_has_more, differences.has_it
_COMPARED = (
    _which("tone is higher", _MORE(differences.pitch)),
    _which("pitch rises", _MORE(differences.rise)),
    _which("row is faster", _MORE(differences.tempo)),
    _which("beat is out of time", _MORE(differences.unevenness)),
    _which("tone is louder", _MORE(differences.loudness)),
    _which("partial is out of tune", _MORE(differences.mistuning)),
    _which("has a gap", _MORE(differences.hole)),
    _which("has a chord", _MORE(differences.tonality)),
    _which("is the same melody", differences.same_again),
    _whether("tone is higher", "same pitch", _HAS(differences.pitch, 0.5, above_first=True)),
    _whether("pitch rises", "pitch falls", _HAS(differences.rise, 0.0)),
    _whether("row is faster", "same tempo", _HAS(differences.tempo, 0.2, above_first=True)),
    _whether("beat is out of time", "regular", _HAS(differences.unevenness, 0.8)),
    _whether("tone is louder", "equally loud", _HAS(differences.loudness, 0.05, above_first=True)),
    _whether("partial is out of tune", "harmonic", _HAS(differences.mistuning, 2.0)),
    _whether("has a gap", "no gap", _HAS(differences.hole, 8.0)),
    _whether("has a chord", "no chord", _HAS(differences.tonality, 11.5)),
    _whether("melody is the same", "is changed", differences.same_again),
)
"""Comparisons of two sounds, and faults of one, in a single recording."""
SKILLS = (
    Skill(_pair("drum"), _YES_NO, 2, strokes.same_drums),
    Skill(_pair("chord progression"), _YES_NO, 2, chords.same_progression),
    Skill(_pair("exact melody"), _YES_NO, 2, _same_notes),
    Skill(_pair("same melody"), _YES_NO, 2, _transposed),
    Skill((r"^yes\b.*\bmodulat", r"^no\b.*\bkey\b"), _YES_NO, 1, chords.hear_modulation),
    Skill(
        tuple(rf"excerpt {n} .{{0,60}}?\bmore syncopated" for n in (1, 2)),
        ("1", "2"), 2, strokes.more_syncopated,
    ),
    Skill((r"groups of 3", r"groups of 4", r"groups of 5"), ("3", "4", "5"), 1, strokes.hear_meter),
    Skill(
        (r"^piano$", r"^guitar$", r"^bass$", r"^drums?$"),
        ("piano", "guitar", "bass", "drums"), 1, hear_source,
    ),
    Skill(
        (r"^arch\b", r"^inverted arch\b", r"^ascending\b", r"^descending\b"),
        ("arch", "inverted arch", "ascending", "descending"), 1, hear_shape,
    ),
    Skill((r"^major$", r"^minor$"), ("major", "minor"), 1, chords.hear_triad),
    Skill(_eighths(r"is the loudest"), ("third", "sixth"), 1, loudest),
    Skill(_eighths(r"comes late"), ("third", "sixth"), 1, late),
    Skill((r"^the bar that rises$", r"^the bar that falls$"), ("rises", "falls"), 1, first_bar),
    Skill((r"\bgoes faster\b", r"\bgoes slower\b"), ("faster", "slower"), 2, pace),
    Skill((r"^trumpet$", r"^clarinet$"), ("trumpet", "clarinet"), 1, brass_or_reed),
    *_COMPARED,
    Spelling((), (), 1, strokes.hear_strokes),
)  # fmt: skip
