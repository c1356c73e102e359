"""What is shipped is whole: pages, reference, workflow, citation, extras, first commands."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import warm
import zhiyin
from conftest import REPOSITORY
from zhiyin import contract

sys.path.insert(0, str(REPOSITORY / "scripts"))

import dependencies
import release_check

DOCS = REPOSITORY / "docs"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
INTERNAL = {"dev", "docs", "release"}


def pages():
    return {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}


def in_tables(page: str = "index", folder: str = "") -> set[str]:
    """The pages that the tables of contents lead to, from one page on."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    found = set()
    for table in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in table.splitlines():
            name = f"{folder}{line.strip()}"
            if not line.strip() or line.startswith(":"):
                continue
            paths = DOCS.glob(f"{name}.md")
            found |= {path.relative_to(DOCS).with_suffix("").as_posix() for path in paths}
    return found


@pytest.mark.slow
def test_every_file_beside_the_code_is_installed():
    package = REPOSITORY / "src" / "zhiyin"
    whole = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    patterns = whole["tool"]["setuptools"]["package-data"]["zhiyin"]
    taken = {path for pattern in patterns for path in package.glob(pattern)}
    files = {path for path in package.rglob("*") if path.is_file()}
    code = {path for path in files if path.suffix in (".py", ".pyc")}
    assert sorted(files - code - taken) == []


def test_every_page_is_in_the_table_of_contents():
    assert pages() == {"index"} | in_tables() | in_tables("tutorials/README", "tutorials/")


def test_the_reference_names_everything_that_is_public():
    text = (DOCS / "api.md").read_text("utf-8")
    named = {line.split(".")[-1] for line in re.findall(r"^\.\. auto\w+:: (\S+)", text, re.M)}
    wanted = {*zhiyin.__all__, *contract.__all__} - {"__version__", "stats"}
    assert wanted <= named
    assert set(zhiyin.stats.__all__) <= named


