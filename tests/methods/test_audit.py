"""`zhiyin audit`: drawing, marks, results, sheets, and what show and report say of them."""

import itertools
import json
from collections import Counter

import msgspec
import pytest

from audit_help import SAID, a_run, mark_of, record, text_of, zhiyin
from report_help import heard_trial, write_run
from said_help import texts
from zhiyin.analysis.summary import summarise
from zhiyin.plugins.methods.audit.drawing import DrawWish, open_audit, read_population
from zhiyin.plugins.methods.audit.marks import AUDIT, NONE, UNSURE, Book, Mark
from zhiyin.plugins.methods.audit.result import result_of
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview

pytestmark = pytest.mark.slow


def mark_all(audit, by="person", change=lambda mark, number: mark, blind=True):
    """Mark every drawn reply as a careful person would, changed by `change`."""
    audit.book.add(
        Mark(d.id, d.reply, change(mark_of(audit.shown[d.id].texts[0]), n), by, blind)
        for n, d in enumerate(audit.draw.replies)
    )
    return result_of(audit.population, audit.book, by)


def test_the_strata_are_what_the_reader_said(tmp_path):
    population = read_population(a_run(tmp_path / "run"))
    sizes = {name: len(ids) for name, ids in population.strata().items()}
    assert sum(sizes.values()) == 120
    assert sizes["refused"] == 20
    assert {"declared", "inferred", "by text alone", "no answer"} <= sizes.keys()


def test_probabilities_are_known_and_right(tmp_path):
    """Over many seeds each reply is drawn as often as its stratum's probability says."""
    population = read_population(a_run(tmp_path / "run", 60))
    from zhiyin.plugins.methods.audit.drawing import make_draw

    times: Counter[str] = Counter()
    for seed in range(400):
        draw, _ = make_draw(tmp_path / "run", population, 20, seed, "neyman")
        times.update(one.id for one in draw.replies)
        assert len(draw.replies) == len({one.id for one in draw.replies}) == 20
    for name, one in population.readings.items():
        expected = 400 * draw.probabilities[one.stratum]
        assert abs(times[name] - expected) < 5 * (expected**0.5 + 1)


def test_a_greater_draw_holds_a_smaller_one_and_keeps_its_marks(tmp_path):
    run = a_run(tmp_path / "run")
    small = open_audit(run, DrawWish(20))
    mark_all(small)
    again = open_audit(run, DrawWish())
    assert again.draw == Book(run).draw
    assert len((run / AUDIT).read_text().splitlines()) == 21  # nothing is drawn again
    great = open_audit(run, DrawWish(50))
    ids = {one.id for one in great.draw.replies}
    assert {one.id for one in small.draw.replies} < ids
    found = result_of(great.population, great.book)
    assert (found.drawn, found.marked, found.complete) == (50, 20, False)
    assert found.rate is None
    assert "under way: 20 of 50 drawn are marked, 0 of them misread" in found.sentences[0]


def test_the_order_shown_says_nothing_of_the_verdict(tmp_path):
    audit = open_audit(a_run(tmp_path / "run"), DrawWish(60))
    strata = [one.stratum for one in audit.draw.replies]
    changes = sum(a != b for a, b in itertools.pairwise(strata))
    assert changes > 30


def test_a_careful_reader_is_confirmed(tmp_path):
    audit = open_audit(a_run(tmp_path / "run"), DrawWish(60, allocation="proportional"))
    found = mark_all(audit)
    assert (found.misread, found.rate, found.ci95[0]) == (0, 0, 0)
    assert 0.03 < found.ci95[1] < 0.08
    assert "audited: 0 of 60 misread (0 to " in found.sentences[0]
    accuracy = found.accuracy
    assert accuracy.as_read == accuracy.corrected
    right = sum(one.right for one in audit.population.readings.values())
    assert accuracy.as_read == right / 120


