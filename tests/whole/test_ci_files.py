"""The workflow files of docs/how-to/ci.md: their steps are run as the services run them."""

import os
import re
import subprocess
from xml.etree import ElementTree

import pytest

import warm
from conftest import REPOSITORY
from servers import ChatServer

pytestmark = pytest.mark.slow

yaml = pytest.importorskip("yaml")
PAGE = (REPOSITORY / "docs" / "how-to" / "ci.md").read_text("utf-8")
BLOCKS = re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
FILES = dict(BLOCKS)


def github():
    """The commands of the steps, and whether each runs after a failure."""
    (job,) = yaml.safe_load(FILES[".github/workflows/nightly.yml"])["jobs"].values()
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step)
        if "run" in step:
            yield step["run"], step.get("if") == "always()"


def gitlab():
    (job,) = yaml.safe_load(FILES[".gitlab-ci.yml"]).values()
    yield from ((line, False) for line in job["script"])
    yield from ((line, True) for line in job["after_script"])
    assert job["artifacts"]["reports"]["junit"] == "gate.xml"


def job(steps, desk, environment):
    """Run the steps of a job; its exit status is that of the first that fails."""
    status = 0
    for command, always in steps:
        if status and not always:
            continue
        if command == 'pip install "$ZHIYIN"':  # it is installed
            continue
        done = subprocess.run(
            ["bash", "-e", "-c", command], cwd=desk, env=environment, capture_output=True,
            text=True, timeout=300,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        assert done.returncode in (0, 3), done.stderr
        status = status or done.returncode
    return status


def test_the_steps_of_both_files_pass_on_a_night_like_before_and_fail_on_a_worse_one(tmp_path):
    replies = {"now": "good"}

    def answer(call):
        """The first option, or after a bad update none at all."""
        return "Answer: A" if replies["now"] == "good" else "I would rather not say."

    with ChatServer(answer) as server:
        environment = os.environ | {
            "OPENAI_API_KEY": "not-a-real-key",
            "OPENAI_BASE_URL": server.url,
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "PATH": f"{warm.folder_of()}:{os.environ['PATH']}",
        }
        (tmp_path / "nightly.toml").write_text(FILES["nightly.toml"])
        first = "zhiyin suite nightly.toml --out baseline --no-report --quiet"
        assert job([(first, False)], tmp_path, environment) == 0
        for steps in (github, gitlab):
            for night, status in (("good", 0), ("bad", 3)):
                replies["now"] = night
                subprocess.run(["rm", "-rf", "suites", "gate.xml", "gate.md"], cwd=tmp_path)
                assert job(steps(), tmp_path, environment) == status
                root = ElementTree.parse(tmp_path / "gate.xml").getroot()
                assert (int(root.get("failures")) > 0) == bool(status)
                (table,) = tmp_path.glob("suites/*/table.md")
                assert "| model |" in table.read_text()
    summary = (tmp_path / "summary.md").read_text()
    assert "The gate is open" in summary
    assert "The gate is closed" in summary
    assert summary.count("| model |") == 2
    assert "| model |" in (tmp_path / "table.md").read_text()
