"""A pilot grows into the whole: first trials, random samples, and all."""

from collections import Counter

from zhiyin.contract.registry import open_benchmark
from zhiyin.session.selection import Selection
from ziqi_layout import write_ziqi


def test_a_sample_of_the_published_size_is_in_proportion(tmp_path):
    benchmark = open_benchmark("ziqi", {"data": str(write_ziqi(tmp_path / "z", 60)), "seed": 3})
    sample = list(Selection(benchmark, sample=120, seed=3))
    assert len(sample) == 120
    groups = Counter(trial.groups for trial in benchmark.trials())
    found = Counter(trial.groups for trial in sample)
    for name, count in groups.items():
        assert abs(found[name] - 120 * count / len(benchmark)) <= 1
