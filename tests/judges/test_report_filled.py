"""The text of a report for people, filled by names."""

import pytest

from zhiyin.plugins.judges.report import fill_text


def test_a_text_for_people_is_filled_by_its_names_and_filters(tmp_path, monkeypatch):
    (tmp_path / "papers" / "templates").mkdir(parents=True)
    (tmp_path / "papers" / "__init__.py").touch()
    words = "{% if n %}\n  {{ n|twice }} < {{ who }}\n{% endif %}\n"
    (tmp_path / "papers" / "templates" / "a.txt").write_text(words, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    filters = {"twice": lambda n: 2 * n}
    assert fill_text("papers", "a.txt", filters, n=3, who="x<y") == "  6 < x<y\n"
    assert fill_text("papers", "a.txt", filters, n=0) == ""
    with pytest.raises(Exception, match="'who' is undefined"):
        fill_text("papers", "a.txt", filters, n=3)
