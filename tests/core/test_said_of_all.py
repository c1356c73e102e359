"""A sentence about all is computed over all, and says of how many, or of whom."""

import re

from fluent.syntax import ast

from findings_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.words import said, say
from zhiyin.words.messages import words_in

OF_ALL = {
    "audit-unsure": {"marked"}, "board-claim": {"behind", "others"},
    "board-top": {"level", "few"}, "board-ways": {"ways"},
    "board-runs": {"runs", "items"}, "boards-ranked-on": {"n"},
    "claim-better": {"of"}, "compare-sentence": {"n"},
    "compare-title": {"items", "runs"}, "dots-dashed": {"n"}, "dots-gaps": {"n"},
    "dose-note": {"n"}, "finding-better": {"items"}, "finding-dead": {"who"},
    "finding-empty": {"who"}, "finding-outside": {"who"}, "finding-same": {"items"},
    "finding-wordings": {"items"}, "gate-title": {"of"}, "gate-note": {"n"}, "lead-all": {"runs"},
    "lead-apart": {"who", "other"}, "lead-canary": {"who"}, "lead-dead": {"who"},
    "lead-empty": {"who"}, "lead-groups": {"runs"}, "lead-none-better": {"runs"},
    "lead-not-compared": {"runs"}, "lead-outside": {"who"}, "lead-same": {"who", "other"},
    "lead-ungraded": {"who"}, "letters-none": {"names"}, "not-applying": {"n", "of"},
    "one-answer-in": {"groups"}, "one-log-same": {"n"}, "pairs-options": {"share"},
    "same-replies": {"first", "second"}, "scores-same": {"n"}, "short-all": {"n"},
    "skill-order": {"others", "best"}, "suite-finding": {"names"}, "suite-tests": {"n"},
    "table-common": {"title"}, "table-unpublished": {"columns"}, "without-figure": {"n"},
}  # fmt: skip
"""Messages that speak of all, of none, of both or of each of what runs hold, and the facts that say
of what: how many, or their names."""
OF_ONE = {
    "card-no-sound", "card-not-deaf", "card-none", "dose-lost", "dose-nothing", "errata-unheard",
    "finding-letter", "one-answer", "table-one-letter", "thresholds-one-answer", "bodies-none",
    "ziqi-own-set", "cli-nothing-asked", "gate-gone", "gate-same",
    "rul-not-four", "report-ended", "attention-not-run", "cli-alpha-unknown", "measure-lacks",
    "error-no-model-named",
}  # fmt: skip
"""Those that speak of one run, one column or one file, which stands before them."""
_ALL = re.compile(
    r"no significant difference|no (row|figure|model|run) is|nobody is shown|none is (shown|sig)",
    re.IGNORECASE,
)


def facts_of(name, language):
    """The facts that a message takes, in itself and in the messages within it."""
    found, waiting, seen = set(), [name], set()
    while waiting:
        own = waiting.pop()
        if own in seen:
            continue
        seen.add(own)
        stack = [words_in(language).pattern(own)]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.VariableReference):
                found.add(node.id.name)
            elif isinstance(node, ast.MessageReference):
                waiting.append(node.id.name)
            elif isinstance(node, ast.BaseNode):
                stack += [v for v in vars(node).values() if isinstance(v, ast.BaseNode | list)]
            elif isinstance(node, list):
                stack += node
    return found


def texts(node):
    if isinstance(node, ast.TextElement):
        yield node.value
    for value in vars(node).values() if isinstance(node, ast.BaseNode) else ():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.BaseNode):
                yield from texts(each)


def test_no_other_sentence_says_that_none_differs_or_lies_above():
    """A new one is listed above with the fact that says of what it speaks."""
    known = {*OF_ALL, *OF_ONE}
    found = {
        name
        for name in words_in("en").names
        if any(_ALL.search(text) for text in texts(words_in("en").pattern(name)))
    }
    rules = {name for name in found if not facts_of(name, "en")}  # what always holds, a legend
    assert found - known - rules <= NOTED, sorted(found - known - rules - NOTED)


NOTED = {
    "questions-examples", "suite-no-cell",
    "cli-contamination", "thresholds-audiogram-caption",
    "compare-key", "compare-key-short", "finding-apart", "finding-condition",
    "finding-judged-apart",
    "finding-listening", "finding-open-groups", "finding-reading", "report-no-difference",
    "study-setting",
}  # fmt: skip
"""Those that name both sides of the one difference, or the one figure, that they speak of."""


def test_none_is_said_of_the_number_that_was_tested():
    told = say(said("dots-gaps", bold=False, n=6, first=None, second=None))
    assert "none of the 6 is shown" in told
    assert "none of the 8 figures" in say(said("dots-dashed", bold=False, tasks=False, n=8))
    assert say(said("lead-none-better", runs=4)).endswith("between any of the 4")


def test_compare_says_of_all_only_what_all_answered(tmp_path, capsys):
    """Three runs of which each two share items, and all three none."""
    trials = {n: choice(f"q/{n}", gold="ABCD"[n % 4]) for n in range(36)}
    parts = {"a": range(24), "b": range(12, 36), "c": [*range(12), *range(24, 36)]}
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(trials[n], "A") for n in part])
        for name, part in parts.items()
    ]
    found = compare(runs)
    assert not found.ranking
    assert found.sentences() == []
    assert [pair.groups[0].items for pair in found.pairs] == [12, 12, 12]
    assert main(["compare", *map(str, runs)]) == 0
    told = capsys.readouterr().out
    assert "no item was answered by all 3" in told
    assert "that every model" not in told
