"""A sentence about all, none, each or both is computed over a set, and says over which."""

import json
import re
from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast, visitor

from findings_help import choice, student, write_run
from zhiyin.engine.folder import MANIFEST
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words.messages import words_in

WORDS = Path(__file__).parent.parent / "src" / "zhiyin" / "words" / "en"
FILES = (
    "boards", "compare", "dots", "extent", "findings", "gate", "hearing", "lead", "leaderboard",
    "plans", "report", "skills", "suite", "table", "warnings",
)  # fmt: skip
"""Where sentences stand whose truth depends on data."""
OF_ALL = re.compile(r"\b(all|none|no row|both|each|every|nothing|neither)\b", re.IGNORECASE)

SETS = {
    "board-claim": {"who", "behind"}, "board-runs": {"ranked", "items", "who"},
    "boards-not-ranked": {"paths"}, "boards-ranked-on": {"n"},
    "claim-better": {"who", "of"}, "compare-corrected": {"tests"},
    "compare-sentence": {"who", "other", "n"}, "compare-title": {"who", "finished", "items"},
    "extent-repeating": {"groups"}, "finding-better": {"better", "worse"},
    "finding-dead": {"who"}, "finding-empty": {"who"}, "finding-letter": {"who"},
    "finding-outside": {"who"}, "finding-published": {"who"}, "finding-ranking": {"runs"},
    "finding-same": {"first", "second", "items"}, "finding-wordings": {"who", "wordings"},
    "gate-gone": {"n"}, "gate-note": {"n"}, "gate-title": {"of"}, "hearing-cost": {"runs"},
    "lead-all": {"runs"}, "lead-apart": {"who", "other", "n"}, "lead-best-of-all": {"others"},
    "lead-by-itself": {"who"}, "lead-canary": {"who"}, "lead-dead": {"who"},
    "lead-empty": {"who"}, "lead-groups": {"groups", "runs"}, "lead-outside": {"who"},
    "lead-registered-many": {"n"}, "lead-right": {"runs"}, "lead-same": {"who", "other", "n"},
    "lead-score": {"runs"}, "lead-total": {"runs"}, "lines-repeated": {"n"},
    "measure-lacks": {"n", "of"}, "not-applying": {"n", "of"}, "one-answer-in": {"groups"},
    "plan-beside": {"each"}, "plan-confirmatory": {"each"}, "plan-outcome": {"name"},
    "same-replies": {"first", "second"}, "short-all": {"n"}, "skill-order": {"best", "others"},
    "suite-own-items": {"skills"}, "suite-tests": {"n"}, "table-common": {"title"},
    "table-unpublished": {"columns"}, "trials-listed": {"n", "of"}, "without-figure": {"n"},
    "canary-told": {"asked"},
}  # fmt: skip
"""The facts of a message that are the set it speaks of, or how large that is."""
OF_THEMSELVES = {
    # of the run, or the page, that they stand on
    "extent-none", "finding-instead", "finding-judged-nothing", "gate-failed", "gate-no-verdict",
    "gate-same", "gate-worse-too", "model-edited", "one-answer", "report-ended",
    "short-none-found", "suite-one-model", "table-one-letter",
    # of what is tested or drawn there: the key of a picture
    "dots-dashed", "dots-gaps", "judges-unknown",
    # rules, headings and explanations, which are true whatever the data
    "ask-letter", "board-about", "board-figures", "board-ranks-are", "boards-limit", "compare-key",
    "compare-people", "compare-same-letter", "extent-chosen", "groups-more", "methods-note",
    "plan-clock", "plan-corrected", "plan-how-fate", "report-differences-note",
    "report-letters-note", "suite-ahead", "table-rule",
}  # fmt: skip
"""Messages that need none."""


class Read(visitor.Visitor):
    """Whether a message speaks of all, and its facts, those of messages within it included."""

    def __init__(self, pattern):
        self.of_all, self.facts, self.within = False, set(), 0
        self.visit(pattern)

    def visit_TextElement(self, node):
        self.of_all |= not self.within and OF_ALL.search(node.value) is not None

    def visit_VariableReference(self, node):
        self.facts.add(node.id.name)

    def visit_MessageReference(self, node):
        self.within += 1
        self.visit(words_in("en").pattern(node.id.name))
        self.within -= 1


def messages_of_all():
    for file in FILES:
        for entry in FluentParser().parse((WORDS / f"{file}.ftl").read_text("utf-8")).body:
            if isinstance(entry, ast.Message) and Read(entry.value).of_all:
                yield entry.id.name


def test_every_sentence_about_all_has_its_set_listed():
    found = set(messages_of_all())
    assert found - SETS.keys() - OF_THEMSELVES == set(), "say of which set each of these speaks"
    assert (SETS.keys() | OF_THEMSELVES) - found == set(), "these are there no more"
    assert not SETS.keys() & OF_THEMSELVES


@pytest.mark.parametrize("name", sorted(SETS))
def test_its_set_is_one_of_its_facts(name):
    assert SETS[name] <= Read(words_in("en").pattern(name)).facts


def test_who_is_better_than_chance_is_named(tmp_path):
    """Beside a run that is not finished, and one that stands there for scale, "all" is too many."""
    trials = [choice(f"q{i}", gold="ABCD"[i % 4]) for i in range(80)]

    def run(name, gift, n=80):
        records = map(student(name, gift), trials[:n])
        folder = write_run(tmp_path / name, "toy", name, records)
        made = json.loads((folder / MANIFEST).read_text()) | {"planned": 80}
        (folder / MANIFEST).write_text(json.dumps(made))
        return folder

    runs = [run("good", 0.8), run("fair", 0.7), run("part", 0.0, 60), run("random", 0.0)]
    (board,) = overview(RunSet(runs)).benchmarks
    first, more = board.told
    told = " ".join(map(str, (first, *more)))
    assert re.search(r"\b(good and fair|fair and good) are better than chance", told)
    assert not re.search(r"\b(all|both) are better than chance", told)
