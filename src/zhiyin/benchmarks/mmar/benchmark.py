"""The benchmark object, and what is read from the published file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from zhiyin.analysis.sections import sections_by_rules
from zhiyin.benchmarks.mmar.protocols import PROTOCOLS
from zhiyin.contract.clips import (
    ClipQuestion,
    choices_of,
    decode_json,
    right_place,
    slug,
)
from zhiyin.contract.declared import (
    CRITERIA,
    Criterion,
    Headline,
    Reference,
    Rubric,
    Section,
    pack_rubric,
)
from zhiyin.contract.listening import Matched, OrderedSettings
from zhiyin.contract.sheets import decode
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.record import Reply
from zhiyin.recording import read_regular
from zhiyin.runs.rows import Rows
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.published import Source

ANSWER, THINKING = "answer_prediction", "thinking_prediction"
"""What the published script reads of a model."""

# Ma et al. 2025, Table 2: per cent over all questions, and over those on music alone.
_TABLE_2 = {
    "Random guess": (29.3, 25.9),
    "GPT-4o Audio": (63.5, 51.0),
    "Gemini 2.5 Pro": (74.7, 56.8),
    "Gemini 2.5 Flash": (68.4, 53.4),
    "Qwen2.5-Omni 10.7B": (56.7, 40.8),
    "Qwen2-Audio-Instruct": (30.0, 24.3),
    "SALMONN 7B": (32.8, 29.6),
    "Audio Flamingo": (26.6, 21.8),
    "MU-LLaMA": (13.9, 13.6),
    "MusiLingo": (6.6, 7.3),
}


class Settings(OrderedSettings, frozen=True):
    """What the user chose."""

    modality: Annotated[
        Literal["all", "music", "with-music"],
        Flag("which recordings: all, those of music alone, or all with music in them"),
    ] = "all"


class Mmar(Matched[Settings]):
    """Multiple choice that takes reasoning about what is heard, as a `Benchmark`."""

    name = "mmar"
    summary = said("mmar-summary")
    paper = (
        "Ziyang Ma, Yinghao Ma, Yanqiao Zhu et al.: MMAR, A Challenging Benchmark for Deep "
        "Reasoning in Speech, Audio, Music, and Their Mix. arXiv:2505.13032"
    )
    licence = "questions CC BY-NC 4.0 by the authors' data page; recordings from videos of others"
    bibtex = """\
@article{ma2025mmar,
  title   = {{MMAR}: A Challenging Benchmark for Deep Reasoning in Speech, Audio, Music, and Their
             Mix},
  author  = {Ma, Ziyang and Ma, Yinghao and Zhu, Yanqiao and others},
  journal = {arXiv preprint arXiv:2505.13032},
  year    = {2025}
}
"""
    headline = Headline(group="music")
    skills = {
        "music": "reasoning",
        "music/music_theory": "theory",
        "music/professional_knowledge_and_reasoning": "knowledge",
        "music/emotion_and_intention": "mood",
    }
    protocols = PROTOCOLS
    Settings = Settings
    file, home = "MMAR-meta.jsonl", "https://github.com/ddlBoJack/MMAR"

    named = ("id", "audio_path", "modality")

    @classmethod
    def entries(cls, path: Path) -> Iterator[tuple[str, str, Any]]:
        """The lines of the file."""
        try:
            text = decode(path, read_regular(path))
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read ({error.strerror}); correct its name"
            ) from None
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield f"line {number}", "line", decode_json(path, line, number)

    @classmethod
    def asked(cls, entry: dict[str, Any]) -> ClipQuestion:
        """The question of an entry."""
        return _asked(entry)

    @classmethod
    def reply(cls, path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
        """What the published script reads: ``answer_prediction``, and the thoughts beside it."""
        return _reply(path, name, entry)

    @classmethod
    def place(cls, question: ClipQuestion) -> tuple[bool, bool]:
        """Music first, then what has music in it."""
        return "music" not in question.groups, not _has_music(question)

    def wanted(self, question: ClipQuestion) -> bool:
        """Whether it is of the modality that is asked for."""
        chosen = self.settings.modality
        return chosen == "all" or (
            _has_music(question) if chosen == "with-music" else "music" in question.groups
        )

    @classmethod
    def published(cls) -> Reference:
        """Table 2 of the paper, as fractions."""
        return Reference(
            title="MMAR",
            source=(
                "Ma et al. 2025, Table 2 (all questions; replies by string match, our --extract "
                "string-match)"
            ),
            rows={
                name: {
                    "all": {"accuracy": round(whole / 100, 3)},
                    "music": {"accuracy": round(music / 100, 3)},
                }
                for name, (whole, music) in _TABLE_2.items()
            },
            kinds={**dict.fromkeys(_TABLE_2, "model"), "Random guess": "chance"},
        )

    @classmethod
    def sources(cls) -> Sequence[Source]:
        """Where its data are published."""
        from zhiyin.benchmarks.mmar.sources import SOURCES

        return SOURCES

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Our reading and the published one, side by side."""
        return sections_by_rules(rows, {"robust": "robust", "string-match": "match"})


def _asked(entry: dict[str, Any]) -> ClipQuestion:
    modality = slug(entry["modality"])
    layer, fine = (str(entry.get(name) or "") for name in ("category", "sub-category"))
    groups = [modality]
    groups += [f"{modality}/{slug(fine)}"] if fine else []
    groups += [slug(layer)] if layer else []
    groups += [f"{slug(layer)}/{slug(fine)}"] if layer and fine else []
    if "music" in modality:
        groups.append("with_music")
    return ClipQuestion(
        id=entry["id"],
        recording=entry["audio_path"],
        text=entry["question"].strip(),
        choices=choices_of(entry),
        right=right_place(entry),
        groups=tuple(groups),
        tags={
            **({"empty_choices": True} if len(choices_of(entry)) < len(entry["choices"]) else {}),
            "modality": entry["modality"],
            "category": layer,
            "sub_category": fine,
            "language": entry.get("language") if isinstance(entry.get("language"), str) else None,
            "source": entry.get("source") if isinstance(entry.get("source"), str) else None,
            **_criteria(entry),
        },
    )


def _criteria(entry: dict[str, Any]) -> dict[str, str]:
    """The rubric of a question, for a judge of the reasoning; nothing where it is not whole."""
    rubric = entry.get("rubric")
    texts = [
        (point.get("name"), point.get("scoring_point"))
        for point in (rubric if isinstance(rubric, list) else ())
        if isinstance(point, dict)
    ]
    criteria = [Criterion(n, m) for n, m in texts if isinstance(n, str) and isinstance(m, str)]
    if not isinstance(rubric, list) or not criteria or len(criteria) < len(rubric):
        return {}
    thinking = entry.get("thinking")
    return {
        CRITERIA: pack_rubric(
            Rubric(thinking if isinstance(thinking, str) else "", tuple(criteria))
        )
    }


def _has_music(question: ClipQuestion) -> bool:
    return "with_music" in question.groups


def _reply(path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
    answer, thought = entry.get(ANSWER), entry.get(THINKING)
    for key, value in ((ANSWER, answer), (THINKING, thought)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{path}: {name}: {key} is no text; write what the model said")
    if answer is None:
        return None
    return Reply(answer, detail={"reasoning": thought} if thought else {})
