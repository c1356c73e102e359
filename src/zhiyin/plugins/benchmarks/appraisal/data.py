"""Reads option questions and song details: JSON lines, whatever is faulty reported and left out.

Short pieces made by Zhiyin, of which everything is known: key, tempo, instruments, chords.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.declared import Flaw
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, json_lines, read_regular, write_atomically
from zhiyin.plugins.music.midi import DRUM_CHANNEL, Note
from zhiyin.plugins.music.stimuli import INSTRUMENTS, Dice, balanced
from zhiyin.plugins.music.theory import Key, Mode, key_at, pitch_class
from zhiyin.trial import Option
from zhiyin.words import Text, naming, said

LETTERS = string.ascii_uppercase
QA, REVIEWS = "qa", "appraisal"
"""The groups of questions and of reviews."""
QA_FILE, DETAILS_FILE = "option_qa.jsonl", "song_details.jsonl"


class Question(msgspec.Struct, frozen=True):
    """One option question.

    Attributes
    ----------
    id : str
        Its own, or the hash of what is asked about what.
    song : str
        The audio path as it is written in the file.
    text : str
    options : tuple of str
    answer : str
        The letter of the right one, "A" for the first.
    metadata : dict
        Whatever else the data says of it.
    """

    id: str
    song: str
    text: str
    options: tuple[str, ...]
    answer: str
    metadata: dict[str, Any] = {}

    @property
    def choices(self) -> tuple[Option, ...]:
        """The options with their letters."""
        return tuple(
            Option(letter, text, letter)
            for letter, text in zip(LETTERS, self.options, strict=False)
        )

    @property
    def option_lines(self) -> str:
        """The options as they are shown, a line each."""
        return "\n".join(f"{option.letter}. {option.text}" for option in self.choices)


class LineFile(msgspec.Struct):
    """A file of JSON lines: where it lies, what was read from it, and what was left out."""

    path: Path
    sha256: str
    flaws: list[Flaw]


class QuestionFile(LineFile):
    """The questions of a file, in order."""

    items: list[Question]


class Details(LineFile):
    """The song details of a file: for each audio path, all fields but that."""

    items: dict[str, dict[str, Any]]


def read_questions(path: Path) -> QuestionFile:
    """The questions in a file.

    A line needs ``audio_path``, ``question``, ``options`` (two to 26) and ``answer`` or
    ``correct_answer`` (a letter); ``id`` is optional. A faulty line becomes a flaw.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    raw = _read(path)
    questions = QuestionFile(path, hashlib.sha256(raw).hexdigest(), [], [])
    first_lines: dict[str, int] = {}
    for number, line in _objects(raw, questions):
        try:
            question = question_in(line)
        except ValueError as fault:
            _flaw(questions, "bad-question", number, fault.args[0])
            continue
        if question.id in first_lines:
            _flaw(
                questions,
                "repeated-question",
                number,
                said("appraisal-twice", line=str(first_lines[question.id])),
            )
            continue
        first_lines[question.id] = number
        questions.items.append(question)
    return questions


def question_in(line: dict[str, Any]) -> Question:
    """The question in a line. Raises `ValueError` with what is wrong."""
    song, text = _word(line, "audio_path"), _word(line, "question")
    options = line.get("options")
    if not isinstance(options, list) or not all(isinstance(o, str) and o.strip() for o in options):
        raise ValueError(said("appraisal-no-options"))
    if not 2 <= len(options) <= len(LETTERS):
        raise ValueError(said("appraisal-many-options", n=len(options), most=len(LETTERS)))
    fields = [field for field in ("answer", "correct_answer") if line.get(field) is not None]
    if not fields:
        raise ValueError(said("appraisal-no-answer"))
    answers = {str(line[field]).strip().upper() for field in fields}
    if len(answers) > 1:
        raise ValueError(said("appraisal-two-answers"))
    answer = answers.pop()
    if len(answer) != 1 or answer not in LETTERS[: len(options)]:
        last = LETTERS[len(options) - 1]
        raise ValueError(said("appraisal-other-answer", answer=answer, last=last))
    content = msgspec.json.encode([song, text, options])
    own_id = line.get("id")
    question_id = (
        str(own_id) if isinstance(own_id, str | int) else hashlib.sha256(content).hexdigest()[:12]
    )
    given_metadata = line.get("metadata")
    metadata = given_metadata if isinstance(given_metadata, dict) else {}
    return Question(question_id, song, text, tuple(o.strip() for o in options), answer, metadata)