def test_misreadings_are_found_and_accuracy_is_put_right(tmp_path):
    """Read by a rule that takes the first capital for the answer; the truth is known for all."""
    run = a_run(tmp_path / "run", 240, policy="first-letter")
    audit = open_audit(run, DrawWish(150))
    found = mark_all(audit)
    readings = audit.population.readings
    number = {name: int(name.split("/")[1]) for name in readings}
    truth = {name: SAID[n % len(SAID)][1] for name, n in number.items()}
    rate = sum(one.letter != truth[name] for name, one in readings.items()) / 240
    accuracy = sum((truth[name] == one.gold) for name, one in readings.items()) / 240
    assert found.misread == found.missed + found.false_guesses + found.wrong > 20
    assert found.ci95[0] <= rate <= found.ci95[1]
    assert abs(found.rate - rate) < 0.08
    told = found.accuracy
    assert abs(told.corrected - accuracy) < abs(told.as_read - accuracy)
    assert told.ci95[0] <= accuracy <= told.ci95[1]


def test_all_marked_is_known_without_an_interval(tmp_path):
    audit = open_audit(a_run(tmp_path / "run", 24, policy="first-letter"), DrawWish(100))
    found = mark_all(audit)
    assert found.drawn == 24
    assert found.ci95 == (found.rate, found.rate)
    low, high = found.accuracy.ci95
    assert low < found.accuracy.corrected < high  # other items are still another draw


def test_unsure_marks_are_in_no_rate_and_widen_the_interval(tmp_path):
    sure = mark_all(open_audit(a_run(tmp_path / "a"), DrawWish(60)))
    audit = open_audit(a_run(tmp_path / "b"), DrawWish(60))
    found = mark_all(audit, change=lambda mark, n: UNSURE if n < 6 else mark)
    assert (found.unsure, found.misread, found.rate) == (6, 0, 0)
    assert found.ci95[1] > sure.ci95[1] + 0.05
    assert "0 of 54 misread" in found.sentences[0]
    assert "6 unsure" in found.sentences[0]
    assert found.accuracy.ci95[0] < sure.accuracy.ci95[0]
    nothing = mark_all(open_audit(a_run(tmp_path / "c"), DrawWish(9)), change=lambda *_: UNSURE)
    assert nothing.rate is None


