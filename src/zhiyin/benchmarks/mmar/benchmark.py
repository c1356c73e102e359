"""The benchmark object, and what is read from the published file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from zhiyin.analysis.side_by_side import rules_section
from zhiyin.benchmarks.mmar.protocols import PROTOCOLS
from zhiyin.contract.asked import (
    Asked,
    FaultSink,
    choices_of,
    common_flaws,
    decode_json,
    fault_in,
    refuse,
    right_place,
    slug,
    twins,
)
from zhiyin.contract.declared import Flaw, Headline, Published, Reference, Section, read_published
from zhiyin.contract.flags import Flag
from zhiyin.contract.listening import Listening, OrderedSettings
from zhiyin.contract.sheets import decode
from zhiyin.engine.log import read_records
from zhiyin.errors import InputError
from zhiyin.record import Reply
from zhiyin.recording import read_regular

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


class Mmar(Listening[Settings]):
    """Multiple choice that takes reasoning about what is heard, as a `Benchmark`."""

    name = "mmar"
    summary = "MMAR: 1,000 questions that take reasoning; music, speech, sound and their mix"
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
    protocols = PROTOCOLS
    Settings = Settings
    file, home = "MMAR-meta.jsonl", "https://github.com/ddlBoJack/MMAR"

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[Asked]:
        """The questions of a file, those on music first, then those with music in them."""
        questions = [asked for asked, _ in read_entries(path, on_fault)]
        if not questions:
            raise InputError(f"{path}: holds no question that can be asked; get it from {cls.home}")
        return sorted(questions, key=lambda q: ("music" not in q.groups, not _has_music(q)))

    def wanted(self, question: Asked) -> bool:
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
    def expected(cls) -> Published:
        """What the published data hold."""
        return read_published(Path(__file__).with_name("published_counts.json"))

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[Asked]) -> Iterator[Flaw]:
        """What is wrong with questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)
            yield from twins(path, question)

    @classmethod
    def details(cls, folder: Path) -> list[Section]:
        """Our reading and the published one, side by side."""
        rules = {"robust": "robust", "string-match": "match"}
        records = list(read_records(folder))
        return (
            [rules_section(records, rules)]
            if any(r.verdict.state != "error" for r in records)
            else []
        )

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """Replies as the published script scores them: the lines with ``answer_prediction``."""
        found = [
            (asked, repeat, _reply(path, asked.id, entry))
            for repeat, path in enumerate(files, 1)
            for asked, entry in read_entries(path, refuse)
        ]
        return cls.import_predictions(files, found, out, extract, model)


def read_entries(path: Path, on_fault: FaultSink) -> Iterator[tuple[Asked, dict[str, Any]]]:
    """The questions of a file with their entries; faulty ones go to `on_fault`."""
    try:
        text = decode(path, read_regular(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct its name") from None
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        entry = decode_json(path, line, number)
        fault = fault_in(entry, ("id", "audio_path", "modality"))
        if not fault and entry["id"] in seen:
            fault = "repeated-id", f"the id {entry['id']} stands twice"
        if fault:
            on_fault(Flaw(fault[0], str(path), f"line {number}", f"{fault[1]}: mend the line"))
            continue
        seen.add(entry["id"])
        yield _asked(entry), entry


def _asked(entry: dict[str, Any]) -> Asked:
    modality = slug(entry["modality"])
    layer, fine = (str(entry.get(name) or "") for name in ("category", "sub-category"))
    groups = [modality]
    groups += [f"{modality}/{slug(fine)}"] if fine else []
    groups += [slug(layer)] if layer else []
    groups += [f"{slug(layer)}/{slug(fine)}"] if layer and fine else []
    if "music" in modality:
        groups.append("with_music")
    return Asked(
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
        },
    )


def _has_music(question: Asked) -> bool:
    return "with_music" in question.groups


def _reply(path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
    said, thought = entry.get(ANSWER), entry.get(THINKING)
    for key, value in ((ANSWER, said), (THINKING, thought)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{path}: {name}: {key} is no text; write what the model said")
    if said is None:
        return None
    return Reply(said, detail={"reasoning": thought} if thought else {})
