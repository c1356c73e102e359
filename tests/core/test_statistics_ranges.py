"""What is refused, and what at the very edge of a range is not."""

import math

import pytest

from zhiyin.errors import InputError
from zhiyin.statistics import intervals, paired

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize("level", [0.0, 1.0, 1.5, -0.5, NAN])
def test_a_level_that_is_none_is_refused_by_every_interval(level):
    for method, rows in (
        ("wilson", [1, 0]),
        ("t", [1, 5]),
        ("bootstrap", [1, 5]),
        ("auto", [1, 0.5]),
    ):
        with pytest.raises(InputError, match="level"):
            intervals.interval(rows, level=level, method=method)
    with pytest.raises(InputError, match="level"):
        paired.paired_difference([1, 0], [0, 1], level=level)
