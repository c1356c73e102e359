"""A small benchmark of ours in the published layout: composed pieces, and questions about them.

`zhiyin data make muchomusic` writes it: ``muchomusic.csv``, ``audio/``, and beside them
``midi/`` and ``truth.jsonl``. docs/benchmarks/muchomusic-small.md is its page.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.contract.options import read_settings
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import write_atomically
from zhiyin.flags import Flag
from zhiyin.parsing import read_beside
from zhiyin.plugins.benchmarks.muchomusic.questions import COLUMNS, FILE
from zhiyin.plugins.music.midi import midi_bytes
from zhiyin.plugins.music.render import RATE, Renderer, open_renderer
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.plugins.music.theory import parse_key
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.plugins.music.pieces.piece import Piece

DATASET = "zhiyin"
"""The value of the ``dataset`` column: these recordings are of neither published set."""
TRUTH = "truth.jsonl"
PER_CLIP = 5
_THREADS = 2

NEUTRAL = (
    "contour",
    "motion",
    "mode",
    "cadence",
    "articulation",
    "dynamics",
    "sections",
    "return",
    "entry",
    "handover",
)
"""Aspects that unrelated options are about: they are dealt out whatever the style, so that the
true one of the two gives no hint at the answer."""

_TOPIC_WEIGHT, _VALUE_WEIGHT = 1.5, 0.5
"""How much a topic that a clip has already, and a value that is asked about often, count against
an aspect, in questions about it."""


class MakingPieces(msgspec.Struct, frozen=True):
    """Settings for making pieces and their questions."""

    out: Annotated[str | None, Flag("the folder to write to", "DIR")] = None
    seed: Annotated[int, Flag("0 or more (default 0)"), msgspec.Meta(ge=0)] = 0
    clips: Annotated[int, Flag("how many clips"), msgspec.Meta(ge=4, le=500)] = 20
    renderer: Annotated[str, Flag("as for `zhiyin stimuli make`")] = "auto"
    ask: Annotated[
        tuple[str, ...], Flag("aspects that are asked about, such as key,tempo", "A,...", once=True)
    ] = ()


def make_pieces(options: Mapping[str, Any]) -> str:
    """Compose, render and ask.

    Parameters
    ----------
    options : dict
        Those of `MakingPieces`.

    Returns
    -------
    str
        What was made, in one line.

    Raises
    ------
    InputError
        A value makes no sense, `out` is absent or holds questions already, or cannot be written.
    """
    from zhiyin.plugins.music.pieces.composing import pieces

    settings = read_settings(MakingPieces, options)
    if not settings.out:
        raise InputError(said("mucho-out"))
    out, seed, clips = Path(settings.out), settings.seed, settings.clips
    if (out / FILE).exists():
        raise InputError(said("mucho-there", out=out))
    if unknown := [name for name in settings.ask if name not in aspects()]:
        raise InputError(
            said("mucho-ask", unknown=unknown[0], hint=did_you_mean(unknown[0], aspects()))
        )
    renderer = open_renderer(settings.renderer)
    composed = list(islice(pieces(seed), clips))
    names = [clip_name(seed, number) for number in range(1, clips + 1)]
    asked = draw_questions([piece.facts for piece in composed], seed, PER_CLIP, settings.ask)
    with reworded(f"{out}: cannot be written (", "): give another --out"):
        for folder in ("audio", "midi"):
            (out / folder).mkdir(parents=True, exist_ok=True)
        truth = list(_write_clips(out, names, composed, renderer))
        (out / TRUTH).write_bytes(b"".join(truth))
        _write_questions(out / FILE, names, composed, asked)
    seconds = sum(piece.seconds for piece in composed)
    return (
        f"{len(asked)} questions on {clips} clips ({seconds:.0f} s in all) in {out}, "
        f"by {renderer.label}"
    )


def clip_name(seed: int, number: int) -> str:
    """The identifier of a clip: a hash, so that a file's name says nothing of what is in it."""
    return "clip_" + hashlib.sha256(f"{seed}/{number}".encode()).hexdigest()[:8]


