"""Opening models by spec, the contract that every kind keeps, and the baselines."""

import json
from pathlib import Path

import pytest

from servers import ChatServer
from zhiyin.models import PROVIDERS, forms
from zhiyin.models.baselines import BASELINES

LOCAL = ("hf", "vllm", "subprocess")  # these have tests of their own: they need what is heavy


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A spec of every kind that answers."""
    monkeypatch.delenv("ZHIYIN_API_KEY", raising=False)
    (tmp_path / "mine.py").write_text(
        "def plain(messages):\n    return 'B'\nasync def later(messages):\n    return 'B'\n"
    )
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "q-1", "text": "B"}) + "\n")
    with ChatServer("B") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key")
        yield [
            "openai:scripted",
            server.spec,
            f"python:{tmp_path / 'mine.py'}:plain",
            f"python:{tmp_path / 'mine.py'}:later",
            f"replay:{tmp_path / 'answers.jsonl'}",
            *BASELINES,
        ]


def test_every_kind_that_is_listed_opens_or_says_what_is_missing(specs: list[str]) -> None:
    others = {"listener", "lexical", "pool", *PROVIDERS, *LOCAL}
    kinds = {spec.partition(":")[0] for spec in specs} | others
    assert {form.partition(":")[0] for form in forms()} == kinds
