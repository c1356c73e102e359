"""The same seed gives the same bytes: items, stimuli, records (times aside) and reports.

Each benchmark that needs no data of others is run twice, in processes with another order of sets
and another number of threads, in other folders, with caches of their own.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from zhiyin.cli import main
from zhiyin.contract.registry import find, ours

pytestmark = pytest.mark.slow

RUNS = {
    "exercises": "exercises --n 1",
    "perception": "perception --task chords,syncopation --n 1 --source generated "
    "--modality audio,midi",
    "muse": "muse --task oddballs,contourID,chord_quality --n 1 --source generated",
    "bodies": "bodies --n 1 --body sound,midi,abc,musicxml,kern --limit 20",
    "pairs": "pairs --fact third,note --change gain --n 1",
    "thresholds": "thresholds --dimension pitch",
    "scores": "scores --n 1 --source generated",
    "appraisal": "appraisal --source generated --n 1 --language en --limit 1",
    "muchomusic": "muchomusic --data mm --limit 12",
    "questions": "questions --data mine.csv",
}
"""How each is run, small."""
ELSEWHERE = {
    **dict.fromkeys(("cmi", "mmar", "mmau", "rhythm-ability", "rul", "ziqi"), "data of others"),
    **dict.fromkeys(("mmar-rubrics", "mmau-pro", "msu-bench"), "data of others"),
    **dict.fromkeys(("abc-eval", "musictheorybench"), "likewise"),
    **dict.fromkeys(("adaptive", "audit", "judge"), "reads runs"),
    **dict.fromkeys(
        (
            "forge-blind", "forge-label", "forge-paraphrase", "forge-propose", "forge-same",
            "forge-write",
        ),
        "asks for the forge",
    ),
}  # fmt: skip
"""The others, and why they are not here."""
AT_LENGTH = ("muse", "bodies", "pairs", "thresholds", "scores", "appraisal")
"""Those that only `make trust` runs."""
REPORTED = ("exercises", "perception", "thresholds")
"""Those whose reports are compared, where they are run."""
SEED = 2**61 + 3
"""As large as a private one may be."""


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.trust] if name in AT_LENGTH else []


def work(folder: Path, names: list[str]) -> None:
    """What each of the two processes does; the times of its sessions and its id are left out."""
    os.chdir(folder)
    assert main(["data", "make", "muchomusic", "--out", "mm", "--clips", "4", "--seed", "3"]) == 0
    assert main(["data", "template", "mine.csv"]) == 0
    for name in names:
        command = ["run", *RUNS[name].split(), "--seed", str(SEED), "-m", "random", "--quiet"]
        assert main([*command, "--out", f"runs/{name}"]) in (0, 1), name
        path = Path("runs", name, "run.json")
        manifest = json.loads(path.read_text("utf-8")) | {"id": "of the run"}
        for session in manifest["sessions"]:
            session.update(started="2026-01-01T00:00:00+00:00", ended=None, elapsed_s=0)
        path.write_text(json.dumps(manifest, indent=1), "utf-8")
    for name in sorted({*REPORTED} & {*names}):
        words = ["report", f"runs/{name}", "-o", f"reports/{name}.html"]
        assert main(words) == 0


@pytest.fixture(scope="module")
def twice(request, tmp_path_factory):
    asked = {item.callspec.params.get("name") for item in request.session.items
             if item.path == request.path and hasattr(item, "callspec")}  # fmt: skip
    names = [name for name in RUNS if name in asked or name not in AT_LENGTH]
    folders = [tmp_path_factory.mktemp("same") for _ in range(2)]
    started = []
    for number, folder in enumerate(folders):
        environment = os.environ | {
            "PYTHONHASHSEED": str(number + 1),
            **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(number + 1)),
            "ZHIYIN_CACHE": str(folder / "cache"),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        words = [sys.executable, __file__, str(folder), *names]
        started.append(
            subprocess.Popen(
                words, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
        )
    for process in started:
        told, _ = process.communicate()
        assert process.returncode == 0, told[-3000:]
    return folders


def text_of(folder: Path, name: str) -> str:
    """A file without the folder's own name, and without how long a reply took."""
    text = (folder / name).read_text("utf-8").replace(str(folder), "HERE")
    return re.sub(r'"latency_s":[0-9.e+-]+', '"latency_s":0', text)


def test_every_benchmark_is_in_one_of_the_lists():
    assert sorted([*RUNS, *ELSEWHERE]) == sorted(ours())
    assert all(find(name).name for name in RUNS)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in RUNS])
def test_two_runs_of_a_seed_have_the_same_records_and_settings(twice, name):
    one, two = (text_of(folder, f"runs/{name}/records.jsonl") for folder in twice)
    assert one.count("\n") > 0
    assert one == two
    assert len({text_of(folder, f"runs/{name}/run.json") for folder in twice}) == 1


def test_sounds_and_pictures_have_the_same_bytes(twice):
    """Their SHA-256 are in the records, which are alike; these are the files themselves."""
    media = [
        {
            path.relative_to(folder): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".wav", ".mid", ".svg", ".png", ".csv")
        }
        for folder in twice
    ]
    assert len(media[0]) > 10
    assert {path.suffix for path in media[0]} >= {".wav", ".mid", ".csv"}
    assert media[0] == media[1]


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in REPORTED])
def test_two_reports_of_equal_runs_are_equal(twice, name):
    one, two = (text_of(folder, f"reports/{name}.html") for folder in twice)
    assert one == two


if __name__ == "__main__":
    work(Path(sys.argv[1]), sys.argv[2:])
