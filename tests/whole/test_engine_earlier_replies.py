"""A figure is of the model that is served now: replies of before are asked for, counted and said.

And what was sent in an address, or is repeated in a reply, is in no log.
"""

import json
import re
import sqlite3
import time

import pytest

from said_help import texts
from servers import ChatServer, completion
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.plugins.lab.labbook.pages import Visit, runs_page
from zhiyin.plugins.lab.labbook.run_list import RunList
from zhiyin.words import say
from ziqi_layout import write_ziqi

pytestmark = pytest.mark.slow

SECRET = "sk-4f9a-never-to-be-read"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def data(tmp_path):
    return write_ziqi(tmp_path / "ziqi", 6)


def zhiyin(*words):
    from zhiyin.cli import main

    return main([str(word) for word in words])


def run(data, out, spec, *flags):
    return zhiyin("run", "ziqi", "--data", data, "-m", spec, "--out", out, "--quiet", *flags)


def words_of(capsys):
    return " ".join(capsys.readouterr().out.split())


class Checkpoints:
    """One model after another at one address under one name: the n-th is right on 3n of 10."""

    def __init__(self, data, tmp_path):
        run(data, tmp_path / "key", "first")
        self.target = {r.trial.stem: r.trial.target for r in read_records(tmp_path / "key")}
        self.now = 1

    def __call__(self, call):
        place, (_, right) = next(
            (n, one) for n, one in enumerate(self.target.items()) if one[0] in call.text
        )
        wrong = next(letter for letter in "ABCD" if letter != right)
        return completion(right if place % 10 < 3 * self.now else wrong)


def accuracy(folder):
    return summarise(folder).groups["all"].accuracy


def test_two_checkpoints_at_one_address_are_distinguished(data, tmp_path, capsys):
    served = Checkpoints(data, tmp_path)
    with ChatServer(served) as server:
        for served.now in (1, 2, 3):
            assert run(data, tmp_path / f"c{served.now}", server.spec) == 0
        assert server.calls == 3 * len(served.target), "each is asked anew"
    shares = [accuracy(tmp_path / f"c{n}") for n in (1, 2, 3)]
    assert shares == pytest.approx([0.3, 0.6, 0.9], abs=0.04)
    for folder in (tmp_path / "c1", tmp_path / "c2"):
        assert not any("cached" in r.exchange.final.detail for r in read_records(folder))
        assert summarise(folder).replies.earlier == 0
    found = compare([tmp_path / "c1", tmp_path / "c2"])
    (whole,) = [row for row in found.pairs[0].groups if row.group == "all"]
    assert whole.difference == pytest.approx(shares[0] - shares[1])
    assert not found.warnings
    capsys.readouterr()
    assert zhiyin("compare", tmp_path / "c1", tmp_path / "c2") == 0
    assert "earlier run" not in words_of(capsys)


def test_replies_of_an_earlier_run_are_counted_wherever_a_figure_is_told(data, tmp_path, capsys):
    served = Checkpoints(data, tmp_path)
    with ChatServer(served) as server:
        run(data, tmp_path / "c1", server.spec, "--cache", 7, "--limit", 20)
        served.now, asked = 2, server.calls
        capsys.readouterr()
        assert run(data, tmp_path / "c2", server.spec, "--cache", 7) == 0
        every = len(served.target)
        assert server.calls == asked + every - 20
    said = f"20 of {every} replies are of an earlier run"
    assert said in words_of(capsys), "when the run ends"
    zhiyin("show", tmp_path / "c2")
    shown = words_of(capsys)
    assert f"; {said}" in shown, "the headline"
    assert (
        f"warning: {said}, from the cache (asked on {time.strftime('%Y-', time.gmtime())}" in shown
    )
    zhiyin("show", tmp_path / "c2", "--json")
    replies = json.loads(capsys.readouterr().out)["replies"]
    assert (replies["n"], replies["earlier"]) == (every, 20)
    assert zhiyin("compare", tmp_path / "c1", tmp_path / "c2") == 0
    compared = words_of(capsys)
    assert f"warning: scripted (default settings): {said}" in compared
    assert "have 20 replies in common that were asked only once" in compared
    assert "not two independent measurements" in compared
    listed = {run.place: run for run in RunList(tmp_path).runs(None)}
    assert listed["c2"].facts.earlier == 20
    assert f"20 of {every} replies of an earlier run" in runs_page([listed["c2"]], Visit())
    assert zhiyin("report", tmp_path / "c1", tmp_path / "c2", "--out", tmp_path / "r") == 0
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    told = re.sub("<[^>]*>", "", page)
    assert f"20 of {every} replies of scripted (default settings) are of an earlier run." in told
    assert "have 20 replies in common that were asked only once" in page
    for warning in compare([tmp_path / "c1", tmp_path / "c2"]).warnings[:3]:
        assert "回答" in say(warning, "zh")


