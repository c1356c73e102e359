"""Writes what each benchmark's published data hold into the benchmark's own folder.

    python bench/published_counts.py DATA_DIR

DATA_DIR has the published data as ``ziqi/``, ``muse/stimuli/`` (and ``muse_tasks/stimuli/`` for
further recordings), ``appraisal/``, ``mmau/``, ``mmar/`` and ``rul/``. MuChoMusic's counts are
those of its paper, section 3; its questions and right answers those that RUListening has from it.
Words are kept as 4 bytes of a hash each, recordings as SHA-256: neither can be read back.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zhiyin.analysis.question_set import fingerprint_answer, fingerprint_words
from zhiyin.contract.conditions import LISTENING_WAYS
from zhiyin.contract.declared import pack
from zhiyin.contract.registry import find
from zhiyin.plugins.benchmarks.appraisal.data import read_details, read_questions
from zhiyin.plugins.benchmarks.perception import muse
from zhiyin.plugins.benchmarks.perception.tasks import TASK_NAMES
from zhiyin.plugins.benchmarks.rul.benchmark import Rul
from zhiyin.plugins.benchmarks.ziqi.benchmark import Ziqi
from zhiyin.plugins.benchmarks.ziqi.data import published_categories
from zhiyin.plugins.music.clips import slug
from zhiyin.trial import Trial


def main(data: Path) -> None:
    write("ziqi", ziqi(data / "ziqi"))
    write("perception", perception([data / "muse", data / "muse_tasks"]))
    write("appraisal", appraisal(data / "appraisal"))
    for name, part, source in (
        ("mmau", "task", "test-mini, https://github.com/Sakshi113/MMAU, commit 110127f"),
        ("mmar", "modality", "https://github.com/ddlBoJack/MMAR, commit 3bce090"),
    ):
        write(name, listening(name, data / name, part, source))
    write("muchomusic", muchomusic(data / "rul"))
    write("rul", rul(data / "rul"))


def write(benchmark: str, declared: dict[str, Any]) -> None:
    kind = find(benchmark)
    path = Path(inspect.getfile(kind)).with_name(kind.described.counts)
    path.write_text(json.dumps(declared, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def ziqi(folder: Path) -> dict[str, Any]:
    trials = list(Ziqi.from_options({"data": str(folder)}).trials())
    counts = Counter(group for trial in trials for group in trial.groups)
    parts = list(published_categories())
    return {
        "source": "the released data, https://huggingface.co/datasets/MYTH-Lab/ZIQI-Eval",
        "unit": "questions",
        "counts": dict(counts),
        "parts": parts,
        "contents": {part: pack(words(trials, part)) for part in parts},
        "narrowed": {"category": "", "clean": ""},
    }


def words(trials: Iterable[Trial], part: str) -> Iterable[int]:
    for trial in trials:
        if part in trial.groups:
            options = [(option.key, option.text) for option in trial.options]
            yield fingerprint_words(trial.stem, options, trial.target)


def listening(name: str, folder: Path, part: str, source: str) -> dict[str, Any]:
    trials = list(find(name).from_options({"data": str(folder), "audio": "none"}).trials())
    named = {trial.id: [LISTENING_WAYS.bare(group) for group in trial.groups] for trial in trials}
    counts = Counter(group for trial in trials for group in named[trial.id] if group)
    parts = sorted({slug(str(trial.tags[part])) for trial in trials})
    return {
        "source": source,
        "unit": "questions",
        "counts": {"all": len(trials), **counts},
        "parts": parts,
        "contents": {
            each: pack(
                fingerprint_words(
                    trial.stem,
                    [(option.key, option.text) for option in trial.options],
                    trial.target,
                )
                for trial in trials
                if slug(str(trial.tags[part])) == each
            )
            for each in parts
        },
        "narrowed": {part: f"only {{}} (--{part})"},
        "not_known": {"name": "unproved", "facts": {"what": "recordings"}},
    }


def rul(folder: Path) -> dict[str, Any]:
    entries = json.loads((folder / Rul.file).read_text("utf-8")).values()
    words = [fingerprint_answer(each["question"], each["correct_answer"]) for each in entries]
    return {
        "source": f"{Rul.home}, commit d3971de",
        "unit": "questions",
        "counts": {"all": len(words)},
        "contents": {"all": pack(words)},
        "by_answer": True,
        "not_known": {"name": "unproved", "facts": {"what": "unheard"}},
    }


def muchomusic(folder: Path) -> dict[str, Any]:
    return {
        **rul(folder),
        "source": "Weck et al. 2024, sections 1 and 3; questions and right answers as RUListening "
        f"({Rul.home}) has them",
        "counts": {"all": 1187, "source/musiccaps": 858, "source/sdd": 329},
        "parts": ["source/musiccaps", "source/sdd"],
        "clusters": 644,
        "not_known": {"name": "unproved", "facts": {"what": "contents"}},
    }


def perception(folders: Iterable[Path]) -> dict[str, Any]:
    hashes: dict[str, str] = {}
    for folder in folders:
        for path in folder.rglob("*.wav"):
            hashes.setdefault(path.stem, hashlib.sha256(path.read_bytes()).hexdigest())
    counts: dict[str, int] = {}
    recordings: dict[str, list[str | None]] = {}
    for task in TASK_NAMES:
        kept_back = muse.names_of(muse.preferred(task))
        scored = [e for e in muse.SCORED[task] if kept_back.isdisjoint(e.recordings)]
        counts[task] = len(scored)
        for entry in scored:
            recordings[" + ".join(entry.recordings)] = [hashes.get(n) for n in entry.recordings]
    return {
        "source": "the MUSE recordings; hashes of those that we have seen",
        "unit": "items",
        "counts": counts,
        "recordings": recordings,
    }


def appraisal(folder: Path) -> dict[str, Any]:
    questions = read_questions(folder / "option_qa.jsonl").items
    songs = {question.song for question in questions}
    songs |= set(read_details(folder / "song_details.jsonl").items)
    return {
        "source": "the published files option_qa.jsonl and song_details.jsonl",
        "unit": "trials",
        "counts": {"qa": len(questions), "appraisal": len(songs)},
        "parts": ["qa", "appraisal"],
        "contents": {
            "qa": pack(
                fingerprint_words(
                    q.text,
                    list(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", q.options, strict=False)),
                    q.answer,
                )
                for q in questions
            ),
            "appraisal": pack(fingerprint_words(song, (), None) for song in songs),
        },
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
