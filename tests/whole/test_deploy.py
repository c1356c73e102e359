"""Container, conda recipe, citation and paper say what the repository says; none is built here."""

import ast
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import zhiyin
from conftest import REPOSITORY
from zhiyin.contract.registry import find

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
CONDA_NAMES = {"soundfile": "pysoundfile"}
"""Where conda-forge has another name than the Python package index."""
PAPER = REPOSITORY / "deploy" / "paper"


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with what they say, continued lines joined, no comments."""
    text = (REPOSITORY / "deploy" / "Dockerfile").read_text("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    whole = lines.replace("\\\n", " ").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in whole) if word]


def said(word: str) -> list[str]:
    return [rest for name, rest in instructions() if name == word]


def test_the_base_is_an_argument_and_the_last_stage_runs_the_demo():
    assert instructions()[0] == ("ARG", "BASE=docker.io/library/python:3.12-slim")
    assert said("FROM") == ["${BASE} AS installed", "installed AS study", "installed AS zhiyin"]
    python = re.search(r":(3\.\d+)-", said("ARG")[0])
    assert python
    assert f"Programming Language :: Python :: {python[1]}" in PROJECT["classifiers"]
    study, last = (json.loads(command) for command in said("CMD"))
    assert last == ["make", "demo"]
    assert study[:3] == ["zhiyin", "study", "serve"]
    # Neither stage that is run runs as root.
    assert said("USER") == ["1000:1000"] * 2


@pytest.mark.slow
def test_the_flags_of_the_study_are_flags():
    words = json.loads(said("CMD")[0])
    shown = subprocess.run(
        [sys.executable, "-m", "zhiyin", *words[1:3], "--help"], capture_output=True, text=True
    ).stdout
    flags = [word for word in words if word.startswith("--")]
    assert len(flags) == 6
    assert [flag for flag in flags if flag not in shown] == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
def test_what_the_image_makes_the_makefile_knows():
    wanted = [
        name for run in said("RUN") for name in re.findall(r'(?:^|&& +)make "?([^\s"]+)', run)
    ]
    assert wanted == ["$VENV/.ready"]
    place = {"VENV": "/nowhere/zhiyin"}
    # `make test` hands its own variables down, which would win.
    around = {
        name: value for name, value in os.environ.items() if "MAKE" not in name and name != "MFLAGS"
    }
    for target in (wanted[0].replace("$VENV", place["VENV"]), "demo"):
        done = subprocess.run(
            ["make", "-n", target],
            cwd=REPOSITORY,
            env={**around, **place},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "-m venv /nowhere/zhiyin" in done.stdout  # the variable is heeded


def test_extras_that_are_named_are_extras():
    page = (REPOSITORY / "docs/how-to/container.md").read_text("utf-8")
    text = (REPOSITORY / "deploy/Dockerfile").read_text("utf-8")
    named = [*re.findall(r"'\.\[([\w,]+)\]'", text), *re.findall(r"EXTRAS=(\w[\w,]*)", text + page)]
    assert len(named) >= 3
    extras = {extra for group in named for extra in group.split(",")}
    assert extras <= set(PROJECT["optional-dependencies"])


def test_one_base_for_cuda_is_shown():
    page = (REPOSITORY / "docs/how-to/container.md").read_text("utf-8")
    text = (REPOSITORY / "deploy/Dockerfile").read_text("utf-8")
    bases = set(re.findall(r"BASE=(\S*cuda\S*)", text + page))
    assert len(bases) == 1
    assert re.fullmatch(r"docker\.io/nvidia/cuda:[\d.]+-base-ubuntu24\.04", bases.pop())


@pytest.mark.slow
def test_what_git_ignores_stays_out_of_the_image_and_no_source_does():
    lines = (REPOSITORY / ".dockerignore").read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    ignored = (REPOSITORY / ".gitignore").read_text("utf-8").split()
    assert {line.strip("/") for line in ignored} <= {line.removeprefix("**/") for line in patterns}
    anywhere = [line.removeprefix("**/") for line in patterns if line.startswith("**/")]
    # The others count from the root alone.
    from_the_root = tuple(f"{line}/" for line in patterns if not line.startswith("**/"))
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True)
    names = listed.stdout.splitlines()
    if not names:
        pytest.skip("this is no clone: what belongs to the source is not known")
    lost = [
        name
        for name in names
        if f"{name}/".startswith(from_the_root)
        or any(fnmatch.fnmatch(part, each) for part in name.split("/") for each in anywhere)
    ]
    assert not lost


def recipe():
    """The conda recipe."""
    return yaml.safe_load((REPOSITORY / "deploy/conda/recipe.yaml").read_text("utf-8"))


@pytest.mark.skipif(find_spec("rattler_build") is None, reason="py-rattler-build is not here")
def test_the_conda_recipe_is_rendered_by_the_builder():
    """In a process: it leaves the working directory."""
    program = (
        "import rattler_build as r\n"
        "made = r.Stage0Recipe.from_file('deploy/conda/recipe.yaml').render()\n"
        "print(len(made), made[0].recipe.package.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert done.stdout.split() == ["1", "zhiyin"], done.stderr


def spaced(requirement: str) -> str:
    """A requirement in conda's way: name under conda-forge, blank, versions."""
    name, versions = re.fullmatch(r"([\w.-]+)(.*)", requirement).groups()
    return f"{CONDA_NAMES.get(name, name)} {versions}".strip()


