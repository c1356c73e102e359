"""Every case of the golden file, under the policy that it names."""

import json
import string
from pathlib import Path

import pytest

from zhiyin.contract.policies import open_policy, policies
from zhiyin.trial import Option

GOLDEN = Path(__file__).parent / "golden" / "answers.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def shown(options):
    texts = [""] * options if isinstance(options, int) else options
    return [Option(a, text, a) for a, text in zip(string.ascii_uppercase, texts, strict=False)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden(case):
    found = open_policy(case["policy"]).extract(case["text"], shown(case["options"]))
    assert found.letter == case["answer"], f"{case['text']!r}: {found.why}"
    assert found.why
    assert "\n" not in found.why


def test_the_golden_file_is_large_and_covers_every_policy():
    assert len(CASES) >= 200
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["policy"] for case in CASES} == set(policies())
