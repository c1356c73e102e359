"""The report as files: what is counted, compared, written, and what is left alone."""

import base64
import gzip
import json
import re
import subprocess
from html import unescape
from pathlib import Path

import msgspec
import numpy as np
import pytest

import warm
from report_help import (
    HOSTILE,
    answered,
    choice,
    heard_trial,
    hostile_run,
    two_runs,
    write_run,
    write_tone,
)
from zhiyin.analysis.within import condition_gaps
from zhiyin.engine.folder import RECORDS
from zhiyin.errors import InputError
from zhiyin.report.measures import MeasureSheet, listed_groups
from zhiyin.report.overview import overview
from zhiyin.report.page_data import index
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report
from zhiyin.sound import audio_part
from zhiyin.statistics.paired import mcnemar_exact
from zhiyin.trial import Audio

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def read(path: Path):
    """What a data file hands to the page."""
    found = re.fullmatch(r'Zhiyin\.receive\("([^"]+)",(.*)\);\n', path.read_text("utf-8"), re.S)
    assert found
    assert found[1] == path.stem
    value = json.loads(found[2])
    return (
        value
        if not isinstance(value, str)
        else json.loads(gzip.decompress(base64.b64decode(value)))
    )


def test_a_run_of_somebody_else_writes_nothing_outside_the_report(tmp_path):
    run = write_run(tmp_path / "run", "m", [answered(choice(0), "A")])
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps({**manifest, "benchmark": "../../evil"}), "utf-8")
    with pytest.raises(InputError, match="is no benchmark's name: correct it"):
        report(run, out=tmp_path / "deep" / "report")


def test_a_sound_whose_name_no_file_can_have_is_gone(tmp_path):
    nameless = Audio("a\0b.wav", "0" * 64, 1.0)
    run = write_run(tmp_path / "run", "m", [answered(choice(0, "", nameless), "A")])
    written = report(run, out=tmp_path / "report")
    assert any("no longer where they" in str(note) for note in written.notes)


def test_figures_and_tests_are_those_of_the_records(tmp_path):
    book = RunSet(two_runs(tmp_path, sound=False))
    sheet = MeasureSheet(book, "quiz")
    good = [case.answers[0].verdict.state == "correct" for case in book.cases]
    fond = [case.answers[1].verdict.state == "correct" for case in book.cases]
    figures = sheet.figures[0]
    assert figures["all"].accuracy == pytest.approx(np.mean(good))
    pitch = [g for g, case in zip(good, book.cases, strict=True) if case.id.startswith("pitch/")]
    assert figures["pitch"].accuracy == pytest.approx(np.mean(pitch)) == 1
    (rows,) = sheet.pairs.values()
    whole = rows["all"]
    only_good = sum(g and not f for g, f in zip(good, fond, strict=True))
    only_fond = sum(f and not g for g, f in zip(good, fond, strict=True))
    assert whole.p == mcnemar_exact(only_good, only_fond).p
    assert whole.difference == pytest.approx(np.mean(good) - np.mean(fond))
    for row in rows.values():
        assert row.p_adjusted >= row.p


def test_guessing_is_by_the_options(tmp_path):
    _, record = heard_trial()
    runs = [write_run(tmp_path / "run", "m", [record, answered(choice(1), "B")])]
    sheet = MeasureSheet(RunSet(runs), "quiz")
    groups = {group.name: group.chance for group in listed_groups(sheet)}
    assert (groups["all"], groups["chords"], groups["rhythm"]) == (0.375, 0.5, 0.25)


def test_findings_name_the_group_the_letter_and_their_trials(tmp_path):
    about = overview(RunSet(two_runs(tmp_path, sound=False)))
    (benchmark,) = about.benchmarks
    said = {str(finding.words): finding for finding in benchmark.findings}
    # What the picture has in bold is not said again.
    assert not any("good is better than fond in" in text for text in said)
    rows = {str(row.name): row for row in benchmark.drawn.picture.rows}
    assert rows["Pitch"].gap.shown
    assert rows["Pitch"].gap.value == pytest.approx(67 / 120)
    letter = next(text for text in said if "fond favours option A" in text)
    assert said[letter].show == {"run": "1", "letter": "A"}