def _write_clips(
    out: Path, names: Sequence[str], composed: Sequence[Piece], renderer: Renderer
) -> Iterator[bytes]:
    """Write sound and MIDI of each clip; yields its line of the truth file.

    One renderer plays one piece at a time, while another thread packs the one before.
    """
    from zhiyin.plugins.music.pieces.composing import render_piece

    with ThreadPoolExecutor(_THREADS) as pool:
        packed = []
        for name, piece in zip(names, composed, strict=True):
            packed.append(pool.submit(_flac, render_piece(piece, renderer)))
            (out / "midi" / f"{name}.mid").write_bytes(midi_bytes(piece.score))
        for name, piece, job in zip(names, composed, packed, strict=True):
            content = job.result()
            (out / "audio" / f"{name}.flac").write_bytes(content)
            line = {
                "id": name,
                "audio": f"audio/{name}.flac",
                "sha256": hashlib.sha256(content).hexdigest(),
                "midi": f"midi/{name}.mid",
                "seconds": round(piece.seconds, 3),
                "metre": piece.metre,
                "plan": piece.plan,
                "sections": piece.sections,
                "facts": piece.facts,
                "renderer": renderer.label,
            }
            yield msgspec.json.encode(line, order="deterministic") + b"\n"


def _flac(samples: Any) -> bytes:
    """Samples at the renderer's rate as a 16-bit FLAC file, made in memory."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, RATE, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()


def _write_questions(
    path: Path, names: Sequence[str], composed: Sequence[Piece], asked: Sequence[PieceQuestion]
) -> None:
    """Write the questions in the published columns, in one step."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for question in asked:
        knowledge, reasoning = question.labels
        writer.writerow(
            [
                question.stem,
                *question.options,
                DATASET,
                f"{names[question.clip]}.json",
                composed[question.clip].plan.style,
                str(list(knowledge)),
                str(list(reasoning)),
            ]
        )
    write_atomically(path, text.getvalue().encode())


# Questions without textual clues: every statement serves as a right answer, as a related distractor
# and as an unrelated one, so that its words say nothing about its truth. Which of the two related
# options is right can only be heard.

Facts = Mapping[str, str]


class PieceAspect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to ask about.

    Attributes
    ----------
    labels : tuple
        The labels for ``music_knowledge`` and for ``music_reasoning``.
    topics : tuple of str
        Unrelated options share none of these.
    stems : tuple of str
        Ways to ask.
    values : dict
        The statement for each value; other values fill the `template`.
    template : str or None
    """

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    topics: tuple[str, ...]
    stems: tuple[str, ...]
    values: dict[str, str] = {}
    template: str | None = None

    def statement(self, value: str) -> str:
        """The statement that the aspect has this value."""
        if value in self.values or self.template is None:
            return self.values[value]
        statement = self.template.format(value)
        # "an oboe", not "a oboe".
        return statement.replace(" a ", " an ", 1) if value[0] in "aeo" else statement


class PieceQuestion(msgspec.Struct, frozen=True):
    """A question: on which clip (by its index), about which aspect, in which words.

    `options` are the right answer and the distractors IR, CU and IU; `claims` says of each
    which aspect has which value in it.
    """

    clip: int
    aspect: str
    stem: str
    options: tuple[str, str, str, str]
    claims: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=1)
def aspects() -> dict[str, PieceAspect]:
    """Every aspect by name, in the order of the paper's dimensions."""
    return read_beside(__file__, "piece_words.json", dict[str, PieceAspect])


def draw_questions(
    facts: Sequence[Facts], seed: int, per_clip: int, ask: Collection[str] = ()
) -> list[PieceQuestion]:
    """Questions about pieces.

    Aspects are asked about equally often as far as the pieces have them, and within an aspect
    the values; each false value stands as often as a distractor as it is right elsewhere, as
    far as that can be.

    Parameters
    ----------
    facts : sequence of dict
        Value by aspect, for each piece.
    seed : int
    per_clip : int
        Questions on each piece, at least 1.
    ask : collection of str
        The aspects that are asked about; empty for all. A piece that has fewer of them gets
        fewer questions. Unrelated options are of all aspects.

    Returns
    -------
    list of PieceQuestion
        Those of the first piece, then those of the second, and so on.
    """
    chosen = _chosen(facts, seed, per_clip, ask or aspects())
    surplus = Counter((aspect, facts[clip][aspect]) for clip, aspect in chosen)
    unrelated: Counter[tuple[str, str, bool]] = Counter()
    asked = [
        _ask(clip, aspect, facts, surplus, unrelated, Dice(seed, "question", number))
        for number, (clip, aspect) in enumerate(chosen)
    ]
    return sorted(asked, key=lambda question: question.clip)