def test_clusters_widen_accuracy_but_not_the_rate(tmp_path):
    alone = [record(n, "B" if n // 10 % 2 else "A") for n in range(200)]
    tracks = [
        record(n, "B" if n // 10 % 2 else "A", cluster=f"track {n // 10}") for n in range(200)
    ]
    for records in (alone, tracks):  # what hangs together is right or wrong together
        for n, one in enumerate(records):
            trial = msgspec.structs.replace(one.trial, target="A")
            verdict = msgspec.structs.replace(
                one.verdict, state="correct" if n // 10 % 2 == 0 else "wrong"
            )
            one.trial, one.verdict = trial, verdict
    found = []
    for name, records in (("alone", alone), ("tracks", tracks)):
        audit = open_audit(write_run(tmp_path / name, "m", records), DrawWish(100))
        audit.book.add(Mark(d.id, d.reply, audit.shown[d.id].texts[0]) for d in audit.draw.replies)
        found.append(result_of(audit.population, audit.book))
    assert found[0].ci95 == found[1].ci95
    widths = [f.accuracy.ci95[1] - f.accuracy.ci95[0] for f in found]
    assert widths[1] > 1.8 * widths[0]


def test_a_torn_line_is_cut_off_and_a_damaged_one_named(tmp_path, capsys):
    run = a_run(tmp_path / "run")
    audit = open_audit(run, DrawWish(10))
    drawn = audit.draw.replies[0]
    audit.book.add([Mark(drawn.id, drawn.reply, "A")])
    with (run / AUDIT).open("ab") as file:
        file.write(b'{"kind":"mark","id":"clip/')
    book = Book(run)
    assert len(book.marks) == 1
    book.add([Mark(drawn.id, drawn.reply, "B")])
    assert Book(run).marked_by("person")[drawn.id].mark == "B"  # the later one counts
    assert len((run / AUDIT).read_text().splitlines()) == 3  # and the earlier one stays
    with (run / AUDIT).open("ab") as file:
        file.write(b'{"kind":"what"}\n')
    status, _, err = zhiyin(capsys, "audit", run, "--json")
    assert status == 2
    assert f"{run / AUDIT}:4" in err


def test_people_come_before_judges_and_are_kept_apart(tmp_path):
    audit = open_audit(a_run(tmp_path / "run"), DrawWish(30))
    mark_all(audit, "judge:openai:m")
    mark_all(audit, "ada", change=lambda mark, n: mark if n else ("A" if mark != "A" else "B"))
    found = result_of(audit.population, audit.book)
    assert (found.by, found.misread) == ("ada", 1)
    first = audit.draw.replies[0]
    audit.book.add([Mark(first.id, first.reply, "A", "ben")])
    assert audit.book.markers == ["ada", "judge:openai:m", "ben"]
    judge = result_of(audit.population, audit.book, "judge:openai:m")
    assert judge.misread == 0
    assert "audited by openai:m: " in judge.sentences[0]


def test_what_is_not_read_by_rule_is_left_out_and_said(tmp_path, capsys):
    _, heard = heard_trial()
    heard.verdict.policy = "solver@1, robust@2"
    run = write_run(tmp_path / "run", "m", [record(0, "A"), record(1, "B"), heard])
    population = read_population(run)
    assert (len(population.readings), population.others) == (2, 1)
    alone = write_run(tmp_path / "alone", "m", [heard])
    status, _, err = zhiyin(capsys, "audit", alone, "--json")
    assert (status, len(err.splitlines())) == (2, 1)
    assert "nothing to audit" in err


def test_no_page_is_served_where_nobody_sees_its_address(tmp_path, capsys):
    run = write_run(tmp_path / "run", "m", [record(0, "A"), record(1, "B")])
    status, _, err = zhiyin(capsys, "audit", run)
    assert (status, len(err.splitlines())) == (2, 1)
    assert "--sheet FILE" in err


def test_both_replies_are_shown_where_the_letter_was_asked_for(tmp_path):
    asked = record(0, "Both the piano and the drums are possible.", again="C")
    audit = open_audit(write_run(tmp_path / "run", "m", [asked, record(1, "B")]), DrawWish())
    assert audit.shown["clip/0"].texts == ("Both the piano and the drums are possible.", "C")
    assert audit.population.readings["clip/0"].stratum == "asked once more"


def test_a_run_that_has_grown_says_that_its_audit_is_stale(tmp_path):
    run = a_run(tmp_path / "run", 60)
    mark_all(open_audit(run, DrawWish(30)))
    with (run / "records.jsonl").open("ab") as log:
        log.write(msgspec.json.encode(record(60, "A")) + b"\n")
    (said,) = summarise(run).reading.audit.sentences
    assert "zhiyin audit" in said
    audit = open_audit(run, DrawWish())
    assert audit.draw.n == 30
    assert len(audit.book.marked_by("person")) > 20  # marks of replies drawn again are kept


def test_a_trial_that_stands_twice_in_the_log_is_one_reply(tmp_path):
    run = a_run(tmp_path / "run", 12)
    once = summarise(run).reading.readings
    with (run / "records.jsonl").open("ab") as log:
        log.write(msgspec.json.encode(record(1, "A")) + b"\n")
    assert summarise(run).reading.readings == once
    assert len(read_population(run).readings) == 12


def test_a_rescored_run_takes_the_audit_with_its_draw(tmp_path, capsys):
    """The marks say what the replies say: they serve any rule, with the weights of their draw."""
    run = a_run(tmp_path / "run", 240)
    before = mark_all(open_audit(run, DrawWish(120)))
    assert before.misread == 0
    other = a_run(tmp_path / "other", 240, policy="first-letter")
    status, out, err = zhiyin(capsys, "audit", other, "--marks", run / AUDIT, "--json")
    assert status == 0, err
    assert "120 marks and their draw" in err
    found = json.loads(out)
    assert found["draw"]["sizes"] == open_audit(run, DrawWish()).draw.sizes
    readings = read_population(other).readings
    truth = {n: SAID[int(n.split("/")[1]) % len(SAID)][1] for n in readings}
    rate = sum(one.letter != truth[name] for name, one in readings.items()) / 240
    assert found["result"]["ci95"][0] <= rate <= found["result"]["ci95"][1]


def test_a_sheet_is_filled_in_and_taken(tmp_path, capsys):
    run, sheet = a_run(tmp_path / "run"), tmp_path / "sheet.jsonl"
    status, _, err = zhiyin(capsys, "audit", run, "--n", 20, "--sheet", sheet)
    assert status == 0
    assert "20 replies" in err
    rows = [json.loads(line) for line in sheet.read_text("utf-8").splitlines()]
    population = read_population(run)
    for row in rows:  # nothing on the sheet tells what the reader made of it
        assert set(row) == {"mark", "options", "texts", "question", "id", "reply"}
        row["mark"] = mark_of(row["texts"][0])
    assert zhiyin(capsys, "audit", run, "--sheet", sheet)[0] == 2  # never written over
    rows[3]["mark"] = None
    rows.append({"id": "clip/0", "mark": "A", "reply": "another"})
    sheet.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    status, out, err = zhiyin(capsys, "audit", run, "--marks", sheet)
    assert "took 19 marks" in err
    assert "1 are of replies that are not drawn" in err
    assert "19 of 20 drawn are marked" in " ".join(out.split())
    assert len(population.readings) == 120


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"id": "%s", "mark": "E"}', "\"mark\" is 'E'"),
        ('{"id": "nobody", "mark": "A"}', "no mark in it"),
        ('{"id": ["nobody"], "mark": "A"}', "no mark in it"),
        ("[1]", "no object"),
        ("nonsense", "not JSON"),
        ("", "is empty"),
        ('{"kind": "mark", "id": 1}', "no draw and no mark"),
    ],
)
def test_bad_marks_are_named_by_file_and_line(tmp_path, capsys, row, said):
    run, file = a_run(tmp_path / "run"), tmp_path / "marks.jsonl"
    first = open_audit(run, DrawWish(10)).draw.replies[0].id
    file.write_text(row % first + "\n" if "%s" in row else row + "\n")
    status, _, err = zhiyin(capsys, "audit", run, "--marks", file)
    assert (status, len(err.splitlines())) == (2, 1)
    assert said in err
    assert str(file) in err


