"""Public functions of plug-ins held as those of the asking side are, see `test_golden_calls`."""

import pytest
import test_golden_calls as asking

from golden_help import Golden

CALLS = Golden("calls-of-plugins")


@pytest.mark.parametrize("case", CALLS.cases)
def test_a_call_gives_what_it_gave(case, tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "CALLS", CALLS)
    asking.test_a_call_gives_what_it_gave(case, tmp_path, monkeypatch)
