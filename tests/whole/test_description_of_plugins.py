"""What a benchmark says of itself in a file of TOML, and how a slip in it is told."""

import pytest

from zhiyin.contract.registry import find

DESCRIBED = ["mmau", "mmar", "muchomusic", "rul", "cmi", "muse", "mmau-pro", "msu-bench"]


@pytest.mark.parametrize("name", [*DESCRIBED, "mmar-rubrics"])
def test_ours_say_where_their_data_are_from(name):
    kind = find(name)
    assert kind.described.paper == kind.paper != ""
    assert all(source.home for source in kind.sources())