def test_nothing_is_found_where_nothing_is(tmp_path):
    trials = [choice(n) for n in range(40)]
    same = [answered(t, "ABCD"[n % 4 - 1]) for n, t in enumerate(trials)]
    runs = [write_run(tmp_path / name, name, same) for name in ("one", "two")]
    (benchmark,) = overview(RunSet(runs)).benchmarks
    texts = [str(finding.words) for finding in benchmark.findings]
    assert any("one and two gave the same replies" in text for text in texts)
    assert not any("better than" in text or "favours" in text for text in texts)


def test_errors_are_in_no_denominator(tmp_path):
    trials = [choice(n) for n in range(4)]
    records = [answered(t, t.target) for t in trials]
    records[0].verdict.state = "error"
    book = RunSet([write_run(tmp_path / "run", "m", records)])
    assert MeasureSheet(book, "quiz").figures[0]["all"].n == 3


def test_same_names_on_other_data_are_other_trials(tmp_path):
    one = write_run(tmp_path / "one", "a", [answered(choice(1, "Which clef?"), "B")])
    two = write_run(tmp_path / "two", "b", [answered(choice(1, "Which key?"), "B")])
    book = RunSet([one, two])
    assert len(book.cases) == 2
    assert MeasureSheet(book, "quiz").pairs == {}
    assert overview(book).benchmarks[0].trials == 2


def test_true_sound_against_another_is_paired_by_item(tmp_path):
    records = []
    for n in range(40):
        for audio in ("true", "noise"):
            trial = choice(n, "", audio=audio, item=str(n))
            trial = msgspec.structs.replace(trial, id=f"{trial.id}/{audio}")
            right = audio == "true" or n % 4 == 0
            records.append(answered(trial, "ABCD"["ABCD".index(trial.target) - (not right)]))
    book = RunSet([write_run(tmp_path / "run", "ears", records)])
    (gap,) = condition_gaps(MeasureSheet(book, "quiz").frames[0].several[0])
    assert (gap.first, gap.second, gap.gap.items, gap.gap.pair.first, gap.gap.pair.second) == (
        "true",
        "noise",
        40,
        1,
        0.25,
    )
    texts = [str(f.words) for f in overview(book).benchmarks[0].findings]
    assert any(text.startswith("ears listens: with the true sound") for text in texts)
    assert any("altered sound (audio: noise) are not part of the overall" in t for t in texts)
    assert "ears answers 100.0\u00a0% of 40 trials right" in texts[0]


def test_index_codes_every_column(tmp_path):
    book = RunSet(two_runs(tmp_path, trials=30, sound=False))
    columns = index(book, [0])
    assert len(columns.ids) == len(columns.runs[0].states) == len(columns.gold) == 30
    level = columns.tags["level"]
    assert [level.values[code] for code in level.codes] == [
        str(int(name.partition("/")[2]) % 3) for name in columns.ids
    ]


def test_folder_holds_every_trial_and_its_sound_once(tmp_path):
    written = report(*two_runs(tmp_path), out=tmp_path / "out", notation=False, figures=False)
    data = tmp_path / "out" / "data"
    columns, about = read(data / "trials.js"), read(data / "report.js")
    details = [d for start in columns["starts"] for d in read(data / f"trials-{start}.js")]
    assert [detail["id"] for detail in details] == columns["ids"]
    ((sha256, sound),) = about["sounds"].items()
    assert (tmp_path / "out" / sound["url"]).read_bytes() == (
        tmp_path / "secret-answer.wav"
    ).read_bytes()
    assert len(sound["peaks"]) == 240
    assert max(sound["peaks"]) == 100
    assert sha256 in sound["url"]
    assert written.sounds == 1
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not [path for path in files if b"secret-answer" in path.read_bytes()]


