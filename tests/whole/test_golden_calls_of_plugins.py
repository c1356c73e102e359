"""Public functions of plug-ins held as those of the asking side are, see `test_golden_calls`."""

import pytest
from test_golden_calls import try_calls

from golden_help import Golden

CALLS = Golden("calls-of-plugins")


@pytest.mark.parametrize("some", CALLS.parts)
def test_calls_give_what_they_gave(some, tmp_path):
    try_calls(CALLS, some, tmp_path)