def test_a_command_that_asks_nothing_says_of_when_the_replies_are(data, tmp_path, capsys):
    with ChatServer("A") as server:
        run(data, tmp_path / "r", server.spec, "--limit", 10)
        for flag in ("--quiet", "--json"):
            capsys.readouterr()
            assert run(data, tmp_path / "r", server.spec, "--limit", 10, flag) == 0
            told = capsys.readouterr().err
            assert "resuming: 10 of 10 trials are there" in told
            assert f"the replies are of {time.strftime('%Y-%m-', time.gmtime())}" in told
    assert server.calls == 10


def test_two_runs_that_take_the_replies_of_a_third_have_them_in_common(data, tmp_path):
    with ChatServer("A") as server:
        for name, days in (("a", "7"), ("b", "7"), ("c", "always"), ("d", "off")):
            run(data, tmp_path / name, server.spec, "--cache", days, "--limit", 10)
        assert server.calls == 20
    warnings = compare([tmp_path / name for name in "bcd"]).warnings
    common = [line for line in texts(warnings) if "in common" in line]
    assert len(common) == 1
    assert "b" in common[0]
    assert "c" in common[0]
    assert "10 replies" in common[0]
    kept = {r.exchange.final.detail["kept_by"] for r in read_records(tmp_path / "c")}
    assert kept == {read_manifest(tmp_path / "a").id}


def test_a_reply_that_is_older_than_so_many_days_is_not_used(data, tmp_path):
    file = tmp_path / "cache" / "replies.sqlite"
    with ChatServer("A") as server:
        run(data, tmp_path / "one", server.spec, "--cache", 7, "--limit", 10)
        base = sqlite3.connect(file)
        base.execute("UPDATE replies SET kept = kept - 3 * 86400")
        base.commit()
        run(data, tmp_path / "two", server.spec, "--cache", 4, "--limit", 10)
        assert server.calls == 10
        run(data, tmp_path / "three", server.spec, "--cache", 2.5, "--limit", 10)
        assert server.calls == 20
        run(data, tmp_path / "four", server.spec, "--cache", 2.5, "--limit", 10)
        assert server.calls == 20, "the young ones have taken their place"
        base.execute("UPDATE replies SET kept = 0")
        base.commit()
        base.close()
        run(data, tmp_path / "five", server.spec, "--cache", 3650, "--limit", 10)
        assert server.calls == 30, "of an age that nobody knows"
    since = summarise(tmp_path / "two").replies.since
    assert since == time.strftime("%Y-%m-%d", time.gmtime(time.time() - 3 * 86400))


def test_a_file_of_an_earlier_version_is_read_and_its_age_is_not_guessed(data, tmp_path):
    file = tmp_path / "cache" / "replies.sqlite"
    with ChatServer("A") as server:
        run(data, tmp_path / "one", server.spec, "--cache", "always", "--limit", 10)
        base = sqlite3.connect(file)
        for column in ("kept", "run"):
            base.execute(f"ALTER TABLE replies DROP COLUMN {column}")
        base.close()
        run(data, tmp_path / "two", server.spec, "--cache", "always", "--limit", 10)
        assert server.calls == 10
        assert not read_manifest(tmp_path / "two").remarks
        run(data, tmp_path / "three", server.spec, "--cache", 7, "--limit", 10)
        assert server.calls == 20, "of what nobody knows the age of, none is young enough"
    replies = summarise(tmp_path / "two").replies
    assert (replies.earlier, replies.since) == (10, None)
    assert "in common" not in "".join(texts(compare([tmp_path / "one", tmp_path / "two"]).warnings))


@pytest.mark.parametrize("value", ["auto", "0", "-1", "nan", "inf", "seven", ""])
def test_what_is_no_number_of_days_is_refused_on_one_line(data, tmp_path, capsys, value):
    assert run(data, tmp_path / "r", "first", f"--cache={value}") == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "a number of days such as 7, always" in said
    assert not (tmp_path / "r").exists()


