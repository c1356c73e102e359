"""What models can take: declared, checked before the first trial, written into the manifest."""

from __future__ import annotations

import pytest

from zhiyin import Capabilities
from zhiyin.models import open_model
from zhiyin.models.capabilities import (
    capabilities_of,
)


@pytest.mark.parametrize("spec", ["random", "first", "listener", "lexical", "http://h/v1#m"])
def test_every_model_of_ours_declares(spec) -> None:
    assert capabilities_of(open_model(spec)) != Capabilities()
