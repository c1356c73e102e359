"""Answers that a rule can compare, and the test whether two of them say the same.

The published project releases no scoring code. A rule is used for answers of two words at most;
everything longer, and every list, goes to a judge.

Scores in a folder of the user's: notation as text, or pages as pictures, found by name.

Answers by their form, how far rule and judge agree, and scores of which all is right.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.contract.declared import Cell, Flaw, Kind, Section, heads
from zhiyin.errors import InputError
from zhiyin.numerals import NUMBER_WORDS
from zhiyin.picture import image_part
from zhiyin.plugins.methods.agreement import cohen_kappa
from zhiyin.plugins.music.clips import read_text
from zhiyin.reader.policy import Value, form
from zhiyin.record import NOT_JUDGED, Record
from zhiyin.runs.rows import Rows
from zhiyin.trial import Image, Part, Text
from zhiyin.words import said

AnswerForm = Literal["yes-no", "short", "long"]
WORDS, YES_NO = form("words"), form("yes_no")
_LIST = re.compile(r"[;；，,\n、]|\s/\s|[A-Za-z]/[A-Za-z]{2}")
_GLOSS = re.compile(r"^(.*?\S)\s?[(（]([^()（）]+)[)）]$")
_PROGRESSION = re.compile(
    r"^[#♯b♭]?(?:VI{0,3}|I{1,3}V?|vi{0,3}|i{1,3}v?|K)(?![a-z])[ø°o+\d/IViv–—-]*$"
)
_LEADING = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_TOKEN = re.compile(r"\d+/\d+|[a-z](?:#|b)?\d?(?![a-z'])|[^\W_]+(?:#\d?)?", re.IGNORECASE)
_DASH = re.compile(r"[‐-―−~-]")
_ALTERED = re.compile(r"\b([a-g])[ -]?(sharp|flat)\b", re.IGNORECASE)
_BARS = re.compile(r"\b(?:measure|bar|m)\w{0,3}\.?\s?(?=\d)|\bmm?\.", re.IGNORECASE)
_SMALL = {word: str(number) for number, word in enumerate(NUMBER_WORDS[:13])}
_BRITISH = {
    "semibreve": "whole", "minim": "half", "crotchet": "quarter", "quaver": "eighth",
    "semiquaver": "sixteenth", "demisemiquaver": "thirty second",
}  # fmt: skip
_FRACTIONS = {"4th": "quarter", "8th": "eighth", "16th": "sixteenth", "32nd": "thirty second"}
_LENGTHS = frozenset(["whole", "half", "quarter", "eighth", "sixteenth", "second"])
_FILLERS = frozenset((
    "a", "an", "the", "of", "with", "in", "is", "are", "it", "its", "to", "and", "from", "at", "on",
    "this",
))  # fmt: skip
_NOTHING = frozenset(("none", "no", "nothing", "nil", "na", "absent", "not any", "not present"))


def form_of(key: str) -> AnswerForm:
    """Choose how a key is compared: as yes or no, as a short answer by rule, or by a judge."""
    bare = key.strip()
    if bare.casefold() in ("yes", "no"):
        return "yes-no"
    head = _GLOSS.match(bare)
    words = (head[1] if head else bare).split()
    if _PROGRESSION.match(bare):
        return "short"
    return "short" if len(words) <= 2 and not _LIST.search(bare) else "long"


def stated(text: str, kind: AnswerForm) -> Value:
    """The answer that a reply states.

    Of yes or no, the word that the stated answer begins with, else what the reply says.
    """
    words = WORDS(text)
    if kind != "yes-no" or words.value is None:
        return words
    leading = _LEADING.match(str(words.value))
    if leading:
        return Value(leading[1].lower() == "yes", words.why, words.span, words.confidence)
    return YES_NO(text)


def is_same(answer: str, key: str, question: str) -> bool:
    """Tell whether a short answer says what the key says.

    Case, signs, plurals, accents, articles and words of the question do not matter ("Treble" for
    "Treble clef" where a clef is asked for), nor does a gloss in brackets. Roman numerals keep
    their case. "None" is an answer: that there is no such thing. Of a composer the family name
    decides, and initials that differ are another one.

    Parameters
    ----------
    answer, key, question : str
    """
    if _PROGRESSION.match(key.strip()):
        return _numerals(answer) == _numerals(key)
    if "composer" in question.casefold():
        return _is_same_name(answer, key)
    asked = set(_tokens(question))
    if _is_nothing(key, ()):
        return _is_nothing(answer, asked)
    given = _variants(answer)
    return any(
        _core(one, asked) == _core(other, asked) for one in given for other in _variants(key)
    )


def _variants(text: str) -> list[str]:
    """A text as it stands, and both parts of one with a gloss: "f (forte)"."""
    gloss = _GLOSS.match(text.strip().rstrip("."))
    return [text, gloss[1], gloss[2]] if gloss else [text]


def _tokens(text: str) -> list[str]:
    """Words for comparison, in order."""
    plain = unicodedata.normalize("NFKD", text.replace("♯", "#").replace("♭", "b")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c)).replace("’", "'")
    plain = _BARS.sub("measure ", _DASH.sub(" ", _ALTERED.sub(_sign, plain)))
    words: list[str] = []
    for token in _TOKEN.findall(plain):
        word = token[:-1] if len(token) > 3 and token.endswith("s") else token
        word = _SMALL.get(word, _FRACTIONS.get(word, _BRITISH.get(word, word)))
        if word != "note" or not words or words[-1] not in _LENGTHS:  # "eighth note" is "eighth"
            words += word.split()
    return words


def _sign(match: re.Match[str]) -> str:
    return match[1] + ("#" if match[2].lower() == "sharp" else "b")


def _core(text: str, asked: set[str]) -> list[str]:
    """The words that answer: without fillers and what the question says; all if none is left."""
    words = [word for word in _tokens(text) if word not in _FILLERS] or _tokens(text)
    return [word for word in words if word not in asked] or words


def _is_nothing(text: str, asked: Sequence[str] | set[str]) -> bool:
    """Tell whether it says that there is no such thing: "none", "n/a", of dynamics "no dynamics".

    "No" alone answers another question.
    """
    words = [w for w in _tokens(text.replace("/", "")) if w not in _FILLERS and w != "there"]
    said = " ".join(w for w in words if w not in asked or w in _NOTHING)
    return said in _NOTHING and words != ["no"]


def _numerals(text: str) -> list[str]:
    """The chords of a progression, each as it is written, but for kinds of signs and dashes."""
    plain = unicodedata.normalize("NFKC", text).replace("♯", "#").replace("♭", "b")
    return [part for part in re.split(r"[\s,;.]+", _DASH.sub(" ", plain)) if part and part != "to"]


def _is_same_name(answer: str, key: str) -> bool:
    one, other = (re.split(r"[\s.]+", " ".join(_name(text))) for text in (answer, key))
    if not one[-1] or one[-1] != other[-1]:
        return False
    given = [name[0][0] for name in (one[:-1], other[:-1]) if name and name[0]]
    return len(set(given)) < 2


def _name(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.findall(r"[^\W\d_]+", plain)


Shown = Literal["notation", "pages", "none"]
NOTATION = (".abc", ".krn", ".musicxml", ".xml", ".mei", ".ly", ".txt")
"""Endings of notation that is sent as it is, the first that is there."""
PAGES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif"))
_PAGE = re.compile(r"^[ _.-]*+(?:(?:p|page|seite)[ _.-]*+)?(\d+)$", re.IGNORECASE)
_SHOWN_NAMES = 3


class ScoreFiles(msgspec.Struct, frozen=True):
    """The files of one score: its notation, and its pages in order."""

    notation: Path | None = None
    pages: tuple[Path, ...] = ()


class ScoreFolder:
    """The scores that questions are about, as far as a folder has them.

    A score is looked for under each of its names: ``NAME.abc`` or another notation; ``NAME.png``,
    ``NAME-1.png``, ``NAME_p02.jpg`` or ``NAME/1.png`` for pages.

    Parameters
    ----------
    root : Path
    names : mapping of str to sequence of str
        From a score to what it may be called: the number in its link, its number in the data.
    texts : mapping of str to str
        Notation that the table of the questions holds itself.

    Raises
    ------
    InputError
        There is no such folder.
    """

    def __init__(
        self, root: Path | None, names: Mapping[str, Sequence[str]], texts: Mapping[str, str]
    ) -> None:
        if root is not None and not root.is_dir():
            raise InputError(f"--scores {root}: no such folder: name the one with the scores")
        self._texts = texts
        self._files = dict(_found(root, names)) if root else {}
        self._parts: dict[tuple[str, Shown], tuple[Part, ...]] = {}

    def has(self, score: str, shown: Shown) -> bool:
        """Tell whether a score can be shown so."""
        files = self._files.get(score, ScoreFiles())
        if shown == "notation":
            return score in self._texts or files.notation is not None
        return shown == "none" or bool(files.pages)

    def require(self, scores: Iterable[str], shown: Iterable[Shown], *, partial: bool) -> None:
        """Raise `InputError` where scores are missing and `partial` does not allow it."""
        every = sorted(scores)
        for how in shown:
            missing = [score for score in every if not self.has(score, how)]
            n, of = len(missing), len(every)
            if missing and not (partial and n < of):
                names = missing[:_SHOWN_NAMES]
                raise InputError(
                    said("msu-bench-none", how=how, n=n, of=of, names=names, some=n < of)
                )

    def parts(self, score: str, shown: Shown) -> tuple[Part, ...]:
        """Get what is sent of a score. Raises `InputError` for a file that cannot be read."""
        if shown == "none":
            return ()
        if (score, shown) not in self._parts:
            self._parts[score, shown] = tuple(self._read(score, shown))
        return self._parts[score, shown]

    def _read(self, score: str, shown: Shown) -> Iterator[Text | Image]:
        files = self._files.get(score, ScoreFiles())
        if shown == "pages":
            yield from map(image_part, files.pages)
        elif score in self._texts:
            yield Text(self._texts[score])
        elif files.notation is not None:
            yield Text(read_text(files.notation).strip())

    def flaws(self, scores: Iterable[str]) -> Iterator[Flaw]:
        """Scores with neither notation nor pages, and files that cannot be read."""
        for score in scores:
            there = [how for how in ("notation", "pages") if self.has(score, how)]  # type: ignore[arg-type]
            if not there:
                yield Flaw("missing-score", "", score, said("msu-bench-no-score"))
            for how in there:
                try:
                    self.parts(score, how)  # type: ignore[arg-type]
                except InputError as fault:
                    yield Flaw("unreadable", "", score, str(fault))


def _found(root: Path, names: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ScoreFiles]]:
    """The files of each score that is there."""
    every = sorted(path for path in root.iterdir() if not path.name.startswith("."))
    stems: dict[str, list[Path]] = {}
    for path in every:
        stems.setdefault(path.stem if path.is_file() else path.name, []).append(path)
    for score, called in names.items():
        notation = next(
            (p for e in NOTATION for n in called for p in stems.get(n, ()) if p.suffix == e), None
        )
        pages = next((found for n in called if (found := _pages(n, stems))), ())
        if notation or pages:
            yield score, ScoreFiles(notation, pages)


def _pages(name: str, stems: Mapping[str, list[Path]]) -> tuple[Path, ...]:
    """The pages of a score by the numbers in their names."""
    pages: dict[int, Path] = {}
    for stem, paths in stems.items():
        numbered = _PAGE.match(stem.removeprefix(name)) if stem.startswith(name) else None
        if stem != name and (numbered is None or stem[len(name)].isdigit()):
            continue
        for path in paths:
            if path.is_dir() and stem == name:
                inside = sorted(p for p in path.iterdir() if p.suffix.lower() in PAGES)
                # by the last number in their names
                pages |= {int((re.findall(r"\d+", p.stem) or ["0"])[-1]): p for p in inside}
            elif path.suffix.lower() in PAGES:
                pages[int(numbered[1]) if numbered else 0] = path
    return tuple(pages[number] for number in sorted(pages))


FORMS = ("yes-no", "short", "long")
_KINDS: tuple[Kind, ...] = (
    "text", "count", "share", "share", "count", "share", "share", "number",
)  # fmt: skip


def answer_sections(rows: Rows) -> list[Section]:
    """A table by form of answer, and one of levels in a row; none for an empty run."""
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    records = list(asked.records())
    return [_by_form(records), *_by_levels(records)]


def _by_form(records: Sequence[Record]) -> Section:
    lines: list[list[Cell]] = []
    for kind in FORMS:
        own = [record for record in records if record.trial.tags.get("form") == kind]
        if not own:
            continue
        graded = [record for record in own if record.verdict.state not in NOT_JUDGED]
        keys = Counter(str(record.trial.target).strip().casefold() for record in own)
        right = [record.verdict.state == "correct" for record in graded]
        lines.append(
            [
                said("msu-bench-form", name=kind),
                len(own),
                sum(right) / len(right) if right else None,
                keys.most_common(1)[0][1] / len(own),
                *_agreement([] if kind == "long" else graded),
            ]
        )
    columns = [
        *heads("kind", "n", "right-share"),
        *(said("msu-bench-head", name=n) for n in ("constant", "both", "judge", "agree", "kappa")),
    ]
    notes = [said("msu-bench-note")]
    if waiting := sum(record.verdict.state == "ungraded" for record in records):
        notes.append(said("msu-bench-unjudged", n=waiting))
    return Section(said("msu-bench-forms"), columns, lines, notes, kinds=_KINDS)


def _agreement(records: Sequence[Record]) -> list[Cell]:
    """Compare rule and judge: replies read by both, share right by judge, agreement, Cohen's kappa.

    The judge's "partly" is not right, as elsewhere here.
    """
    both = [record for record in records if "judged" in record.verdict.scores]
    if not both:
        return [None] * 4
    rule = [record.verdict.state == "correct" for record in both]
    judge = [record.verdict.scores["judged"] >= 1 for record in both]
    alike = sum(one == other for one, other in zip(rule, judge, strict=True)) / len(both)
    return [len(both), sum(judge) / len(both), alike, cohen_kappa(rule, judge).kappa]


def _by_levels(records: Sequence[Record]) -> list[Section]:
    """The share of scores on which every answer up to a level is right.

    Over scores that have every question of these levels graded.
    """
    scores: dict[str, dict[str, list[bool | None]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        state = record.verdict.state
        right = None if state in NOT_JUDGED else state == "correct"
        scores[str(record.trial.cluster)][str(record.trial.tags.get("level"))].append(right)
    lines: list[list[Cell]] = []
    levels = sorted({level for own in scores.values() for level in own})
    for place in range(1, len(levels) + 1):
        answers = [
            [right for level in levels[:place] for right in own.get(level, ())]
            for own in scores.values()
            if all(level in own for level in levels[:place])
        ]
        whole = [own for own in answers if None not in own]
        if whole:
            share = sum(all(own) for own in whole) / len(whole)
            lines.append([", ".join(levels[:place]), len(whole), share])
    if not lines:
        return []
    columns = [*(said("msu-bench-head", name=n) for n in ("levels", "scores", "all-right"))]
    return [Section(said("msu-bench-levels"), columns, lines, kinds=("text", "count", "share"))]
