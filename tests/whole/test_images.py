"""The pictures of the docs: there, small, and made of runs that can be made again."""

import importlib.util
import json
import re

import pytest

from conftest import REPOSITORY

PAGES = [*REPOSITORY.glob("README*.md"), *sorted((REPOSITORY / "docs").rglob("*.md"))]
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


def test_every_picture_has_what_makes_it(making):
    """A picture without a script grows old. Sheets are made by sheets.py, by their pages."""
    pages = (REPOSITORY / "docs/images/sheets.py").read_text("utf-8")
    for path in (REPOSITORY / "docs/images").glob("*.png"):
        page = path.stem.removeprefix("sheet-")
        if page == path.stem:
            assert path.name in making.PICTURES or path.name in making.DRAWN, path
        else:
            assert f'"{page}":' in pages, path


@pytest.mark.slow
def test_the_noisy_listener_hears_what_it_is_asked(making, tmp_path):
    """The third model of the audiogram answers in each of its dimensions, and not at random."""
    spec = importlib.util.spec_from_file_location("noisy", REPOSITORY / "docs/images/noisy.py")
    noisy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(noisy)
    with making.inside(tmp_path):
        making.zhiyin("run", "thresholds", "-m", f"python:{REPOSITORY}/docs/images/noisy.py:answer",
                      "--dimension", ",".join(noisy.HEARD), "--procedure", "constant", "--most", 12,
                      "--out", "ears", "--quiet")  # fmt: skip
        told = json.loads(making.zhiyin("show", "ears", "--json"))
    assert told["trials"] == 12 * len(noisy.HEARD)
    assert told["groups"]["all"]["accuracy"] > 0.7
    assert told["groups"]["all"]["ifr"] == 1


@pytest.mark.slow
def test_the_runs_of_the_pictures_can_be_made_again(making, tmp_path):
    """A short form, without a browser: all that the pictures show is made."""
    with making.inside(tmp_path):
        making.make_runs(4)
        told = making.zhiyin("show", "runs/listener", "--json")
        assert json.loads(told)["trials"] == 8
    assert (tmp_path / "report" / "index.html").exists()
    assert (tmp_path / "board" / "index.html").exists()
