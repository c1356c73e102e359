"""What `judge` prints: shares in percent, marks out of the most there are."""

import re

import pytest

from judge_help import CLAIMING, REVIEW, make_run
from zhiyin.cli import main


@pytest.mark.slow
def test_shares_are_percents_and_marks_are_out_of_their_most(tmp_path, capsys):
    run = make_run(tmp_path / "run", [REVIEW, CLAIMING])
    assert main(["judge", str(run), "-m", "lexical", "--quiet", "--groups", "all"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"^   Accuracy: 0\.5000 \(50\.00%\)\n   \(\d+\.\d–\d+\.\d\) n = 2", told, re.M)
    assert re.search(r"^   Score: \d+\.\d\d/16\.00$", told, re.M)
    assert re.search(r"^   Music Relevance: \d\.\d\d$", told, re.M)
    songs = re.findall(r"^   song-\d: (.*)$", told, re.M)
    for song in songs:
        assert re.fullmatch(
            r"completeness [\d.]+/16, precision (-|[\d.]+%), novelty [\d.]+/10; total [\d.]+%", song
        )
    assert len(songs) == 2
    told = " ".join(told.split())
    assert re.search(r"precision: rank correlation [01]\.\d+, off by [\d.]+ points", told)
