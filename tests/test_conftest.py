"""What all tests share: groups, samples, and the time that a fast test may take."""

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_is_known_to_those_who_share_out_the_tests(request):
    """pytest-xdist writes it into the name; with pytest 9.2 it silently did not."""
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@groups") == grouped
