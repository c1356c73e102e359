"""CSV files of questions: rows, the lines on which they begin, and faults."""

import csv
import hashlib
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zhiyin.contract.question_table import Fault
from zhiyin.contract.tables import read_rows, refuse
from zhiyin.errors import InputError

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff"), max_size=8)
TABLES = st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=6)


def rows_of(path: Path, raw: bytes) -> list[tuple[int, list[str]]]:
    path.write_bytes(raw)
    sha256, rows = read_rows(path)
    assert sha256 == hashlib.sha256(raw).hexdigest()
    return list(rows)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TABLES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_rows_are_read_as_written_and_numbered_by_line(tmp_path, table, end, marked) -> None:
    written, expected = io.StringIO(newline=""), []
    writer = csv.writer(written, lineterminator=end)
    for row in table:
        expected.append((written.getvalue().count("\n") + 1, row))
        writer.writerow(row)
    raw = written.getvalue().encode("utf-8-sig" if marked else "utf-8")
    assert rows_of(tmp_path / "a.csv", raw) == expected


def test_empty_lines_are_passed_over_but_counted(tmp_path: Path) -> None:
    assert rows_of(tmp_path / "a.csv", b"a,b\n\n\n1,2\n") == [(1, ["a", "b"]), (4, ["1", "2"])]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'a,b\n1,2\n3,"4\n', ":3: not CSV from here on"),
        (b'a,b\n"1"2,3\n', ":2: not CSV from here on"),
        ("a,b\n调,2\n".encode("gbk"), ":2: not UTF-8: save it as UTF-8"),
        (None, ": No such file or directory"),
    ],
)
def test_what_is_no_csv_is_refused_with_its_line(tmp_path: Path, raw, said) -> None:
    path = tmp_path / "a.csv"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        list(read_rows(path)[1])
    assert str(caught.value).startswith(f"{path}{said}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("item", "said"), [("7", "a.csv:3: item 7: bad: mend"), ("", "a.csv:3: bad: mend")]
)
def test_a_fault_is_said_in_one_line(item: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        refuse(Fault("kind", Path("a.csv"), 3, item, "bad", "mend"))
    assert str(caught.value) == said
