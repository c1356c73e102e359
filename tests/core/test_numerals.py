"""Shares and p-values are written in one way."""

import re
from pathlib import Path

import pytest

from zhiyin.numerals import p_value, p_words

SOURCE = Path(__file__).parent.parent.parent / "src" / "zhiyin"


def test_a_p_value_is_never_nought():
    assert [p_value(p) for p in (0.00001, 0.0123, 1.0, None)] == [
        "<\xa00.001",
        "0.012",
        "1.00",
        "-",
    ]
    few = ["p\xa0<\xa00.001", "p\xa0=\xa00.012", "p\xa0=\xa00.34"]  # no line breaks within
    assert [p_words(p) for p in (1e-9, 0.0123, 0.34)] == few
    near = ["p\xa0=\xa00.049", "p\xa0<\xa00.05", "p\xa0=\xa00.050"]
    assert [p_words(p) for p in (0.0494, 0.0499, 0.05)] == near


@pytest.mark.slow
def test_each_is_defined_once():
    """No second formatter of p-values, Wilson interval, comparison or evasion."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        for name in re.findall(r"^ *def (\w+)", path.read_text("utf-8"), re.MULTILINE):
            found.setdefault(name, []).append(path.relative_to(SOURCE).as_posix())
    assert found["p_words"] == ["numerals.py"]
    assert sorted(found["p_value"]) == ["numerals.py", "statistics/intervals.py"]  # words, number
    assert found["wilson"] == ["statistics/intervals.py"]
    assert found["evasion_in"] == ["plugins/methods/evasion.py"]
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert path.name == "numerals.py" or "< 0.001" not in text
        assert path.name == "numerals.py" or "< .0" not in text, path


def test_prompts_have_one_template_language():
    """Prompts are filled by `zhiyin.prompts.Template`; `string.Template` is for web pages alone."""
    for path in SOURCE.rglob("*.py"):
        if "from string import Template" in path.read_text("utf-8"):
            assert {"report", "suite"} & {*path.parts}, path