def test_the_workflow_runs_what_make_test_runs_on_every_python():
    path = REPOSITORY / ".github" / "workflows" / "test.yml"
    job = yaml.safe_load(path.read_text("utf-8"))["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == PYTHONS
    assert "make test" in [step.get("run") for step in job["steps"]]
    told = [line.split(" :: ")[-1] for line in PROJECT["classifiers"] if ":: 3." in line]
    assert told == PYTHONS


def test_a_release_is_published_by_who_owns_the_name_and_without_a_password():
    path = REPOSITORY / ".github" / "workflows" / "publish.yml"
    text = path.read_text("utf-8")
    told = yaml.safe_load(text)
    assert told[True] == {"release": {"types": ["published"]}}  # YAML reads "on" so
    assert told["permissions"] == {"contents": "read"}
    build, publish = told["jobs"]["build"], told["jobs"]["publish"]
    assert build["if"] == "vars.PUBLISH == 'pypi'"  # nothing is done before that is set
    assert "permissions" not in build
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    for job in (build, publish):
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
    assert [step["run"] for step in build["steps"] if "run" in step] == ["make release-check"]
    assert [step["run"] for step in publish["steps"] if "run" in step] == [
        "uv publish --trusted-publishing always"
    ]
    kept = [step["with"]["path"] for step in build["steps"] if "artifact" in step.get("uses", "")]
    taken = [s["with"]["path"] for s in publish["steps"] if "artifact" in s.get("uses", "")]
    assert kept == taken == ["dist/"]
    assert "secrets." not in text


def test_only_what_was_built_is_left_to_be_published(tmp_path, monkeypatch):
    for name in ("zhiyin-0.1-py3-none-any.whl", "zhiyin-0.1.tar.gz", "kept.txt"):
        (tmp_path / name).write_text("")

    def call(*words, **_):
        out = Path(words[words.index("--outdir") + 1])
        for name in ("zhiyin-1-py3-none-any.whl", "zhiyin-1.tar.gz"):
            (out / name).write_text("")

    monkeypatch.setattr(release_check, "call", call)
    built = release_check.build(tmp_path)
    assert [path.name for path in built] == ["zhiyin-1-py3-none-any.whl", "zhiyin-1.tar.gz"]
    assert len(list(tmp_path.iterdir())) == 3


def test_every_target_that_pages_name_is_there():
    made = set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text("utf-8"), re.M))
    workflow = (REPOSITORY / ".github/workflows/test.yml").read_text("utf-8")
    texts = [*(p.read_text("utf-8") for p in DOCS.rglob("*.md")), workflow]
    texts += [(REPOSITORY / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    named = {
        word for text in texts for word in re.findall(r"^\s*(?:- run: )?make ([\w-]+)", text, re.M)
    }
    assert len(named) > 5
    assert named <= made


def test_the_citation_is_of_this_version():
    told = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf-8"))
    assert told["version"] == zhiyin.__version__
    assert told["license"] == PROJECT["license"]
    assert [author["name"] for author in told["authors"]] == [a["name"] for a in PROJECT["authors"]]


def test_the_page_on_installing_names_every_extra_and_no_other():
    text = (DOCS / "install.md").read_text("utf-8")
    table = text.split("| extra | for |")[1].split("\n\n")[0]
    named = {
        name
        for row in table.splitlines()
        for name in re.findall(r"`(\w+)`", row[: row.find("|", 1)])
    }
    assert named == set(PROJECT["optional-dependencies"]) - INTERNAL - {"pandas"}


@pytest.mark.slow
def test_an_extra_that_an_error_names_is_one():
    extras = set(PROJECT["optional-dependencies"])
    found, naming = set(), ("missing_package", "imported", "adding")
    for path in (REPOSITORY / "src").rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if any(each in text for each in naming) else ():
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name in naming:
                found |= {a.value for a in node.args[-1:] if isinstance(a, ast.Constant)}
    assert len(found) > 10
    assert found <= extras


@pytest.mark.slow
def test_no_page_and_no_message_wants_zhiyin_from_an_index():
    """No index serves it, and whoever registers the name there would be served to our readers."""
    kinds = {".py", ".md", ".ftl", ".toml", ".yml", ".yaml", ".txt", ".html", ".sh", ".json", ""}
    places = ["src", "docs", "bench", "scripts", "examples", "recipes", "deploy", ".github"]
    paths = [path for place in places for path in (REPOSITORY / place).rglob("*")]
    paths += [*REPOSITORY.glob("*.md"), REPOSITORY / "Makefile"]
    wanted = re.compile(
        r"(?:pipx?|uv|uv tool|uv pip) (?:install|add|inject)(?: --?[\w-]+)* ['\"]?zhiyin"
        r"(?!\[\w+\] @)\b|uvx zhiyin|zhiyin\[\w+\](?! @)"
    )
    assert wanted.search("pip install 'zhiyin[study]'")
    assert wanted.search("uv tool install zhiyin\n")
    assert not wanted.search("pip install 'zhiyin[study] @ git+https://host/zhiyin'")
    found = [
        f"{path.relative_to(REPOSITORY)}: {match[0]}"
        for path in paths
        if path.is_file() and path.suffix in kinds and "CHANGELOG" not in path.name
        for match in wanted.finditer(path.read_text("utf-8", errors="ignore"))
        if match[0] != "pipx inject zhiyin"  # which is installed then
    ]
    assert found == []


def test_the_first_commands_of_the_readme_need_nothing():
    text = (REPOSITORY / "README.md").read_text("utf-8")
    first = release_check.first_commands(text)
    assert len(first) == release_check.FIRST == 5
    assert not any(re.search(r"--data|openai:|my_", command) for command in first)
    assert text.count("\n![") == 1  # one picture


def test_licences_that_need_a_look_are_found():
    told = [
        {"Name": "a", "Version": "1", "License": "MIT License"},
        {"Name": "b", "Version": "1", "License": "GNU General Public License v3 (GPLv3)"},
        {"Name": "c", "Version": "1", "License": "UNKNOWN"},
        {"Name": "d", "Version": "1", "License": "Apache-2.0 OR BSD-3-Clause"},
    ]
    assert [one["Name"] for one in dependencies.to_look_at(told)] == ["b", "c"]
    assert "| b | 1 | GNU General" in dependencies.as_page(told, [])


def test_a_package_that_the_service_does_not_know_was_not_audited():
    told = [{"name": "a", "vulns": []}, {"name": "b", "skip_reason": "not found"}]
    assert dependencies.audited(told) == "1 of 2 packages audited, 0 with known weaknesses"
    told.append({"name": "c", "vulns": [{"id": "X"}]})
    assert dependencies.audited(told) == "2 of 3 packages audited, 1 with known weaknesses: c"


def test_no_file_speaks_of_the_machine_that_it_was_made_on():
    words = [f"{place}/" for place in (REPOSITORY, Path.home()) if len(place.parts) > 1]
    kinds = {".md", ".py", ".toml", ".yml", ".cff", ".txt", ".html", ".js", ".css", ".sh", ".json"}
    places = ["src", "docs", "scripts", "bench", "examples", "recipes", "deploy", ".github"]
    paths = [p for place in places for p in (REPOSITORY / place).rglob("*") if p.suffix in kinds]
    paths += [p for p in REPOSITORY.iterdir() if p.is_file() and p.suffix in kinds]
    assert len(paths) > 1000
    texts = {path: path.read_text("utf-8", errors="ignore") for path in paths}
    assert not [path for path, text in texts.items() if any(word in text for word in words)]


def test_the_readmes_first_screen_names_the_two_commands_that_do_everything():
    first = "\n".join((REPOSITORY / "README.md").read_text("utf-8").splitlines()[:36])
    assert re.findall(r"^\| `(make \w+)` \|", first, re.M) == ["make demo", "make test"]


@pytest.mark.slow
def test_make_demo_comes_to_its_pages(tmp_path):
    """The recipe as it stands, on fewer sounds; what it starts a dozen times is warm."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    shutil.copy(REPOSITORY / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / ".ready").touch()
    (venv / "bin" / "zhiyin").symlink_to(warm.folder_of() / "zhiyin")
    small = {"DEMO_CLIPS": 4, "DEMO_PAIRS": 1, "DEMO_CHORDS": 4, "DEMO_HEARING": "gap"}
    recipe = (REPOSITORY / "Makefile").read_text("utf-8")
    assert all(re.search(rf"^{name} := ", recipe, re.MULTILINE) for name in small)
    words = [f"VENV={venv}", *(f"{name}={value}" for name, value in small.items())]
    done = subprocess.run(
        [make, "-o", f"{venv}/.ready", "demo", *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env={name: value for name, value in os.environ.items() if name != warm.SVG},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    runs = [f"== {what}: {model}" for what in ("pieces", "pairs", "chords")
            for model in ("listener", "first")]  # fmt: skip
    assert [line for line in done.stdout.splitlines() if line.startswith("== ")][:-1] == runs
    assert (tmp_path / "demo" / "report.html").stat().st_size > 100_000
    assert (tmp_path / "demo" / "hearing" / "listener.html").exists()
