"""Student's t and the binomial are those of SciPy, which is not loaded for them."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import special, stats

from zhiyin.statistics.distributions import (
    binomial_below,
    binomial_each,
    binomial_likely,
    t_above,
    t_value,
)

DEGREES = (0.7, 1, 1.5, 2, 3, 4.4, 7, 10, 19, 25.3, 39, 41, 60, 100, 335, 1180, 14333, 1e6)


@pytest.mark.parametrize("df", DEGREES)
def test_the_t_distribution(df):
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        assert t_value((1 - level) / 2, df) == pytest.approx(
            special.stdtrit(df, 0.5 + level / 2), rel=1e-10
        )
    for t in (0.0, 0.01, 0.5, 1, 2, 5, 20, 60):
        assert t_above(t, df) == pytest.approx(special.stdtr(df, -t), rel=1e-10, abs=1e-280)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 73, 300, 5000, 14334])
@pytest.mark.parametrize("p", [0.5, 0.25, 0.2, 0.01, 0.99])
def test_the_binomial_distribution(n, p):
    for k in {-1, 0, 1, n // 3, n // 2, int(n * p), int(n * p * 0.9), n - 1, n}:
        wanted = stats.binom.cdf(k, n, p)
        assert binomial_below(k, n, p) == pytest.approx(wanted, rel=1e-11, abs=1e-290)


def test_edges_of_the_binomial():
    assert binomial_below(3, 5, 0.0) == binomial_below(5, 5, 1.0) == 1.0
    assert binomial_below(3, 5, 1.0) == 0.0
    assert binomial_each([1, 2, 0], [2, 2, 3], 0.0).tolist() == [1, 1, 1]
    assert binomial_each([1, 2, 0], [2, 2, 3], 1.0).tolist() == [0, 1, 0]
    assert binomial_likely([0, 1, 2], 2, 1.0).tolist() == [0, 0, 1]


@pytest.mark.slow
def test_many_at_once():
    numbers, pairs = np.arange(60), np.arange(129)
    for n, p in ((73, 0.3), (14334, 0.001), (300, 0.1)):
        wanted = stats.binom.pmf(numbers, n, p)
        assert binomial_likely(numbers, n, p) == pytest.approx(wanted, rel=1e-10, abs=1e-15)
    for p in (0.5, 0.1):
        wanted = stats.binom.cdf(pairs // 3, pairs, p)
        assert binomial_each(pairs // 3, pairs, p) == pytest.approx(wanted, rel=1e-11)


@pytest.mark.slow
def test_comparing_needs_no_scipy():
    code = (
        "import sys\n"
        "from zhiyin.statistics.paired import mcnemar_exact, paired_difference\n"
        "from zhiyin.statistics.planning import mcnemar_detectable\n"
        "paired_difference([1, 0, 1, 1], [0, 0, 1, 0]); mcnemar_exact(9, 3)\n"
        "mcnemar_detectable(50, 0.2)\n"
        "sys.exit('scipy' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