def test_a_sound_that_has_changed_is_left_out_and_told(tmp_path):
    runs = two_runs(tmp_path, trials=8)
    write_tone(tmp_path / "secret-answer.wav", hertz=220)
    written = report(*runs, out=tmp_path / "out", notation=False, figures=False)
    assert written.sounds == 0
    assert any(
        note.startswith("recordings that are no longer") and note.endswith(": 1")
        for note in map(str, written.notes)
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_stay_data(tmp_path, name):
    out = tmp_path / "page.html"
    report(hostile_run(tmp_path / "run"), out=out, notation=False)
    html = out.read_text("utf-8")
    assert html.count("<script") == html.count("</script>")
    assert "document.title='taken'</script>" not in html
    packed = r'data-name="trials-\d+"( data-packed="gzip")?>(.*?)</script>'
    blocks = re.findall(packed, html, re.S)
    texts = [gzip.decompress(base64.b64decode(b)) if packed else b for packed, b in blocks]
    details = [detail for text in texts for detail in json.loads(text)]
    replies = [run["turns"][0]["text"] for detail in details for run in detail["runs"]]
    assert HOSTILE[name] in replies


def test_one_file_holds_sound_and_nothing_else_is_loaded(tmp_path):
    out = tmp_path / "page.html"
    report(*two_runs(tmp_path, trials=8), out=out, notation=False)
    html = out.read_text("utf-8")
    assert '"url":"data:audio/mpeg;base64,' in html
    assert not re.search(r'(?:src|href)="(?!#)', html.split("<body>")[0])
    assert "script-src 'sha256-" in unescape(html)


def test_another_folder_is_not_taken_over(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("dear reader")
    runs = two_runs(tmp_path, trials=8, sound=False)
    with pytest.raises(InputError, match="holds something else"):
        report(*runs, out=tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "dear reader"
    report(*runs, out=tmp_path / "out", notation=False, figures=False)
    report(*runs, out=tmp_path / "out", notation=False, figures=False)


def test_what_is_not_a_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="is not a run"):
        report(tmp_path / "nothing", out=tmp_path / "out")


def test_a_set_of_runs_follows_a_run_and_leaves_a_torn_line(tmp_path):
    runs = two_runs(tmp_path, trials=8, sound=False)
    book = RunSet(runs)
    assert not book.catch_up()
    log = runs[0] / RECORDS
    line = msgspec.json.encode(answered(choice(99), "B")) + b"\n"
    with log.open("ab") as file:
        file.write(line[:-10])
        file.flush()
        assert not book.catch_up()
        file.write(line[-10:])
    assert book.catch_up()
    assert book.cases[-1].id == "rhythm/99"
    # The runner replaces the log when it ends; numbers and places must hold.
    log.with_name("new").write_bytes(log.read_bytes()[: log.read_bytes().index(b"\n") + 1])
    log.with_name("new").replace(log)
    assert book.catch_up()
    assert sum(0 in case.answers for case in book.cases) == 1
    ((_, found),) = list(book.records(0, 1))
    assert found[0].id == book.cases[0].id


@pytest.mark.parametrize("where", ["trial", "exchange"])
def test_a_damaged_line_is_told_with_its_log(tmp_path, where):
    runs = [
        write_run(tmp_path / name, "m", [answered(choice(n), "A") for n in range(3)])
        for name in ("one", "two")
    ]
    lines = (runs[1] / RECORDS).read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(f'"{where}":{{'.encode(), f'"{where}":7,"x":{{'.encode(), 1)
    (runs[1] / RECORDS).write_bytes(b"".join(lines))
    with pytest.raises(InputError, match=rf"two/{RECORDS}, .*not a record"):
        report(*runs, out=tmp_path / "out", notation=False, figures=False)


def test_a_superseded_failure_counts_once(tmp_path):
    trial = choice(1)
    failed = answered(trial, None)
    failed.verdict.state = "error"
    book = RunSet([write_run(tmp_path / "run", "m", [failed, answered(trial, "B")])])
    assert [case.answers[0].verdict.state for case in book.cases] == ["correct"]


def test_a_transcription_is_shown_against_the_truth(tmp_path):
    _, record = heard_trial()
    report(
        write_run(tmp_path / "run", "m", [record]),
        out=tmp_path / "out",
        notation=False,
        figures=False,
    )
    (detail,) = read(tmp_path / "out" / "data" / "trials-0.js")
    assert detail["roll"] == {"kind": "chord", "truth": [[60, 64, 67]]}
    assert detail["runs"][0]["heard"] == [[60, 63, 67]]


def test_sound_parts_are_kept(tmp_path):
    part = msgspec.structs.replace(
        audio_part(write_tone(tmp_path / "a.wav", 2.0)), start=0.5, end=1.5
    )
    run = write_run(tmp_path / "run", "m", [answered(choice(1, "", part), "B")])
    report(run, out=tmp_path / "out", notation=False, figures=False)
    (detail,) = read(tmp_path / "out" / "data" / "trials-0.js")
    (sound,) = [p for p in detail["asked"][0]["messages"][0]["parts"] if "sound" in p]
    assert (sound["start"], sound["end"]) == (0.5, 1.5)


def test_many_recordings_are_compressed_unless_they_are_to_be_whole(tmp_path, monkeypatch):
    """By default those of more than so many bytes; each once, however many trials play it."""
    monkeypatch.setattr("zhiyin.report.writing.MOST_SOUND_BYTES", 1000)
    runs = two_runs(tmp_path, trials=6)
    wanted = {None: "mp3", False: "wav", True: "mp3"}
    held = {}
    for small, suffix in wanted.items():
        out = tmp_path / f"{small}"
        made = report(*runs, out=out, notation=False, figures=False, small_sound=small)
        files = list((out / "audio").iterdir())
        assert {file.suffix for file in files} == {f".{suffix}"}
        assert len(files) == made.sounds < made.trials
        told = [note for note in map(str, made.notes) if "--no-small-audio" in note]
        assert len(told) == (small is None)
        held[small] = sum(file.stat().st_size for file in files)
    assert held[None] == held[True] < held[False] / 3
    monkeypatch.setattr("zhiyin.report.writing.MOST_SOUND_BYTES", 10**9)
    few = report(*runs, out=tmp_path / "few", notation=False, figures=False)
    assert {file.suffix for file in (tmp_path / "few" / "audio").iterdir()} == {".wav"}
    assert not [note for note in map(str, few.notes) if "small-audio" in note]


def test_figures_and_tables_stand_beside_the_page(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra: figures)")
    runs = two_runs(tmp_path, trials=60, sound=False)
    report(*runs, out=tmp_path / "out", notation=False)
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    methods = page[page.index('id="methods"') : page.index("</main>")]
    files = re.findall(r'(?:href|src)="(figures/[^"]+)"', methods)
    assert {file.rsplit(".")[-1] for file in files} >= {"svg", "csv"}
    assert all((tmp_path / "out" / file).is_file() for file in files)
    (paragraph,) = re.findall(r'<p class="prose">(.*?)</p>', methods, re.S)
    assert "good" in paragraph
    report(*runs, out=tmp_path / "out", notation=False, figures=False)
    assert paragraph in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert not (tmp_path / "out" / "tables").exists()  # they may be of other runs


def test_command(tmp_path):
    runs = [str(run) for run in two_runs(tmp_path, trials=12)]
    command = ["report", *runs, "--no-figures"]
    done = warm.run([*command, "-o", tmp_path / "out"])
    assert done.returncode == 0, done.stderr
    assert "trials 12, recordings 1" in done.stderr
    bad = warm.run([*command, "-o", tmp_path / "out" / "index.html" / "x"])
    assert bad.returncode == 2
    assert len(bad.stderr.strip().splitlines()) == 1


def test_four_reports_to_one_new_folder_at_once_are_all_written(tmp_path):
    """Each waits its turn; none takes a report half written for something else."""
    runs, out = two_runs(tmp_path, trials=40, sound=False), tmp_path / "page"
    command = ["report", *runs, "-o", out, "--no-figures"]
    writers = [warm.Started(command, stderr=subprocess.PIPE) for _ in range(4)]
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4, said
    assert len(read(out / "data" / "report.js")["runs"]) == 2
    assert 'id="benchmark-quiz"' in (out / "index.html").read_text("utf-8")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_folder_with_something_else_in_it_is_still_refused(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="something else"):
        report(*two_runs(tmp_path, trials=8, sound=False), out=tmp_path / "page")
    assert (tmp_path / "page" / "thesis.txt").read_text() == "mine"


def test_trials_are_listed_by_their_names_whatever_came_first(tmp_path):
    """All but those that are called by a hash of their words, which stay as they came."""

    def listed(name, *arrived):
        named = [msgspec.structs.replace(choice(0), id=one) for one in arrived]
        run = write_run(tmp_path / name, "m", [answered(one, "A") for one in named])
        return [case.id for case in RunSet([run]).cases]

    assert listed("a", "q10", "q2", "p/9", "q1") == ["p/9", "q1", "q2", "q10"]
    assert listed("b", "q2", "q1", "p/9", "q10") == ["p/9", "q1", "q2", "q10"]
    assert listed("c", "q7a5c18f8", "q0269c53a") == ["q7a5c18f8", "q0269c53a"]
