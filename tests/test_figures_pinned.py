"""What every figure is today on small inputs: a change of any is seen, and has to be meant.

Whether a figure is right is said elsewhere: by hand, by brute force, by other programs. Here each
public function of the statistics, metrics and solvers meets ends, ties, gaps and bad input. Where
a change is meant, ``python tests/test_figures_pinned.py`` writes the figures of today.
"""

import json
import math
import warnings

import msgspec
import numpy as np
import pytest

import pinned_metrics
import pinned_solvers
import pinned_statistics
from conftest import REPOSITORY
from zhiyin.errors import InputError
from zhiyin.judges.heard import Heard
from zhiyin.words import Said

PINNED = REPOSITORY / "tests" / "golden" / "figures_pinned.json"
CALLS = pinned_statistics.CALLS | pinned_metrics.CALLS | pinned_solvers.CALLS
NEAR = {"mixed": 1e-3, "items": 1e-4}
"""Where a figure is the end of a search, machines differ in more than the last digits."""
NO_SIZE = 1e4
"""An error or a bound of log-odds beyond it belongs to an estimate that has no finite value: the
search ends where rounding stops it, elsewhere with each library of linear algebra."""
ENDLESS = "estimates have no finite value"
"""What a result says of such estimates. What is computed from them differs by a thousandth between
libraries (SciPy 1.17 and 1.18, for two)."""


def told(value):
    """A result as JSON can hold it."""
    if isinstance(value, Said):
        return str(value)
    if isinstance(value, Heard):  # by name, as files have it
        return told(msgspec.to_builtins(value))
    if isinstance(value, msgspec.Struct):
        return [told(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, np.ndarray) and not value.ndim:
        return told(value.item())
    if isinstance(value, float | np.floating):
        return float(f"{value:.8g}") if math.isfinite(value) else str(float(value))
    if isinstance(value, np.bool_ | np.integer):
        return value.item()
    if isinstance(value, dict):
        return {str(name): told(each) for name, each in value.items()}
    if isinstance(value, set | frozenset):
        return told(sorted(value))
    if isinstance(value, list | tuple | np.ndarray):
        return [told(each) for each in value]
    return value if isinstance(value, str | int | None) else str(value)


def called(function, given, named):
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return told(function(*given, **named))
    except InputError:
        return "refused"


def figures(name):
    """The results of all calls of a group, in their order."""
    return [called(*call) for call in CALLS[name]()]


def near(one, other, room):
    """Whether two results are one, but for the last digits of their figures."""
    if isinstance(one, float) and isinstance(other, float | int):
        if room >= NEAR["mixed"] and min(abs(one), abs(other)) > NO_SIZE:
            return (one > 0) == (other > 0)
        return math.isclose(one, other, rel_tol=room, abs_tol=room / 100)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other, [room] * len(one)))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[k], other[k], room) for k in one)
    return type(one) is type(other) and one == other


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_figures_are_those_of_the_last_time(name):
    known = json.loads(PINNED.read_text("utf-8"))[name]
    found = figures(name)
    assert len(found) == len(known)
    for number, (one, other) in enumerate(zip(found, known, strict=True)):
        room = 5e-3 if ENDLESS in json.dumps(other) else NEAR.get(name, 1e-7)
        if not near(one, other, room):
            pytest.fail(f"call {number} of {name} gives {str(one)[:400]}, and gave "
                        f"{str(other)[:400]}; if that is meant, python test_figures_pinned.py "
                        "pins it")  # fmt: skip


if __name__ == "__main__":
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(each) for each in figures(name)) + "\n]"
        for name in CALLS
    ]
    PINNED.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")
