"""A result is confirmatory only where every reply was asked for after the plan was registered.

Every way by which earlier replies come into a run that follows a plan, and what is said of it.
"""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from servers import ChatServer
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.plugins.methods.plan import PLAN, PLAN_FILE, read_registered
from zhiyin.plugins.methods.registered import is_confirmatory, plan_reports, time_of
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words import say

pytestmark = pytest.mark.slow

N = 24
DAY = timedelta(days=1)
RUN = ["run", "own.jsonl", "--temperature", "0", "--quiet", "--no-canary", "-m"]


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "400")
    rows = [
        {"id": f"q{n}", "question": f"Which has number {n}?", "options": ["red", "blue"],
         "answer": "red"}
        for n in range(N)
    ]  # fmt: skip
    Path("own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with ChatServer("red") as server:
        yield server


def register(model, more=""):
    text = f'benchmark = "own.jsonl"\nmodels = ["{model}", "first"]\n[flags]\ntemperature = 0\n'
    text += '"no-canary" = true\n' + more
    for name, than in (("H1", "chance"), ("H2", "first")):
        text += f'[[hypotheses]]\nname = "{name}"\nmodel = "{model}"\nsmallest = 5\n'
        text += f'than = "{than}"\n'
    Path("plan.toml").write_text(text)
    assert main(["plan", "--register", "plan.toml"]) == 0
    return Path("plan.plan.json")


def run(model, *more, out="new"):
    assert main([*RUN, model, "--plan", "plan.plan.json", "--out", out, *more]) == 0
    return Path(out)


def edited(folder, change):
    manifest = read_manifest(folder)
    change(manifest)
    (folder / "run.json").write_bytes(msgspec.json.encode(manifest))
    return folder


def dated(folder, at):
    """The plan, dated otherwise, as the clock was at the time."""
    plan = msgspec.structs.replace(read_registered(folder / PLAN_FILE), at=at)
    (folder / PLAN_FILE).write_bytes(plan.encode())
    return edited(folder, lambda manifest: manifest.config.update({PLAN: plan.sha256}))


def in_days(days):
    return (datetime.now(UTC) + days * DAY).isoformat(timespec="seconds")


def kept_replies(server):
    """The run of the issue: look first, then register, and never ask again."""
    assert main([*RUN, server.spec, "--cache", "always", "--out", "old"]) == 0
    register(server.spec)
    calls = server.calls
    folder = run(server.spec, "--cache", "always")
    assert server.calls == calls == N
    return folder, f"{N} kept replies were asked for before"


def one_kept_reply(server):
    assert main([*RUN, server.spec, "--cache", "7", "--limit", "1", "--out", "old"]) == 0
    register(server.spec)
    return run(server.spec, "--cache", "7"), "1 kept reply was asked for before"


def kept_undated(server):
    folder = kept_replies(server)[0]
    log = folder / "records.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        for turn in line["exchange"]["turns"]:
            turn["reply"]["detail"].pop("kept_at")
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder, f"when {N} kept replies were asked for is not known"


def replay_of_a_run(server):
    assert main([*RUN, server.spec, "--out", "old"]) == 0
    register("replay:old")
    return run("replay:old"), "replies that were there are given again"


def replay_of_a_file(server):
    rows = [{"id": f"q{n}", "text": "red"} for n in range(N)]
    Path("answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    register("replay:answers.jsonl")
    return run("replay:answers.jsonl"), "replies that were there are given again"


def plan_of_the_future(server):
    register(server.spec)
    return dated(run(server.spec), "2130-01-01T00:00:00+00:00"), "begun before the plan"


def plan_of_another_zone(server):
    """Its date reads as an earlier one, and is a later one."""
    register(server.spec)
    west = (datetime.now(UTC) + timedelta(hours=1)).astimezone(timezone(timedelta(hours=-12)))
    return dated(run(server.spec), west.isoformat(timespec="seconds")), "begun before the plan"


def plan_without_a_date(server):
    register(server.spec)
    return dated(run(server.spec), "yesterday"), "begun before the plan"


def clock_set_back_between_sessions(server):
    register(server.spec)
    folder = dated(run(server.spec), in_days(-9))

    def change(manifest):
        first = manifest.sessions[0]
        second = msgspec.structs.replace(first, started=in_days(-2), before=first.asked, asked=0)
        manifest.sessions = [first, second]

    return edited(folder, change), "dates of the run contradict"


def clock_set_back_before_the_run(server):
    """A reply was kept after the session that used it had ended."""
    folder = dated(kept_replies(server)[0], in_days(-9))

    def change(manifest):
        for one in manifest.sessions:
            one.started, one.ended = in_days(-2), in_days(-1)

    return edited(folder, change), "dates of the run contradict"


def session_that_ended_before_it_began(server):
    register(server.spec)
    folder = dated(run(server.spec), in_days(-9))
    return edited(
        folder, lambda manifest: setattr(manifest.sessions[0], "ended", in_days(-1))
    ), "dates of the run contradict"


def records_put_in(server):
    """A folder that was resumed with the log of another run."""
    register(server.spec)
    folder = run(server.spec)

    def change(manifest):
        manifest.sessions[0].before, manifest.sessions[0].asked = N - 4, 4

    return edited(folder, change), f"{N - 4} records were put in"


def records_added_afterwards(server):
    register(server.spec)
    folder = run(server.spec)
    return edited(
        folder, lambda manifest: setattr(manifest.sessions[0], "asked", N - 1)
    ), "1 record was put in"


def no_session_at_all(server):
    """As in results of others that became a run."""
    register(server.spec)
    return edited(run(server.spec), lambda manifest: manifest.sessions.clear()), "begun before"


def later_session_begun_before(server):
    register(server.spec)
    folder = run(server.spec)

    def change(manifest):
        first = manifest.sessions[0]
        manifest.sessions = [first, msgspec.structs.replace(first, started=in_days(-3), asked=0)]

    return edited(folder, change), "begun before the plan"


def batch_handed_in_before(server):
    register(server.spec)
    folder = run(server.spec)
    line = {"token": "zhiyin-1", "at": datetime.now(UTC).timestamp() - 86400, "ids": ["a"]}
    (folder / "batches.jsonl").write_text(json.dumps(line) + "\n")
    return folder, "1 batch was handed in before"


def scored_again(server):
    folder = kept_replies(server)[0]
    assert main(["rescore", str(folder), "--extract", "robust", "--out", "again"]) == 0
    return Path("again"), f"{N} kept replies were asked for before"


ROUTES = [
    kept_replies, one_kept_reply, kept_undated, replay_of_a_run, replay_of_a_file,
    plan_of_the_future, plan_of_another_zone, plan_without_a_date,
    clock_set_back_between_sessions, clock_set_back_before_the_run,
    session_that_ended_before_it_began, records_put_in, records_added_afterwards,
    no_session_at_all, later_session_begun_before, batch_handed_in_before, scored_again,
]  # fmt: skip


def everything_said(folder, capsys):
    """Terminal, JSON, report, methods, comparison, paper's table, leaderboard and card."""
    if not Path("first").exists():
        assert main([*RUN, "first", "--out", "first"]) == 0
    capsys.readouterr()
    words, both = [], [str(folder), "first"]
    for command in (
        ["show", str(folder)], ["show", str(folder), "--json"], ["show", *both],
        ["compare", *both], ["table", *both], ["card", str(folder)],
        ["show", str(folder), "--groups", "all"],
    ):  # fmt: skip
        main(command)
        words.append(capsys.readouterr().out)
    main(["report", *both, "--out", "page.html", "--no-figures"])
    words.append(Path("page.html").read_text("utf-8"))
    main(["leaderboard", *both, "--out", "board"])
    words += [path.read_text("utf-8") for path in Path("board").rglob("*.html")]
    return [" ".join(one.split()) for one in words]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_nothing_is_called_confirmed_that_was_there_before(server, route, capsys):
    folder, why = route(server)
    (told,), faults = plan_reports([folder])
    assert not faults
    assert not told.confirmatory
    assert why in " ".join(say(one.text) for one in told.departures if one.early)
    assert not any(one.confirmatory for one in told.results)
    first = say(told.told)
    assert first.startswith("Not confirmatory: the plan")
    assert why in first
    assert "不属验证性结果" in say(told.told, "zh")
    assert not is_confirmatory(folder, read_manifest(folder))


@pytest.mark.parametrize("route", [kept_replies, replay_of_a_run, plan_of_the_future])
def test_no_word_contradicts_it(server, route, capsys):
    folder, _ = route(server)
    said = everything_said(folder, capsys)
    for text in said:
        for word in (
            "Confirmatory:", "Registered before the runs", "No departure from the plan was",
            "the registered hypothesis", r"\(registered\)", "(?<!属)验证性结果：", "预注册的假设 H",
            "no departure from it", "All other tests are exploratory",
        ):  # fmt: skip
            found = re.search(word, text)
            assert not found, text[max(0, found.start() - 300) : found.end() + 300]
    assert said[0].index("Not confirmatory: the plan") >= 0
    (plan,) = json.loads(said[1])["plans"]
    assert plan["confirmatory"] is False
    assert [one["confirmatory"] for one in plan["results"]] == [False, False]
    assert "Not confirmatory" in said[-2] or "not confirmatory" in said[-2]
    (chapter,) = overview(RunSet([folder])).benchmarks
    assert say(chapter.told[0]).startswith("Not confirmatory, as not every reply was asked for")


def test_what_was_asked_after_it_is_confirmatory(server, capsys):
    """Kept replies of a session after the plan are as good, and so is the other run of a plan."""
    register(server.spec)
    folder = run(server.spec)
    other = dated(folder, in_days(-2))
    assert is_confirmatory(other, read_manifest(other))
    (told,), _ = plan_reports([other])
    assert told.confirmatory
    assert say(told.told).startswith("Confirmatory: the plan was registered")
    assert told.results[0].fate == "supported"
    (chapter,) = overview(RunSet([other])).benchmarks
    assert say(chapter.told[0]).startswith("The registered hypothesis H1")


def test_a_run_of_several_sessions_is_as_good(server):
    register(server.spec)
    own = [*RUN, server.spec, "--plan", "plan.plan.json", "--out", "new"]
    assert main([*own, "--budget", "7calls"]) == 1
    folder = dated(run(server.spec, "--budget", "1kcalls"), in_days(-2))
    assert len(read_manifest(folder).sessions) == 2
    assert is_confirmatory(folder, read_manifest(folder))


def test_kept_replies_that_are_younger_than_the_plan_are_no_fault(server):
    register(server.spec)
    folder = dated(run(server.spec, "--cache", "always"), in_days(-2))
    plan = (folder / PLAN_FILE).read_bytes()
    Path("plan.plan.json").write_bytes(plan)
    calls = server.calls
    again = run(server.spec, "--cache", "always", out="again")
    assert server.calls == calls
    assert all(
        turn.reply.detail["cached"] for one in read_records(again) for turn in one.exchange.turns
    )
    assert is_confirmatory(again, read_manifest(again))


def test_only_hypotheses_on_runs_with_earlier_replies_are_none(server):
    """One model was asked afterwards; the other, of a hypothesis of its own, was not."""
    assert main([*RUN, server.spec, "--out", "old"]) == 0
    more = '[[hypotheses]]\nname = "H0"\nmodel = "first"\nsmallest = 5\n'
    register("replay:old", more)
    run("first", out="one")
    folder = run("replay:old", out="two")
    (told,), _ = plan_reports([folder])
    assert {one.hypothesis.name: one.confirmatory for one in told.results} == {
        "H0": True, "H1": False, "H2": False,
    }  # fmt: skip
    assert say(told.told).startswith("Not confirmatory as to H1 and H2: the plan")
    assert any(
        "not every reply was asked for" in one.text for one in compare(["one", "two"]).warnings
    )


def test_a_judge_that_was_asked_before_is_told_of(server):
    rows = [
        {"id": f"f{n}", "question": f"What has a fugue, {n}?", "scorer": "judge", "rubric": "So."}
        for n in range(4)
    ]
    Path("own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("says.py").write_text("def model(messages):\n    return 'It has voices.'\n")
    server.answer = lambda call: '{"reason": "so", "verdict": "right"}'
    model = "python:says.py:model"
    judged = [*RUN, model, "--judge", server.spec, "--cache", "always"]
    assert main([*judged, "--out", "old"]) == 0
    Path("plan.toml").write_text(
        f'benchmark = "own.jsonl"\nmodels = ["{model}"]\njudge = "{server.spec}"\n'
        '[flags]\ntemperature = 0\n"no-canary" = true\n'
        f'[[hypotheses]]\nname = "H1"\nmodel = "{model}"\nthan = 50\nsmallest = 5\n'
    )
    assert main(["plan", "--register", "plan.toml"]) == 0
    calls = server.calls
    assert main([*judged, "--plan", "plan.plan.json", "--out", "new"]) == 0
    assert server.calls == calls
    (told,), _ = plan_reports([Path("new")])
    assert "4 kept replies were asked for before" in say(told.told)


@pytest.mark.parametrize("how", ["resumed", "shards"])
def test_what_was_asked_without_the_plan_is_not_taken_into_it(server, how, capsys):
    """A folder that was begun without it, and one that was merged from such shards."""
    if how == "resumed":
        assert main([*RUN, server.spec, "--limit", "5", "--out", "new"]) == 0
    else:
        for n in (1, 2):
            assert main([*RUN, server.spec, "--shard", f"{n}/2", "--out", f"s{n}"]) == 0
        assert main(["merge", "s1", "s2", "--out", "new"]) == 0
    register(server.spec)
    calls = server.calls
    assert main([*RUN, server.spec, "--plan", "plan.plan.json", "--out", "new"]) == 2
    assert "plan was unset" in capsys.readouterr().err
    assert server.calls == calls


def test_a_run_that_is_scored_again_says_so_and_keeps_its_plan(server, capsys):
    register(server.spec)
    folder = dated(run(server.spec), in_days(-2))
    assert main(["rescore", str(folder), "--extract", "robust", "--out", "again"]) == 0
    (told,), faults = plan_reports([Path("again")])
    assert not faults
    assert told.confirmatory
    assert "scored again" in " ".join(say(one.text) for one in told.departures)


@pytest.mark.parametrize(
    ("text", "hour"),
    [("2026-01-01T10:00:00+00:00", 10), ("2026-01-01T10:00:00", 10),
     ("2026-01-01T10:00:00+02:00", 8), ("soon", None), ("", None), (None, None)],
)  # fmt: skip
def test_times_are_compared_as_times(text, hour):
    when = time_of(text)
    assert (when and when.astimezone(UTC).hour) == hour
