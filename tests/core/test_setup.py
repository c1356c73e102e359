"""What `make test` sets up is here: where it is not, tests skip, and CI must not pass so."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from browser import find_chromium

PACKAGES = (
    "anthropic",
    "formulaic",
    "inspect_ai",
    "ipykernel",
    "jsonschema",
    "litellm",
    "matplotlib",
    "mir_eval",
    "mistralai",
    "openpyxl",
    "pandas",
    "polars",
    "pyarrow",
    "python_calamine",
    "rapidfuzz",
    "statsmodels",
    "tinysoundfont",
    "verovio",
    "yaml",
)
WITHOUT_TORCH = Path(sys.prefix, ".without-torch")
"""Left by the Makefile where no plain build of torch can be installed."""

pytestmark = pytest.mark.skipif(os.environ.get("CI") != "true", reason="only where CI=true")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_here(package):
    assert find_spec(package) is not None


@pytest.mark.parametrize(
    "package", ["accelerate", "mistral_common", "soxr", "torch", "transformers"]
)
def test_what_local_models_need_is_here(package):
    if WITHOUT_TORCH.is_file():
        pytest.skip("no plain build of torch can be installed here")
    assert find_spec(package) is not None


def test_a_browser_is_here():
    assert find_chromium() is not None