@pytest.mark.parametrize(
    "flags",
    [("--n", 0), ("--port", 99999), ("--judge", "openai:m", "--by", "ada"), ("--by", "judge:x")],
)
def test_bad_flags_are_one_line(tmp_path, capsys, flags):
    status, _, err = zhiyin(capsys, "audit", a_run(tmp_path / "run", 6), *flags)
    assert (status, len(err.splitlines())) == (2, 1)
    assert zhiyin(capsys, "audit", tmp_path / "none", "--json")[0] == 2


def test_show_and_report_say_what_was_audited(tmp_path, capsys):
    run = a_run(tmp_path / "run")
    _, out, _ = zhiyin(capsys, "show", run)
    assert "audited" not in out
    assert "answers read by robust@" in out
    counts = Counter(one.confidence for one in read_population(run).readings.values())
    for name in ("declared", "inferred", "by text alone"):
        assert f"{counts[name]} {name}" in out
    found = mark_all(open_audit(run, DrawWish(40)))
    _, out, _ = zhiyin(capsys, "show", run)
    said = found.sentences[0]
    assert "audited: 0 of 40 misread (0 to " in said
    assert said in out
    _, out, _ = zhiyin(capsys, "show", run, "--json")
    assert json.loads(out)["reading"]["audit"]["rate"] == 0
    from zhiyin.report.run_set import RunSet

    (shown,) = overview(RunSet([run])).runs
    assert said in texts(shown.remarks)
    assert "(audited: 0 of 40 misread" in methods_paragraph([run])


def test_marks_with_the_verdict_in_sight_are_told(tmp_path):
    found = mark_all(open_audit(a_run(tmp_path / "run"), DrawWish(10)), blind=False)
    assert found.in_sight == 10
    assert any("verdict visible: 10" in line for line in found.sentences)


def test_no_answer_is_a_mark_of_its_own(tmp_path):
    texts = dict(SAID)
    assert mark_of("Both the piano and the drums are possible.") == NONE
    audit = open_audit(a_run(tmp_path / "run", 30, lambda n: list(texts)[4]), DrawWish())
    found = mark_all(audit, change=lambda mark, n: "A" if n == 0 else mark)
    assert (found.missed, found.misread) == (1, 1)
    assert text_of(4) == list(texts)[4]