def suite_file(tmp_path, data, spec, flags=""):
    path = tmp_path / "suite.toml"
    path.write_text(f"""
[[models]]
model = "{spec}"
runs = 1
flags = {{ limit = 10 {flags} }}
[[benchmarks]]
benchmark = "ziqi"
flags = {{ data = "{data}" }}
[[conditions]]
name = "robust"
[[conditions]]
name = "strict"
flags = {{ extract = "first-letter" }}
""")
    return path


def test_the_runs_of_a_suite_may_share_replies_within_one_session(data, tmp_path):
    words = ("--no-report", "--no-figures", "--quiet")
    with ChatServer("A") as server:
        file = suite_file(tmp_path, data, server.spec, ', cache = "session"')
        assert zhiyin("suite", file, "--out", tmp_path / "s", *words) == 0
        assert server.calls == 10
        second = tmp_path / "s" / "runs" / "ziqi--strict--scripted"
        assert summarise(second).replies.earlier == 10, "and says so"
        assert zhiyin("suite", file, "--out", tmp_path / "t", *words) == 0
        assert server.calls == 20, "another session asks anew"
        assert not (tmp_path / "cache" / "replies.sqlite").exists()
        file = suite_file(tmp_path, data, server.spec)
        assert zhiyin("suite", file, "--out", tmp_path / "u", *words) == 0
        assert server.calls == 40, "unless it is asked for, each run asks anew"


# The query of an address.


def everything_in(*folders):
    """All names and contents of files, as one text."""
    paths = [path for folder in folders for path in folder.rglob("*")]
    names = "\n".join(map(str, paths))
    return names + "".join(p.read_bytes().decode(errors="replace") for p in paths if p.is_file())


