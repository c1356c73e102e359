"""Other words for the same question: files of them, and the trials that are asked in each.

A file of wordings (`zhiyin forge paraphrase` writes it) holds JSON lines: an item, the number of
the wording, its stem and the options that it puts otherwise, where it comes from, which checks it
passed, and hashes of the words that it stands for. They are put into the trial in the place of
these, so that no benchmark knows of them: a prompt says everything else as it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from zhiyin.contract.session_parts import asked_otherwise
from zhiyin.errors import InputError
from zhiyin.files import read_bytes, read_lines
from zhiyin.flags import COUNT, Flag
from zhiyin.runs.ways import Way
from zhiyin.trial import Message, Option, Tag, Text, Trial
from zhiyin.words import said

OWN = "own"
"""The name of the benchmark's own words."""
WORDS = Way("wording", plain=OWN, changes="words")
"""In which words it is asked, as the tag of a trial says it; only trials that are asked in several
have it."""
FOLDER = Path("paraphrases")
"""Where files of wordings lie, each called after its benchmark."""
_LABEL, _BEHIND = 8, " \t\n.:：、．,，)）]】"
"""Characters before an option in which its letter is looked for, and what may stand behind it."""


class Wording(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question in other words: a line of a file.

    Attributes
    ----------
    item : str
    number : int
        From 1.
    stem : str
    options : dict of str to str
        By their own texts; those that are as before are left out.
    source : str
        "grammar", or who proposed it.
    checks : tuple of str
        What it passed: "rules", "checker:MODEL", "people:N".
    of : tuple of str
        Hashes of the words that it stands for: of the stem, and of each option.
    """

    item: str
    number: int
    stem: str
    options: dict[str, str] = {}
    source: str = ""
    checks: tuple[str, ...] = ()
    of: tuple[str, ...] = ()

    def is_of(self, trial: Trial) -> bool:
        """Tell whether it rewords a trial, which may offer some of the options."""
        stem, *options = hashes_of(trial)
        return self.of[:1] == (stem,) and {*options} <= {*self.of[1:]}


def hashes_of(trial: Trial) -> tuple[str, ...]:
    """Hashes of a trial's stem, and of its options."""
    words = (trial.stem, *(option.text for option in trial.options))
    return tuple(map(_hash, words))


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def default_file(benchmark: str, data: object = None) -> Path:
    """Path of the wordings of a benchmark, or of a file of one's own questions."""
    own = isinstance(data, str) and Path(data).is_file()
    return FOLDER / f"{Path(str(data)).stem if own else Path(benchmark).stem}.jsonl"


def read_wordings(path: Path) -> tuple[list[Wording], str]:
    """The wordings in a file, and the SHA-256 of its bytes.

    Raises
    ------
    InputError
        It cannot be read, or a line is no wording, or none that can be asked.
    """
    raw, found = read_bytes(path, said("wordings-file")), list[Wording]()
    known: set[tuple[str, int, tuple[str, ...]]] = set()
    for where, one in read_lines(path, Wording, said("wordings-none", why=""), raw):
        again = (one.item, one.number, one.of) in known
        if why := "the line of that item and number stands there twice" if again else _lack(one):
            raise InputError(said("wordings-line", where=where, why=why))
        known.add((one.item, one.number, one.of))
        found.append(one)
    return found, sha256(raw).hexdigest()


def _lack(wording: Wording) -> str:
    """Say what keeps a line from being asked; "" for nothing."""
    if wording.number < 1:
        return f'"number" is {wording.number}; they begin with 1'
    if not wording.of:
        return '"of" is empty, so that nobody can see which words it stands for'
    if not all(text.strip() for text in (wording.stem, *wording.options.values())):
        return "its stem or an option is empty"
    stem, *options = map(_hash, (wording.stem, *wording.options))
    if not {*options} <= {*wording.of[1:]}:
        return "it rewords an option that the question has not"
    same = all(own == text for own, text in wording.options.items())
    return "it is the question's own words" if same and stem == wording.of[0] else ""


class WordingSettings(msgspec.Struct, frozen=True):
    """Settings for asking an item in other words.

    Attributes
    ----------
    paraphrase : N
        ask each item in its own words and in N others (`zhiyin forge paraphrase` makes them)
    paraphrases : FILE
        the other words; default paraphrases/BENCHMARK.jsonl
    """

    paraphrase: Annotated[int | None, Flag(), COUNT] = None
    paraphrases: Annotated[str | None, Flag(place=True)] = None


class Rewording(msgspec.Struct, frozen=True):
    """The wordings of a run.

    Attributes
    ----------
    most : int
        So many beside a question's own words.
    by_item : dict of str to list of Wording
    file : str
        Where they were read.
    fingerprint : str
        Of the file.
    """

    most: int
    by_item: dict[str, list[Wording]]
    file: str = ""
    fingerprint: str = ""

    Settings: ClassVar[type[msgspec.Struct]] = WordingSettings
    way = WORDS

    @classmethod
    def of(cls, options: Mapping[str, Any], benchmark: str) -> Rewording | None:
        """Load the rewording of a run with these options; None if questions are asked in one way.

        Raises
        ------
        InputError
            There is no file of wordings, or it is none.
        """
        most = options.get("paraphrase")
        if not most:
            return None
        named = options.get("paraphrases")
        path = Path(named) if named else default_file(benchmark, options.get("data"))
        found, digest = read_wordings(path)
        return cls(int(most), by_item(found), str(path), digest)

    def trials_of(self, trial: Trial) -> Iterator[Trial]:
        """A trial in its own words, then in others.

        Raises
        ------
        InputError
            There are wordings of other words than it has now, or one has an option twice.
        """
        name = trial.item or trial.id
        every = self.by_item.get(name, [])
        wordings = [one for one in every if one.is_of(trial)]
        if every and not wordings:
            raise InputError(said("wordings-changed", file=self.file, name=name))
        others = [other for one in wordings[: self.most] if (other := reworded(trial, one))]
        if not others:
            yield trial
            return
        yield msgspec.structs.replace(trial, tags={**trial.tags, WORDS.name: OWN})
        yield from others

    def refuse(self, name: str, *, sequences: bool, varied: bool) -> None:
        """Implement `Condition.refuse`."""
        if sequences:
            raise InputError(said("wordings-sequences", name=name))
        if not varied:
            raise InputError(said("wordings-none-asked", file=self.file, name=name))


def by_item(wordings: Iterable[Wording]) -> dict[str, list[Wording]]:
    """Wordings by item, in the order of their numbers."""
    found: dict[str, list[Wording]] = {}
    for one in sorted(wordings, key=lambda one: one.number):
        found.setdefault(one.item, []).append(one)
    return found


def reworded(trial: Trial, wording: Wording) -> Trial | None:
    """A trial in other words; None where its own cannot be told from the rest of the prompt.

    Raises
    ------
    InputError
        Two of its options would be the same.
    """
    options = tuple(
        Option(one.letter, wording.options.get(one.text, one.text), one.key)
        for one in trial.options
    )
    if len({one.text for one in options}) < len({one.text for one in trial.options}):
        raise InputError(said("wordings-alike", number=wording.number, item=wording.item))
    messages = _put(trial, wording.stem, options)
    if messages is None:
        return None
    way = f"{WORDS.name}={wording.number}"
    tags: dict[str, Tag] = {**trial.tags, WORDS.name: str(wording.number)}
    return asked_otherwise(trial, way, messages, tags, stem=wording.stem, options=options)


def places_of(trial: Trial) -> tuple[bool, bool]:
    """Tell whether stem and options of a trial can be found in its prompt, each in one place."""
    same = trial.options
    other = tuple(Option(one.letter, f"{one.text} ", one.key) for one in same)
    return (
        _put(trial, f"{trial.stem} ", same) is not None,
        bool(same) and _put(trial, trial.stem, other) is not None,
    )


def _put(trial: Trial, stem: str, options: Sequence[Option]) -> tuple[Message, ...] | None:
    """The messages of a trial with other words, which are looked for in its last question."""
    if not trial.stem.strip():
        return None
    for place in range(len(trial.messages) - 1, -1, -1):
        message = trial.messages[place]
        for number, part in enumerate(message.parts):
            if message.role != "user" or not isinstance(part, Text) or trial.stem not in part.text:
                continue
            words = _put_into(part.text, trial, stem, options)
            if words is None:
                return None
            parts = (*message.parts[:number], Text(words), *message.parts[number + 1 :])
            changed = msgspec.structs.replace(message, parts=parts)
            return (*trial.messages[:place], changed, *trial.messages[place + 1 :])
    return None


def _put_into(text: str, trial: Trial, stem: str, options: Sequence[Option]) -> str | None:
    if text.count(trial.stem) != 1:
        return None
    at = text.index(trial.stem)
    pieces, done = [text[:at], stem], at + len(trial.stem)
    if tuple(options) != trial.options:
        for own, other in zip(trial.options, options, strict=True):
            at = _option_at(text, own, done)
            if at < 0:
                return None
            pieces += [text[done:at], other.text]
            done = at + len(own.text)
    return "".join([*pieces, text[done:]])


def _option_at(text: str, option: Option, start: int) -> int:
    """Find the place of an option behind its letter; -1 if there is none."""
    at = text.find(option.text, start) if option.text else -1
    while at >= 0:
        before = text[max(start, at - _LABEL) : at].rstrip(_BEHIND)
        if before.endswith(option.letter) and not before[:-1][-1:].isalnum():
            return at
        at = text.find(option.text, at + 1)
    return -1
