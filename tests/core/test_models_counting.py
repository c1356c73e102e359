"""Providers that count tokens for nothing: each asked as its reference says, and never for more."""

import json
import os
from pathlib import Path

import pytest
from aiohttp import web

import provider_schemas as schemas
from provider_servers import ProviderServer, Say, Wire
from questions_help import jsonl
from zhiyin.cli import main

KEY = "sk-secret-0123456789abcdef"
LENGTHS = (1, 8, 3)


class CountingWire(Wire):
    """Counts the characters of a request; answers nothing, since nothing is to be asked."""

    told = "totalTokens"

    def is_question(self, asked):
        return False

    def look(self, asked, server):
        say = server.answer(asked)
        if say.status != 200:
            return web.json_response(self.failure(say), status=say.status, headers=say.headers)
        return web.json_response(json.loads(say.raw) if say.raw else {self.told: len(asked.raw)})


@pytest.fixture
def questions(tmp_path):
    rows = [
        {"id": f"q{n}", "question": "Which clef? " * n, "options": ["do", "re"], "answer": "do"}
        for n in LENGTHS
    ]
    return jsonl(tmp_path / "questions.jsonl", *rows)


@pytest.fixture(autouse=True)
def _own_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))
    for name in ("GOOGLE_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def gemini(asked):
    assert asked.path == "/v1beta/models/gemini-2.5-flash:countTokens"
    assert list(asked.body) == ["generateContentRequest"]
    request = asked.body["generateContentRequest"]
    assert request.pop("model") == "models/gemini-2.5-flash"
    schemas.validate(request, schemas.GEMINI)
    return "".join(part["text"] for content in request["contents"] for part in content["parts"])


def anthropic(asked):
    assert asked.path == "/v1/messages/count_tokens"
    assert asked.headers["anthropic-version"] == "2023-06-01"
    schemas.validate({**asked.body, "max_tokens": 1}, schemas.ANTHROPIC)
    assert "max_tokens" not in asked.body
    return "".join(message["content"] for message in asked.body["messages"])


def openai(asked):
    assert asked.path == "/v1/responses/input_tokens"
    schemas.validate(asked.body, schemas.RESPONSES)
    return "".join(message["content"] for message in asked.body["input"])


def reach(monkeypatch, kind, server):
    """Point a provider at the server: OpenAI, which is known by its address, through a proxy."""
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("NO_PROXY", "")
    if kind == "openai":
        monkeypatch.setenv("OPENAI_BASE_URL", "http://api.openai.com/v1")
        monkeypatch.setenv("http_proxy", server.url)
    else:
        names = {"gemini": "GOOGLE_GEMINI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}
        monkeypatch.setenv(names[kind], server.url)


CASES = {
    "gemini": ("gemini:gemini-2.5-flash", "totalTokens", gemini,
               ("GEMINI_API_KEY", "X-Goog-Api-Key", KEY)),
    "anthropic": ("anthropic:claude-opus-4-7", "input_tokens", anthropic,
                  ("ANTHROPIC_API_KEY", "X-Api-Key", KEY)),
    "anthropic, by token": ("anthropic:claude-opus-4-7", "input_tokens", anthropic,
                            ("ANTHROPIC_AUTH_TOKEN", "Authorization", f"Bearer {KEY}")),
    "openai": ("openai:gpt-4o", "input_tokens", openai,
               ("OPENAI_API_KEY", "Authorization", f"Bearer {KEY}")),
    "openai-responses": ("openai-responses:gpt-5", "input_tokens", openai,
                         ("OPENAI_API_KEY", "Authorization", f"Bearer {KEY}")),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request, monkeypatch):
    spec, told, read, (variable, header, value) = CASES[request.param]
    monkeypatch.setenv(variable, KEY)
    return spec, told, read, header, value


def dry_run(capsys, questions, spec):
    """A dry run of a model with a price: without one nothing is counted."""
    prices = Path(os.environ["ZHIYIN_PRICES"])
    prices.mkdir(exist_ok=True)
    row = 'input = 1\noutput = 1\ndate = 2026-11-20\nsource = "a test"\n'
    (prices / "prices.toml").write_text(f'["{spec}"]\n{row}')
    status = main(["run", str(questions), "-m", spec, "--dry-run", "--json"])
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err
    return status, json.loads(printed.out)


def test_each_is_asked_as_its_reference_says(case, questions, monkeypatch, capsys):
    spec, told, read, header, value = case
    wire = CountingWire()
    wire.told = told
    with ProviderServer(wire) as server:
        reach(monkeypatch, spec.partition(":")[0].partition("-")[0], server)
        status, found = dry_run(capsys, questions, spec)
    assert status == 0
    assert not server.asked, "nothing is asked that costs"
    counted = [asked for asked in server.others if asked.method == "POST"]
    assert found["input_from"] == "counted by the server"
    assert found["input"] == sum(len(asked.raw) for asked in counted)
    assert sorted(read(asked).count("Which clef?") for asked in counted) == sorted(LENGTHS)
    for asked in counted:
        headers = {name.title(): text for name, text in asked.headers.items()}
        assert headers[header] == value
        assert KEY not in asked.path
        assert [name for name, text in headers.items() if KEY in text] == [header]


@pytest.mark.parametrize(
    "answer",
    [
        Say(status=404, message="no such thing"),
        Say(status=401, message=f"wrong key {KEY}"),
        Say(status=307, headers={"Location": "http://127.0.0.1:9/elsewhere"}),
        Say(raw=b'{"input_tokens": "many"}'),
        Say(raw=b"[1, 2]"),
    ],
    ids=["none", "wrong key", "redirect", "words", "list"],
)
def test_who_does_not_count_is_estimated(answer, questions, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ProviderServer(CountingWire(), answer) as server:
        reach(monkeypatch, "openai", server)
        status, found = dry_run(capsys, questions, "openai:gpt-4o")
    assert (status, found["input_from"]) == (0, "an estimate by the script of the words")
    assert found["input"] > 40
