"""A sentence about all is computed over all, and says of how many, or of whom."""

import pytest
from test_said_of_all import OF_ALL, facts_of


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_says_of_how_many_or_of_whom(language):
    for name, facts in OF_ALL.items():
        assert facts & facts_of(name, language), f"{name} ({language}) takes none of {facts}"
