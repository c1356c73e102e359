"""What a stranger's bytes may do to each reader: nothing but a reading, or one told error.

Every target takes bytes and raises only where the reader has a fault. `test_boundary_data.py` gives
them the kept texts and small changes of them; ``python bench/fuzz.py TARGET`` lets atheris look
for new ones, guided by what the code runs through.
"""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from zhiyin.benchmarks.questions.settings import QuestionSettings
from zhiyin.contract.policies import policies
from zhiyin.contract.registry import find
from zhiyin.engine.folder import MANIFEST, RECORDS, read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.picture import image_part
from zhiyin.plugins.judges import aspects
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.plugins.lab.suite.file import read_suite
from zhiyin.plugins.music.midi import read_midi
from zhiyin.plugins.music.miditext import parse_midi_texts, read_midi_lines
from zhiyin.plugins.music.notated.reading import find_pieces, read_abc, read_kern, read_musicxml
from zhiyin.plugins.music.solvers import parse_schema
from zhiyin.plugins.people.tables import read_map
from zhiyin.sound import read_sound
from zhiyin.trial import Option

Target = Callable[[bytes], None]
_WORDS = {"A": "宫", "B": "a fifth", "C": "12", "D": "B minor"}
OPTIONS = tuple(Option(key, text, key) for key, text in _WORDS.items())
DOSSIERS = tuple(
    aspects.Dossier(aspect, "The piece is in G minor and begins softly.", kind=kind, criteria=3)
    for aspect in ("completeness", "precision", "novelty", "failures", "reasoning")
    for kind in (("heard", "read") if aspect == "failures" else ("",))
) + tuple(
    aspects.Dossier(aspect, "曲子是G小调。", released=True, protocol="released")
    for aspect in ("completeness", "precision", "novelty")
)
ENDINGS = {"questions": (".csv", ".jsonl", ".json", ".tsv"), "spreadsheets": (".xlsx", ".parquet")}


def _answers(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for policy in policies().values():
        policy.extract(text, OPTIONS)


def _judgements(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for dossier in DOSSIERS:
        try:
            aspects.read(dossier, text)
        except UnreadableJudgement:
            continue


def _schemas(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for kind in ("rhythm", "melody", "chord"):
        parse_schema(kind, text, ("X", "Y"))


def _texts(*readers: Callable[[str], object]) -> Target:
    def target(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for read in readers:
            _refused(read, text)

    return target


def _refused(read: Callable[..., object], *given: object) -> None:
    """A reader may say what is wrong; whatever else it raises is a fault of its own."""
    with contextlib.suppress(InputError):
        found = read(*given)
        if isinstance(found, Iterator):
            for _ in found:
                pass


@functools.cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="zhiyin-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _table(ending: str) -> Callable[[bytes], None]:
    questions = find("questions")

    def target(data: bytes) -> None:
        path = _file(f"asked{ending}", data)
        faults: list[object] = []
        benchmark = questions(QuestionSettings(data=str(path)))
        _refused(lambda: benchmark.read(faults))
        _refused(lambda: list(benchmark.trials()))

    return target


def _tables(endings: tuple[str, ...]) -> Target:
    targets = tuple(map(_table, endings))

    def target(data: bytes) -> None:
        if data:
            targets[data[0] % len(targets)](data[1:])

    return target


def _logs(data: bytes) -> None:
    """The first two bytes say how much of the rest is the manifest."""
    size = int.from_bytes(data[:2], "little") + 2
    _file(MANIFEST, data[2:size])
    _file(RECORDS, data[size:])
    _refused(read_manifest, _folder())
    _refused(read_records, _folder())


def _suites(data: bytes) -> None:
    _refused(read_suite, str(_file("suite.toml", data)))


def _maps(data: bytes) -> None:
    _refused(read_map, _file("columns.toml", data))


def _midi(data: bytes) -> None:
    _refused(read_midi, data)


def _midi_lines(data: bytes) -> None:
    _refused(read_midi_lines, _file("lines.jsonl", data))


def _sounds(data: bytes) -> None:
    _refused(read_sound, data)


def _pictures(data: bytes) -> None:
    _refused(image_part, _file("page.png", data))


@functools.cache
def _study() -> Target:
    from fuzz_study import Asked

    return Asked().ask


TARGETS: dict[str, Target] = {
    "answers": _answers,
    "judgements": _judgements,
    "schemas": _schemas,
    "notation": _texts(read_abc, read_kern, read_musicxml, find_pieces, parse_midi_texts),
    "questions": _tables(ENDINGS["questions"]),
    "spreadsheets": _tables(ENDINGS["spreadsheets"]),
    "logs": _logs,
    "suites": _suites,
    "maps": _maps,
    "midi": _midi,
    "midi_lines": _midi_lines,
    "sounds": _sounds,
    "pictures": _pictures,
    "study": lambda data: _study()(data),
}
"""What is fuzzed, by name; the folder of `tests/data/fuzz` with that name holds its texts."""
