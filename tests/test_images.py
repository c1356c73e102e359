"""The pictures of the docs: there, small, and made of runs that can be made again."""

import importlib.util
import json
import re

import pytest

from conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
SHOWN = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def making():
    spec = importlib.util.spec_from_file_location("make", REPOSITORY / "docs/images/make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_picture_is_there_and_small(making):
    shown = {(page.parent / path).resolve() for page in PAGES
             for path in SHOWN.findall(page.read_text("utf-8"))}  # fmt: skip
    for path in shown:
        assert path.read_bytes().startswith(b"\x89PNG")
        most = 220_000 if path.name.startswith("sheet-") else making.MOST_BYTES
        assert path.stat().st_size < most, path
    made = {REPOSITORY / "docs" / "images" / name for name in making.PICTURES}
    assert not [path for path in made if not path.exists()]


def test_the_runs_of_the_pictures_can_be_made_again(making, tmp_path):
    """A short form, without a browser: all that the pictures show is made."""
    with making.inside(tmp_path):
        making.make_runs(4)
        told = making.zhiyin("show", "runs/listener", "--json")
        assert json.loads(told)["trials"] == 8
    assert (tmp_path / "report" / "index.html").exists()
    assert (tmp_path / "board" / "index.html").exists()