def test_the_conda_recipe_needs_what_the_project_needs():
    told = recipe()
    python = f"python {PROJECT['requires-python']}"
    needed = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["build-system"]
    assert told["requirements"]["run"] == [python, *map(spaced, PROJECT["dependencies"])]
    assert told["requirements"]["host"] == [python, "pip", *map(spaced, needed["requires"])]


def test_the_conda_recipe_is_of_this_version():
    told = recipe()
    assert told["package"] == {"name": PROJECT["name"], "version": zhiyin.__version__}
    scripts = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert told["build"]["python"]["entry_points"] == scripts
    assert told["about"]["license"] == PROJECT["license"]
    assert told["about"]["summary"] == PROJECT["description"]
    source = REPOSITORY / "deploy/conda" / told["source"]["path"]
    assert (source / told["about"]["license_file"]).is_file()
    assert source.resolve() == REPOSITORY.resolve()


def paper() -> tuple[dict, str]:
    """The head and the text of the paper."""
    _, head, text = (PAPER / "paper.md").read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(head), text


def test_the_paper_has_the_head_and_the_sections_of_its_journal():
    head, text = paper()
    cited = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf-8"))
    assert head["title"] == cited["title"]
    assert [each["name"] for each in head["authors"]] == [each["name"] for each in cited["authors"]]
    numbers = {each["index"] for each in head["affiliations"]}
    assert {each["affiliation"] for each in head["authors"]} == numbers
    assert set(cited["keywords"]) < set(head["tags"])
    assert re.fullmatch(r"\d{1,2} [A-Z][a-z]+ \d{4}", head["date"])
    assert (PAPER / head["bibliography"]).is_file()
    sections = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert sections[:3] == ["Summary", "Statement of need", "State of the field"]
    assert sections[3:5] == ["Software design", "Research impact statement"]
    assert sections[-1] == "References"
    assert 750 <= len(text.split()) <= 1750


def test_every_source_of_the_paper_is_cited_and_every_citation_has_a_source():
    head, text = paper()
    entries = (PAPER / head["bibliography"]).read_text("utf-8")
    keys = re.findall(r"^@\w+\{([^,]+),$", entries, re.MULTILINE)
    assert len(keys) == len(set(keys)) > 10
    assert set(re.findall(r"(?<!\w)@([\w-]+)", text)) == set(keys)
    for entry in re.split(r"^(?=@)", entries, flags=re.MULTILINE)[1:]:
        fields = set(re.findall(r"^  (\w+)\s+= \{.+\},?$", entry, re.MULTILINE))
        assert {"title", "author", "year"} <= fields, entry
        assert fields & {"journal", "booktitle", "url", "doi"}, entry


def test_every_figure_of_the_paper_stands_in_the_documentation():
    """Numbers of two digits and more; years and dates are the head's and the sources'."""
    _, text = paper()
    places = ("trust.md", "reading.md", "listener.md", "how-to/readers.md", "how-to/elsewhere.md")
    told = " ".join((REPOSITORY / "docs" / place).read_text("utf-8") for place in places)
    prose = re.sub(r"\[@[^\]]*\]|@[\w-]+", "", text)
    figures = set(re.findall(r"(?<![\d,.])\d{2}[\d,]*(?!\d)", prose))
    figures = {figure.rstrip(",") for figure in figures}
    assert len(figures) > 8
    missing = {each for each in figures if not re.search(rf"(?<![\d,.]){each}(?![\d])", told)}
    assert not missing


# The register of inspect_evals


ENTRIES = sorted((REPOSITORY / "deploy" / "inspect_evals").glob("*/eval.yaml"))


def marked_task(place: Path) -> tuple[str, str]:
    """The function marked ``@task`` beside an entry, and the benchmark that it asks."""
    nodes = ast.parse((place.parent / "task.py").read_text("utf-8")).body
    (found,) = [node for node in nodes if getattr(node, "decorator_list", [])]
    assert [mark.id for mark in found.decorator_list] == ["task"]
    (benchmark,) = [each.args[0].value for each in ast.walk(found) if isinstance(each, ast.Call)]
    return found.name, benchmark


def folded(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).casefold()


@pytest.mark.parametrize("place", ENTRIES, ids=lambda place: place.parent.name)
def test_an_entry_of_the_register_is_of_a_task_and_its_paper(place):
    """Fields, names and lengths as in inspect_evals 0.28.0 (metadata.py, register_tooling)."""
    entry = yaml.safe_load(place.read_text("utf-8"))
    assert set(entry) == {
        "full_title", "common_title", "paper_title", "description", "tasks", "arxiv",
    }  # fmt: skip
    name = place.parent.name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    path = f"deploy/inspect_evals/{name}/task.py"
    assert entry["tasks"] == [{"name": name, "task_path": path}]
    function, benchmark = marked_task(place)
    assert function == name == benchmark.replace("-", "_")
    kind = find(benchmark)
    assert entry["arxiv"].removeprefix("https://arxiv.org/abs/") in kind.paper
    assert folded(entry["paper_title"]) in folded(kind.paper)
    assert len(entry["description"].split()) <= 80
    numbers = re.findall(r"\d[\d,]{2,}", entry["description"])
    assert all(number in f"{kind.summary} {kind.__doc__}" for number in numbers)


@pytest.mark.xdist_group("inspect")
def test_every_entry_is_a_task_of_inspect():
    inspect_tasks = pytest.importorskip("zhiyin.plugins.lab.inspect_tasks", exc_type=ImportError)
    named = {marked_task(place)[1] for place in ENTRIES}
    assert len(named) > 5
    assert named <= set(inspect_tasks.TASKS)
    assert "inspect-ai" in " ".join(PROJECT["optional-dependencies"]["inspect"])