def read_details(path: Path) -> Details:
    """The song details in a file.

    A line needs ``audio_path``; any other fields are details. Two lines for one song that say
    the same are one; where they differ, neither is used, since it is unclear which is true.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    raw = _read(path)
    details = Details(path, hashlib.sha256(raw).hexdigest(), [], {})
    lines: dict[str, int] = {}
    for number, line in _objects(raw, details):
        try:
            song = _word(line, "audio_path")
        except ValueError as fault:
            _flaw(details, "bad-details", number, fault.args[0])
            continue
        fields = {k: v for k, v in line.items() if k != "audio_path" and v not in (None, "")}
        if song in lines and details.items.get(song) != fields:
            message = said("appraisal-two-details", song=song, line=str(lines[song]))
            _flaw(details, "two-details", number, message)
            details.items[song] = {}
            continue
        lines[song] = number
        details.items[song] = fields
    return details


def _word(line: dict[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(said("appraisal-no-text", field=name, missing=value is None))
    return value.strip()


def _read(path: Path) -> bytes:
    with reworded(f"{path}: ", ": is it there, and a file?"):
        return read_regular(path)


def _objects(raw: bytes, source: LineFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines that are JSON objects, numbered from 1; others become flaws."""
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            value = msgspec.json.decode(line.decode("utf-8"))
        except NOT_JSON as error:
            _flaw(source, "broken-line", number, said("appraisal-no-json", why=str(error)))
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            _flaw(source, "broken-line", number, said("appraisal-no-object"))


def _flaw(source: LineFile, kind: str, number: int, detail: Text) -> None:
    source.flaws.append(
        Flaw(kind, str(source.path), naming(said("appraisal-line", number=str(number))), detail)
    )


BARS, BEATS = 8, 4
PROGRESSIONS: dict[Mode, tuple[tuple[int, ...], ...]] = {
    "major": ((0, 4, 5, 3), (0, 5, 3, 4), (0, 3, 4, 0)),
    "minor": ((0, 5, 3, 4), (0, 3, 5, 4), (0, 5, 2, 4)),
}
"""Degrees of the scale (0 is the tonic) on which the chords of four bars stand."""
NUMERALS: dict[Mode, tuple[str, ...]] = {
    "major": ("I", "ii", "iii", "IV", "V", "vi", "vii°"),
    "minor": ("i", "ii°", "III", "iv", "v", "VI", "VII"),
}
TEMPI = (72, 92, 116, 148)
"""Quarter notes a minute; neighbours lie a quarter apart and more, so that the ear can tell."""
LEADS = ("flute", "trumpet", "clarinet", "violin")
BACKINGS = ("piano", "organ", "electric_piano")
KICK, SNARE, HAT = 36, 38, 42


class PieceChoices(msgspec.Struct, frozen=True):
    """The musical choices of one piece."""

    key: Key
    tempo: int
    lead: str
    backing: str
    degrees: tuple[int, ...]

    @property
    def seconds(self) -> float:
        """Length in seconds, with a second for the last notes to die away."""
        return BARS * BEATS * 60 / self.tempo + 1.0

    def details(self, audio: str, words: Mapping[str, str]) -> PieceDetails:
        """Describe the piece in a recording as song details, in `words` for English ones."""
        numerals = NUMERALS[self.key.mode]
        instruments = (self.backing.replace("_", " "), "bass", "drums", self.lead)
        form = f"{BARS} bars: a progression of four bars, played twice"
        background = "synthesised by Zhiyin from a seed"
        return PieceDetails(
            audio_path=audio,
            genre=words.get("instrumental", "instrumental"),
            key=words.get(self.key.name, self.key.name),
            tempo_bpm=self.tempo,
            time_signature="4/4",
            instruments=[words.get(one, one) for one in instruments],
            melody_instrument=words.get(self.lead, self.lead),
            chord_progression=" ".join(numerals[degree] for degree in self.degrees),
            form=words.get(form, form),
            vocal_characteristics=words.get("no singing", "no singing"),
            background=words.get(background, background),
        )


class PieceDetails(msgspec.Struct):
    """A line of song details."""

    audio_path: str
    genre: str
    key: str
    tempo_bpm: int
    time_signature: str
    instruments: list[str]
    melody_instrument: str
    chord_progression: str
    form: str
    vocal_characteristics: str
    background: str


class OptionQuestion(msgspec.Struct):
    """A line of option questions."""

    audio_path: str
    question: str
    options: list[str]
    answer: str


def make_pieces(folder: Path, n: int, seed: int, language: str = "en") -> None:
    """Make `n` pieces with questions and details in `folder`; nothing where they are there.

    Parameters
    ----------
    folder : Path
        Gets piece-1.wav and so on, `QA_FILE` and `DETAILS_FILE`, the last written last.
    n, seed : int
        Piece k depends on `seed` and k alone. Modes, tempi and instruments are balanced.
    language : str
        Of questions, options and details: "zh", or English for any other.

    Raises
    ------
    InputError
        The folder cannot be written, or holds other pieces.
    """
    from zhiyin.plugins.music.render import RATE, normalised, open_renderer, wav_bytes

    names = [f"piece-{number}.wav" for number in range(1, n + 1)]
    pieces = list(_pieces(n, seed))
    words = pieces_words(language)
    details = [p.details(a, words) for a, p in zip(names, pieces, strict=True)]
    details_lines = json_lines(details)
    marker = folder / DETAILS_FILE
    if marker.is_file():
        if marker.read_bytes() != details_lines:
            raise InputError(said("appraisal-other-pieces", folder=folder))
        return
    player = open_renderer("auto")
    asked = (_questions(a, p, seed, words) for a, p in zip(names, pieces, strict=True))
    questions = [question for each in asked for question in each]
    with reworded(f"{folder}: cannot be written: "):
        folder.mkdir(parents=True, exist_ok=True)
        for name, piece in zip(names, pieces, strict=True):
            samples = player.render(_notes(piece, Dice(seed, name)), piece.seconds, RATE)
            (folder / name).write_bytes(wav_bytes(normalised(samples)))
        (folder / QA_FILE).write_bytes(json_lines(questions))
        write_atomically(marker, details_lines)


