"""What adds an extra to the installation at hand; Zhiyin by uv."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from zhiyin import errors
from zhiyin.errors import adding, missing_package


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Has Zhiyin look as if it had been installed in some way, by some program."""

    def look(direct_url, *marks, pip=True, metadata=True):
        place = tmp_path / "site" / "zhiyin-1.dist-info"
        shutil.rmtree(place.parent, ignore_errors=True)
        place.mkdir(parents=True)
        needs = ["numpy>=2", "sqlalchemy>=2 ; extra == 'study'", 'x[y]<3; extra == "study"',
                 "ray ; python_version > '3' and extra == 'ray'"]  # fmt: skip
        lines = ["Metadata-Version: 2.1", "Name: zhiyin", "Version: 1"]
        text = "\n".join([*lines, *(f"Requires-Dist: {need}" for need in needs)])
        if metadata:
            (place / "METADATA").write_text(text)
        if direct_url is not None:
            told = direct_url if isinstance(direct_url, str) else json.dumps(direct_url)
            (place / "direct_url.json").write_text(told)
        here = tmp_path / "here"
        shutil.rmtree(here, ignore_errors=True)
        (here / "bin").mkdir(parents=True)
        for name, contents in marks:
            (here / name).write_text(contents)
        monkeypatch.setattr(sys, "path", [str(place.parent), *sys.path])
        monkeypatch.setattr(sys, "prefix", str(here))
        monkeypatch.setattr(sys, "executable", str(here / "bin" / "python"))
        found = str(here / "bin" / "pip") if pip else None
        monkeypatch.setattr(errors.shutil, "which", lambda name: found)
        return adding("study")

    return look


def test_an_extra_is_added_from_where_zhiyin_came(installed, tmp_path):
    source = tmp_path / "a folder"
    source.mkdir()
    wheel = tmp_path / "zhiyin-1-py3-none-any.whl"
    wheel.write_text("")
    folder = {"url": source.as_uri(), "dir_info": {}}
    assert shlex.split(installed(folder)) == ["pip", "install", f"{source}[study]"]
    edited = {"url": source.as_uri(), "dir_info": {"editable": True}}
    assert shlex.split(installed(edited)) == ["pip", "install", "-e", f"{source}[study]"]
    packed = {"url": wheel.as_uri(), "archive_info": {}}
    assert shlex.split(installed(packed)) == ["pip", "install", f"{wheel}[study]"]
    git = {"url": "https://host/z.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    wanted = "zhiyin[study] @ git+https://host/z.git@abc"
    assert shlex.split(installed(git)) == ["pip", "install", wanted]
    within = {**git, "subdirectory": "py"}
    assert shlex.split(installed(within))[-1] == f"{wanted}#subdirectory=py"
    archive = {"url": "https://host/zhiyin.whl", "archive_info": {}}
    assert shlex.split(installed(archive))[-1] == "zhiyin[study] @ https://host/zhiyin.whl"


@pytest.mark.parametrize(
    "told",
    [None, "", "[", "[" * 5000, "[]", "{}", '{"url": 3}', '{"url": "file:///gone/away"}',
     '{"url": "https://h/z.git", "vcs_info": {}}', '{"url": "file:///", "dir_info": 3}'],
)  # fmt: skip
def test_where_that_is_gone_or_not_known_the_packages_of_the_extra_are_named(installed, told):
    assert shlex.split(installed(told)) == ["pip", "install", "sqlalchemy>=2", "x[y]<3"]


def test_who_installed_it_installs_the_extra(installed, tmp_path):
    source = {"url": tmp_path.as_uri(), "dir_info": {}}
    place = str(tmp_path / "here" / "bin" / "python")
    named = f"{tmp_path}[study]"
    tool = installed(source, ("uv-receipt.toml", ""), pip=False)
    assert shlex.split(tool) == ["uv", "tool", "install", named]
    venv = installed(source, ("pyvenv.cfg", "home = /\nuv = 0.9\n"), pip=False)
    assert shlex.split(venv) == ["uv", "pip", "install", "--python", place, named]
    assert shlex.split(installed(source, pip=False)) == [place, "-m", "pip", "install", named]
    pipx = installed(source, ("pipx_metadata.json", "{}"), pip=False)
    assert shlex.split(pipx) == ["pipx", "inject", "zhiyin", "sqlalchemy>=2", "x[y]<3"]


def test_a_package_that_is_missing_is_told_in_a_line():
    line = str(missing_package("sqlalchemy", "study"))
    assert line == f"sqlalchemy is not installed: {adding('study')}"
    assert "study]" in line or "sqlalchemy" in adding("study")


def run(words, **environment):
    done = subprocess.run(
        words, env=os.environ | environment, capture_output=True, text=True, timeout=600
    )
    if done.returncode and re.search(r"network|fetch|resolv|connect|download", done.stderr, re.I):
        pytest.skip(f"nothing can be fetched here: {done.stderr.strip().splitlines()[-1][:100]}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def uv():
    found = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip("uv is not installed")
    return found


@pytest.fixture
def source(tmp_path):
    """The folder of Zhiyin's source, as it would be cloned."""
    place = tmp_path / "zhiyin"
    shutil.copytree(REPOSITORY / "src", place / "src", ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, place)
    return place


@pytest.mark.trust
def test_an_empty_environment_of_inspect_takes_zhiyin_as_the_page_says(uv, source, tmp_path):
    page = (REPOSITORY / "docs/how-to/elsewhere.md").read_text("utf-8")
    line = re.search(r"^pip install ('\.\[inspect\]')", page, re.M)
    run([uv, "venv", "--python", sys.executable, str(tmp_path / "venv")])
    python = tmp_path / "venv" / "bin" / "python"
    named = shlex.split(line[1])[0].replace(".", str(source), 1)
    run([uv, "pip", "install", "--python", str(python), named])
    ask = "import zhiyin.plugins.lab.inspect_tasks as tasks; print(tasks.__name__)"
    assert run([python, "-c", ask]).strip() == "zhiyin.plugins.lab.inspect_tasks"
    said = run([python, "-c", "from zhiyin.errors import adding; print(adding('ray'))"])
    assert shlex.split(said)[-1] == f"{source}[ray]"


@pytest.mark.trust
def test_uv_works_as_pip_does(uv, source, tmp_path):
    """As a tool, without being installed, and the extra by the very line that a message says."""
    tools = {"UV_TOOL_DIR": f"{tmp_path}/tools", "UV_TOOL_BIN_DIR": f"{tmp_path}/bin"}
    tools["UV_PYTHON"] = sys.executable
    run([uv, "tool", "install", str(source)], **tools)
    program = tmp_path / "bin" / "zhiyin"
    assert run([program, "--version"]).startswith("zhiyin ")
    python = tmp_path / "tools" / "zhiyin" / "bin" / "python"
    ask = "from zhiyin.errors import adding; print(adding('otel'))"
    line = run([python, "-c", ask]).strip()
    assert shlex.split(line) == ["uv", "tool", "install", f"{source}[otel]"]
    run([uv, *shlex.split(line)[1:]], **tools)
    run([python, "-c", "import opentelemetry.sdk"])
    told = run([uv, "tool", "run", "--from", str(source), "zhiyin", "--version"], **tools)
    assert told.startswith("zhiyin ")