def test_two_deployments_at_one_address_are_two_runs(data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with ChatServer("A") as server:
        for name in ("alpha-v1", "beta-v2"):
            spec = f"{server.url}?api-version=2024-06-01&deployment={name}#m"
            words = ("run", "ziqi", "--data", data, "-m", spec, "--limit", 5, "--cache", 7)
            assert zhiyin(*words, "--quiet") == 0
        assert server.calls == 10, "no reply of the one is one of the other"
        folders = sorted((tmp_path / "runs").iterdir())
        assert len(folders) == 2, "nor is its run"
        queries = [read_manifest(folder).config["query"] for folder in folders]
        assert all(q.startswith("api-version=2024-06-01&hidden-") for q in queries)
        assert len(set(queries)) == 2
        other = f"{server.url}?deployment=gamma-v3&api-version=2024-06-01#m"
        capsys.readouterr()
        assert run(data, folders[0], other, "--limit", 5) == 2
        told = capsys.readouterr().err
        assert "holds a run with other settings (query was " in told
        assert "pool:FILE" not in told
        assert run(data, folders[0], spec.replace("127.0.0.1", "localhost"), "--limit", 5) == 2
        assert "-m pool:FILE#MODEL goes on at other addresses" in capsys.readouterr().err
        # In another order it is the same address, and the run goes on.
        again = f"{server.url}?deployment=alpha-v1&api-version=2024-06-01#m"
        places = {run(data, folder, again, "--limit", 5) for folder in folders}
        assert places == {0, 2}


def test_a_key_in_an_address_is_written_nowhere(data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with ChatServer(lambda call: "A") as server:
        spec = f"{server.url}?api_key={SECRET}#m"
        assert zhiyin("run", "ziqi", "--data", data, "-m", spec, "--limit", 3, "--cache", 7) == 0
        pool = f"pool:{server.url}?api_key={SECRET}#m"
        assert zhiyin("run", "ziqi", "--data", data, "-m", pool, "--limit", 3) == 0
        file = suite_file(tmp_path, data, spec)
        assert zhiyin("suite", file, "--out", "s") == 0
        words = ("--no-report", "--out")
        assert zhiyin("suite", file, *words, "s") == 0, "what is written down is still this suite"
        assert zhiyin("suite", file, *words, "t", "-m", spec) == 0
        asked = server.calls
        capsys.readouterr()
        (folder, *_) = (tmp_path / "work" / "runs").iterdir()
        spec = read_manifest(folder).spec
        assert zhiyin("run", "ziqi", "--data", data, "-m", spec, "--out", "again") == 2
        assert "give the whole address, with -m" in capsys.readouterr().err
        assert server.calls == asked, "nobody is asked at an address without its query"
    text = everything_in(tmp_path / "work", tmp_path / "cache")
    assert SECRET not in text
    assert not re.search(SECRET[3:12], text)
    assert "hidden-" in text


def test_the_judge_of_a_run_is_written_down_without_its_key(tmp_path):
    import shutil

    from conftest import REPOSITORY
    from judge_help import judge_answer

    shutil.copytree(REPOSITORY / "tests" / "data" / "appraisal_small", tmp_path / "appraisal")
    with (
        ChatServer(lambda call: "A calm song in a minor key, slow, with a piano.") as reviewer,
        ChatServer(judge_answer) as judge,
    ):
        spec = f"{judge.url}?key={SECRET}#judge"
        words = ("--data", tmp_path / "appraisal", "-m", reviewer.spec, "--judge", spec)
        assert zhiyin("run", "appraisal", *words, "--out", tmp_path / "r", "--quiet") in (0, 1)
        assert judge.calls
        asked = judge.calls
        zhiyin("judge", tmp_path / "r", "-m", spec, "--quiet")
        assert judge.calls == asked, "the same judge finds its judgements"
    assert SECRET not in everything_in(tmp_path / "r")


# What a reply repeats.


@pytest.fixture
def keyed(monkeypatch):
    monkeypatch.setenv("ZHIYIN_API_KEY", SECRET)


def test_a_key_that_a_reply_repeats_is_hidden_in_log_and_cache(keyed, data, tmp_path, capsys):
    def answer(call):
        key = call.headers["Authorization"].partition(" ")[2]
        said = completion(f"B. Your key is {key}, in full {key.replace('-', '%2D')}.")
        said["choices"][0]["message"]["reasoning_content"] = f"I was called with {key}"
        return {**said, "usage": {"prompt_tokens": 5, "completion_tokens": 5, key: 1}}

    with ChatServer(answer) as server:
        run(data, tmp_path / "r", f"{server.url}?token=query-secret-77#m", "--cache", 7,
            "--limit", 4)  # fmt: skip
    text = everything_in(tmp_path / "r", tmp_path / "cache")
    assert SECRET not in text
    assert SECRET.replace("-", "%2D") not in text
    (one, *_) = read_records(tmp_path / "r")
    assert one.exchange.final.text == "B. Your key is [hidden], in full [hidden]."
    assert one.verdict.letter == "B"
    assert "4 replies held a key that was sent with the request" in words_of(capsys)
    assert summarise(tmp_path / "r").replies.hidden == 4


@pytest.mark.parametrize("key", ["none", "EMPTY", "placeholder", "B"])
def test_a_word_that_is_no_key_stays_in_an_answer(data, tmp_path, monkeypatch, key):
    monkeypatch.setenv("ZHIYIN_API_KEY", key)
    with ChatServer(f"B, and {key} of the others") as server:
        run(data, tmp_path / "r", server.spec, "--limit", 3)
    assert {r.exchange.final.text for r in read_records(tmp_path / "r")} == {
        f"B, and {key} of the others"
    }


# Two models in one run.


def test_replies_of_two_models_in_one_run_are_said(data, tmp_path, capsys):
    names = iter(["model-0513"] * 6 + ["model-0806"] * 4)
    with ChatServer(lambda call: {**completion("A"), "model": next(names)}) as server:
        run(data, tmp_path / "r", server.spec, "--limit", 10)
    said = (
        "the replies are of 2 models, as the server names them (6 of model-0513, 4 of model-0806)"
    )
    assert said in words_of(capsys)
    zhiyin("show", tmp_path / "r")
    assert said in words_of(capsys)
    with ChatServer("B") as server:
        run(data, tmp_path / "other", server.spec, "--limit", 10)
    zhiyin("compare", tmp_path / "r", tmp_path / "other")
    assert said in words_of(capsys)
    assert zhiyin("leaderboard", tmp_path, "-o", tmp_path / "board") == 0
    assert said in words_of(capsys)
    assert said in (tmp_path / "board" / "index.html").read_text("utf-8")
    assert zhiyin("report", tmp_path / "r", "--out", tmp_path / "page") == 0
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert said in page