def pieces_words(language: str) -> dict[str, str]:
    """Words about pieces by the English ones; none of a language that has no file of them."""
    path = Path(__file__).parent / f"pieces.{language}.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.is_file() else {}


def _pieces(n: int, seed: int) -> list[PieceChoices]:
    modes = balanced(("major", "minor"), seed, "modes")
    tonics = balanced(range(12), seed, "tonics")
    tempi, leads = balanced(TEMPI, seed, "tempi"), balanced(LEADS, seed, "leads")
    backings = balanced(BACKINGS, seed, "backings")
    pieces = []
    for number in range(n):
        mode: Mode = "major" if next(modes) == "major" else "minor"
        degrees = Dice(seed, "progression", number).choice(PROGRESSIONS[mode])
        key = key_at(next(tonics), mode)
        pieces.append(PieceChoices(key, next(tempi), next(leads), next(backings), degrees))
    return pieces


def _notes(piece: PieceChoices, dice: Dice) -> list[Note]:
    """Chords, bass, drums and a melody of chord tones with passing notes between."""
    scale = [pitch_class(name) for name in piece.key.scale()]
    beat = 60 / piece.tempo
    # In each bar: kick on one and three, snare on two and four, hi-hat in eighths.
    struck = [(0, KICK), (1, SNARE), (2, KICK), (3, SNARE), *((k / 2, HAT) for k in range(8))]
    notes: list[Note] = []
    for bar in range(BARS):
        degree = piece.degrees[bar % len(piece.degrees)]
        chord = [scale[(degree + step) % 7] for step in (0, 2, 4)]
        start = bar * BEATS * beat
        program = INSTRUMENTS[piece.backing]
        notes += [Note(start, 4 * beat, 48 + tone, 64, 0, program) for tone in chord]
        notes += [
            Note(start + k * 2 * beat, 2 * beat, 36 + chord[0], 84, 1, INSTRUMENTS["bass"])
            for k in range(2)
        ]
        notes += [
            Note(start + place * beat, 0.1, drum, 60 if drum == HAT else 92, DRUM_CHANNEL, 0)
            for place, drum in struck
        ]
    return sorted(notes + _melody(piece, scale, dice))


def _melody(piece: PieceChoices, scale: list[int], dice: Dice) -> list[Note]:
    """Two notes a bar on the beat, a step between them where they lie a third apart."""
    beat = 60 / piece.tempo
    targets = []
    for half in range(BARS * 2):
        degree = piece.degrees[half // 2 % len(piece.degrees)]
        step = 0 if half == BARS * 2 - 1 else dice.choice((0, 2, 4))
        targets.append(0 if half == BARS * 2 - 1 else degree + step)
    pitches = [72 + scale[target % 7] for target in targets]
    program = INSTRUMENTS[piece.lead]
    notes = []
    for half, (now, after) in enumerate(pairwise([*pitches, pitches[-1]])):
        start = half * 2 * beat
        steps = [72 + tone for tone in scale if min(now, after) < 72 + tone < max(now, after)]
        length = 1.5 if len(steps) == 1 else 2
        notes.append(Note(start, length * beat, now, 96, 2, program))
        if len(steps) == 1:
            notes.append(Note(start + 1.5 * beat, 0.5 * beat, steps[0], 88, 2, program))
    return notes


def _questions(
    audio: str, piece: PieceChoices, seed: int, words: Mapping[str, str]
) -> list[OptionQuestion]:
    """Three questions on a piece, options in an order drawn from seed and piece."""
    templates: tuple[tuple[str, tuple[str, ...], str], ...] = (
        ("Is the piece in a major or a minor key?", ("major", "minor"), piece.key.mode),
        (
            "How fast is the piece, in beats per minute?",
            tuple(str(tempo) for tempo in TEMPI),
            str(piece.tempo),
        ),
        ("Which instrument plays the melody?", LEADS, piece.lead),
    )
    questions = []
    for question, choices, right in templates:
        options = Dice(seed, audio, question).shuffled(choices)
        answer = LETTERS[options.index(right)]
        told = [words.get(option, option) for option in options]
        questions.append(OptionQuestion(audio, words.get(question, question), told, answer))
    return questions