def _chosen(
    facts: Sequence[Facts], seed: int, per_clip: int, ask: Collection[str]
) -> list[tuple[int, str]]:
    """Choose which aspects of which clips are asked about: one more for each clip in a round."""
    counts: Counter[str] = Counter()
    values: Counter[tuple[str, str]] = Counter()
    topics: Counter[tuple[int, str]] = Counter()
    chosen: list[tuple[int, str]] = []
    for turn in range(per_clip):
        dice = Dice(seed, "aspects", turn)
        for clip in dice.shuffled(range(len(facts))):
            known = facts[clip].keys() & set(ask)
            free = [a for a in aspects() if a in known and (clip, a) not in chosen]
            if not free:
                continue

            def cost(aspect: str, clip: int = clip) -> float:
                shared = sum(topics[clip, topic] for topic in aspects()[aspect].topics)
                often = _VALUE_WEIGHT * values[aspect, facts[clip][aspect]]
                return counts[aspect] + often + _TOPIC_WEIGHT * shared

            aspect = min(dice.shuffled(free), key=cost)
            chosen.append((clip, aspect))
            counts[aspect] += 1
            values[aspect, facts[clip][aspect]] += 1
            topics.update((clip, topic) for topic in aspects()[aspect].topics)
    return chosen


def _ask(
    clip: int,
    name: str,
    facts: Sequence[Facts],
    surplus: Counter[tuple[str, str]],
    unrelated: Counter[tuple[str, str, bool]],
    dice: Dice,
) -> PieceQuestion:
    """One question. `surplus` and `unrelated` count the claims made so far, true and false."""
    aspect = aspects()[name]
    right = facts[clip][name]
    false = dice.shuffled(false_values(name, facts[clip], facts))
    related = max(false, key=lambda value: surplus[name, value])
    surplus[name, related] -= 1
    others = [
        other
        for other in NEUTRAL
        if other in facts[clip] and not set(aspects()[other].topics) & set(aspect.topics)
    ]
    claims = [(name, right), (name, related)]
    for truth in (True, False):
        taken = {other for other, _ in claims[2:]}
        candidates = [
            (other, value)
            for other in others
            if other not in taken
            for value in (
                [facts[clip][other]] if truth else false_values(other, facts[clip], facts)
            )
        ]
        # A claim that was offered more often as true than as false is due as a false one.
        claim = min(
            dice.shuffled(candidates),
            key=lambda c: unrelated[(*c, truth)] - unrelated[(*c, not truth)],
        )
        unrelated[(*claim, truth)] += 1
        claims.append(claim)
    return PieceQuestion(
        clip=clip,
        aspect=name,
        stem=dice.choice(aspect.stems),
        options=tuple(aspects()[a].statement(value) for a, value in claims),  # type: ignore[arg-type]
        claims=tuple(claims),
        labels=aspect.labels,
    )


def false_values(name: str, facts: Facts, every: Sequence[Facts]) -> list[str]:
    """The values of an aspect that are certainly false of a piece with these facts.

    Of an aspect without a list of values (keys, instruments) they are what other pieces have.
    A relative key shares all its notes with the right one and is left out.
    """
    aspect = aspects()[name]
    values = dict.fromkeys(other[name] for other in every if name in other)
    if aspect.template is None:
        values = dict.fromkeys(aspect.values)
    right = facts[name]
    return sorted(v for v in values if v != right and not (name == "key" and _relative(v, right)))


def _relative(one: str, other: str) -> bool:
    """Tell whether two keys have one signature."""
    return parse_key(one).fifths == parse_key(other).fifths
