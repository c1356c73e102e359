"""The run folder when something else writes, fills the disk or ends the process."""

from pathlib import Path

import pytest

from zhiyin import cli
from zhiyin.engine.folder import RECORDS

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["leaderboard", "-o", "{out}"],
        ["export", "--to", "csv", "-o", "{out}"],
        ["export", "--to", "inspect", "-o", "{out}"],
        ["stats", "bias"],
        ["stats", "health"],
        ["attention"],
    ],
)
@pytest.mark.parametrize("fault", [b"\xff\xfe", b"\xed\xa0\x80"])
def test_bytes_that_are_no_text_name_their_line(capsys, tmp_path, command, fault):
    run = tmp_path / "run"
    order = ["run", "ziqi", "--data", str(SMALL), "--partial", "-m", "first", "--quiet", "--out"]
    assert cli.main([*order, str(run)]) == 0
    path = run / RECORDS
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"id":"', b'"id":"' + fault, 1)
    path.write_bytes(b"".join(lines))
    capsys.readouterr()
    words = 2 if command[0] == "stats" else 1
    flags = [word.format(out=tmp_path / "out") for word in command[words:]]
    assert cli.main([*command[:words], str(run), *flags]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"{RECORDS}, line 2: not a record" in err
