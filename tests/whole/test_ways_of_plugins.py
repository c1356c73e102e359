"""Ways of asking: declared by a benchmark, kept by its runs, and read by no name of a tag."""

from zhiyin.contract.registry import declared as declaration_of
from zhiyin.contract.registry import find
from zhiyin.engine.log import Manifest
from zhiyin.runs.ways import ways_of


def test_benchmarks_keep_their_ways_with_the_run():
    kept = declaration_of(find("muchomusic"))
    manifest = Manifest("muchomusic", "random", {}, {}, 0, declared=kept)
    assert ways_of(manifest) == find("muchomusic").ways
    assert "ways" not in declaration_of(find("questions"))
