"""The first hour of a Chinese model builder: no English sentence is left but names and commands."""

import io
import re
import sys
from pathlib import Path

import pytest
from aiohttp import web
from rich.cells import cell_len

from servers import ChatServer
from zhiyin.cli import main
from zhiyin.errors import InputError, did_you_mean, system_words
from zhiyin.words import said, say, say_error, spoken
from zhiyin.words.messages import words_in
from zhiyin.words.reasons import reason

CHINESE = re.compile(r"[\u4e00-\u9fff]")
CODE = re.compile(
    r"`[^`]*`|'[^']*'|\"[^\"]*\"|zhiyin [a-z]+ .*|https?://[^ ，；）]*|--?[a-z-]+( [A-Z]+)?"
)
"""What stays as it is typed: commands, flags, addresses, and names in quotation marks."""
ENGLISH = re.compile(r"[A-Za-z]{2,},?(?: [a-z]{2,},?)+")
"""Two English words on end."""
TOLD = "the model is asleep today"
"""What the server says for itself."""
ROWS = [
    f"第{n}题？,甲{n},乙{n},丙{n},{'ABC'[n % 3]},{'和声' if n % 2 else '节奏'}" for n in range(12)
]
FILES = {
    "own.csv": "\n".join(["question,A,B,C,answer,category", *ROWS]),
    "empty.csv": "", "head.csv": "question,A,B\n", "none.csv": "question,A,B,answer\nx,y,z,\n",
    "bad.csv": "question,A,B,answer\nx,y,z,Q\n,y,z,A\n", "noq.csv": "frage,A,B,answer\nx,y,z,A\n",
    "twice.csv": "id,question,A,B,answer\n1,x,y,z,A\n1,x,y,z,A\n",
    "one.csv": "question,A,answer\nx,y,A\n", "free.csv": "question,answer\nx,y\n",
    "bad.jsonl": "{not json\n", "open.csv": 'question,A,B,answer\n"x,y,z,A\n',
    "snd.csv": "question,A,B,answer,audio\nx,y,z,A,none.wav\n",
    "two.toml": 'models = [{ model = "first" }, { model = "longest" }]\n'
    'benchmarks = [{ benchmark = "questions", flags = { data = "own.csv" } }]\n',
    "broken.toml": "models = [\n", "odd.toml": 'modls = [{model = "first"}]\nbenchmarks = []\n',
    "gone.toml": 'models = [{model = "first"}]\nbenchmarks = [{benchmark = "nosuch"}]\n',
}  # fmt: skip
RUN = "run own.csv -m first --out runs/wrong "
REFUSED = [
    "runn", "run", "run nosuch -m first", "run own.csv", "run own.csv -m", "run ./none -m first",
    "run none-there.csv -m first", "run ziqi -m first", "run ziqi -m first --data nowhere",
    "run muchomusic -m first", "list nosuch", "data", "data fetch nosuch", "data fetch",
    "data fetch questions", "data fetch ziqi:nosuch", "ziqi", "ziqi nosuch", "run x.py -m first",
    *(f"run {name} -m first" for name in [*FILES][1:] if name[-4:] != "toml"),
    *(f"run own.csv -m {name}" for name in (
        "frist", "gpt-4o", "foo:x", "first:x", "openai", "localhost:8000", "m.py", "openai:gpt-4o",
        "python:none.py:f", "python:json:f", "python:x", "replay:none.jsonl", "http://",
        "http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1#x", "http://a:b@127.0.0.1:9/v1#x",
    )),
    *(RUN + words for words in (
        "--limit x", "--limit 0", "--limit", "--limit 1 --limit 2", "--limit 2 --sample 2", "extra",
        "--nosuch", "--limt 3", "--sample 0", "--temperature 3", "--timeout 0", "--shots 3",
        "--extract nosuch", "--budget x", "--budget 5usd,5usd", "--cache zz", "--shard 3/2",
        "--thinking x", "--batch", "--json=3", "--columns x", "--columns what=A", "--sheet x",
    )),
    "run own.csv -m random --out runs/own", "run own.csv -m first --out own.csv",
    "show", "show nowhere", "show own.csv", "audit runs", "compare runs/own",
    "compare runs/own runs/own", "report nowhere", "report runs/own -o own.csv",
    "report runs/own --lang fr", "table runs/own --out t.xyz", "table runs/own --to word",
    "table runs/own --published nosuch", "table runs/own --add nosuch", "suite", "suite nosuch",
    "suite music-core", *(f"suite {name}.toml" for name in ("broken", "odd", "gone")),
    "plan --difference x", "plan --difference 3 --items 5", "data template own.csv", "serve",
    "verify nowhere", "leaderboard", "hearing runs/own", "attention runs/own",
]  # fmt: skip
DONE = [
    "", "--help", "--help-all", "list", "data template q.csv", "data check own.csv",
    "data check twice.csv --partial",
    "run own.csv -m first --dry-run", "run own.csv -m first --out runs/own",
    "run own.csv -m first --out runs/own", "run own.csv -m longest --limit 4 --out runs/part",
    "run own.csv -m longest --out runs/part", "run own.csv -m longest --limit 4 --out runs/part",
    "show runs/own", "show runs/own runs/part", "compare runs/own runs/part",
    "report runs/own -o page", "table runs/own runs/part", "table runs/own --out t.tex",
    "suite two.toml --dry-run", "suite two.toml", "suite two.toml", "verify runs/own --rescore",
]  # fmt: skip


WITHIN = [
    "show runs/own --groups all", "show runs/own runs/part --groups all",
    "compare runs/own runs/part --groups all", "rescore runs/own --extract first-letter",
    "stats health runs/own", "status runs", "leaderboard runs --out board", "list questions",
    "plan --items 200", "prices", "cache", "data check own.csv", "table runs/own runs/part",
    "data fetch ziqi --from mirror", "data fetch ziqi --offline", "data list", "suite two.toml",
    "data fetch muchomusic --offline", "status suites/two", "import questions x.jsonl",
    "table runs/own --as ziqi:table-1", "table runs/own --as nosuch", "status nowhere",
    "import own.csv gone.jsonl --from auto", "stimuli make --task chords --n 2 --out runs/st",
    "stimuli check runs/st",
]  # fmt: skip
"""After the runs of `DONE`: nothing but the names in `NAMES` is left of Latin words."""
NAMES = re.compile(
    r"\b(zhiyin|questions|own|first|longest|random|robust|letters|ziqi|muchomusic|mmar|mmau|choice"
    r"|limit|mirror|nosuch|nowhere|runs|all|auto|Wilson|Holm|McNemar|Benjamini|Hochberg|Stuart|Maxwell|MDE|RStd|IFR|F1|usd|token|kB|MB|GB"
    r"|CC|BY|NC|SA|id|zh|wer|cer|ID|two|part|again|letter|tinysoundfont)\b"
)
"""Names of runs, models, benchmarks, rules, tests, units and licences; some values of flags."""
CALLED = re.compile(r"\((default settings|first 4 trials)\)|first, read by first-letter")
"""What stands behind the name of a run, and is the same in every language."""
PLACES = re.compile(r"[\w.*~-]*[/.][\w./*-]+|[0-9a-f]{7,}|\w+-\w[\w-]*(:\w[\w-]*)?|\w+:\w+")
"""Paths, digests, names with hyphens."""


FURTHER = [
    "judge runs/own -m lexical --aspects failures", "judge runs/own -m lexical",
    "judge runs/own -m lexical --aspects nosuch", "judge runs/own -m lexical --aspects reasoning",
    "audit runs/own --sheet sheet.jsonl", "audit runs/own --sheet sheet.jsonl",
    "audit runs/own --marks sheet.jsonl", "audit runs/own --judge x --by y",
    "study make --from runs/own --out study", "study make --from runs/own --out study",
    "study export study --out a.jsonl", "study show study", "study backup study --out s.zip",
    "study restore s.zip --out again", "study ethics study --out e.txt", "study serve nosuch",
    "trials own.csv --out asked", "trials own.csv", "card own.csv", "merge runs/own --out m",
    "parity first", "losses runs/own", "export runs/own --to csv -o x.csv", "reading nosuch",
    "export runs/own --to eee -o eee", "export runs/own --to eee -o x.csv", "seed s.txt",
    "seed s.txt --check 12", "extract --list", "stats items runs/own runs/part",
    "stats bias runs/own",
    "stats glmm runs/own runs/part", "import own.csv", "forge renew runs/own --out new",
    "forge questions none.csv --out forged", "forge contamination runs/own runs/part",
    "exam own.csv", "verify runs/own", "run bodies -m listener --body image --limit 2",
]  # fmt: skip
"""Commands beyond the first hour, and what is most often wrong with them."""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with files of questions and a run, on a Chinese terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("OPENAI_API_KEY", "ZHIYIN_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")


def english(text):
    """The lines of a text that hold an English sentence."""
    return [
        one
        for one in text.splitlines()
        if ENGLISH.search(CODE.sub("", one.replace(TOLD, "").replace("test-mini", "")))
    ]


@pytest.mark.slow
def test_what_is_done_is_said_in_chinese(desk, capsys):
    for command in DONE:
        assert main(command.split()) == 0, command
        out, err = capsys.readouterr()
        names = re.compile(
            r"^(?: {2,}|协议|模型|提取规则).*"
        )  # lists of names go over several lines
        shown = [one for one in english(out + err) if command != "list" or not names.match(one)]
        assert [one for one in shown if "另有" not in one and " stats, " not in one] == [], command
        wide = [one for one in out.splitlines() if cell_len(one) > 80 and "zhiyin" not in one]
        assert wide == [], command
        assert not command or CHINESE.search(out + err), command


@pytest.mark.slow
def test_further_commands_speak_chinese_too(desk, capsys):
    for name, limit in (("own", 12), ("part", 4)):
        run = ["run", "own.csv", "-m", "first", "--out", f"runs/{name}", "--limit", str(limit)]
        assert main([*run, "--quiet"]) == 0
    capsys.readouterr()
    left = []
    for command in FURTHER:
        assert main(command.split()) in (0, 1, 2), command
        told = "".join(capsys.readouterr()).replace("Measuring what Matters", "")  # a paper
        assert CHINESE.search(told), command
        left += [(command, line) for line in english(told) if not CHINESE.search(line)]
    assert not left, "\n".join(map(str, left))


@pytest.mark.slow
def test_no_latin_word_is_left_but_names(desk, capsys, monkeypatch):
    monkeypatch.setenv("ZHIYIN_DATA", "data")
    monkeypatch.setenv("COLUMNS", "200")
    Path("x.jsonl").write_text('{"id": "1", "reply": "A"}\n')
    (Path("mirror") / "test").mkdir(parents=True)
    head = "id,question,A,B,C,D,answer,subtheme\n"
    Path("mirror/test/female_music.csv").write_text(
        f"{head}1,题？,甲,乙,丙,丁,A,女性作曲家\n", "utf-8"
    )
    for name, limit in (("own", 12), ("part", 4)):
        run = ["run", "own.csv", "-m", "first", "--out", f"runs/{name}", "--limit", str(limit)]
        assert main([*run, "--quiet"]) == 0
    capsys.readouterr()
    left = []
    for command in WITHIN:
        assert main(command.split()) in (0, 2), command
        told = "".join(capsys.readouterr())
        assert CHINESE.search(told), command
        for line in told.splitlines():
            plain = NAMES.sub("", PLACES.sub("", CODE.sub("", CALLED.sub("", line))))
            if "许可" not in line and command != "data list":  # licences are cited
                left += [(command, word, line) for word in re.findall("[A-Za-z]{2,}", plain)]
    assert not left, "\n".join(map(str, left))


@pytest.mark.slow
def test_what_is_refused_is_refused_in_chinese_and_logged_in_english(desk, capsys, monkeypatch):
    assert main(["run", "own.csv", "-m", "first", "--out", "runs/own", "--quiet"]) == 0
    capsys.readouterr()
    for command in REFUSED:
        assert main(command.split()) == 2, command
        chinese = capsys.readouterr().err.splitlines()[-1]
        assert CHINESE.search(chinese.replace("第", "")), (command, chinese)
        assert (
            english(
                re.sub(
                    r"（[A-Z]\w+Error.*|（[a-zE][a-z ]+）|可用的有.*|：Invalid.*|：\w+Error.*",
                    "",
                    chinese,
                )
            )
            == []
        )
        monkeypatch.setenv("ZHIYIN_LANG", "en")
        main(command.split())
        plain = capsys.readouterr().err.splitlines()[-1]
        assert not CHINESE.search(plain), plain
        assert re.match(r"zhiyin: [\w`'\-./:]", plain), plain
        monkeypatch.setenv("ZHIYIN_LANG", "zh")


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (401, "x", "需要密钥"), (403, "x", "密钥被拒绝"), (404, "x", "没有这个模型"),
        (400, "x", "连续 3 题"), (500, "x", "服务器答复 500"), (429, "x", "服务器答复 429"),
        (429, "insufficient_quota", "余额不足"),
    ],
)  # fmt: skip
def test_what_a_server_refuses_is_told_in_chinese_now_and_later(desk, capsys, status, code, says):
    def refusing(call):
        return web.json_response({"error": {"message": TOLD, "code": code}}, status=status)

    with ChatServer(refusing) as server:
        main(["run", "own.csv", "-m", server.spec, "--out", "runs/served", "--retries", "0"])
    told = "".join(capsys.readouterr())
    assert says in told
    main(["show", "runs/served"])
    again = capsys.readouterr().out
    assert says in again.replace("\n", "")
    folded = re.sub(r"\n\s+", " ", again)
    assert english(folded.replace("\n", " ；\n")) == []
    assert not CHINESE.search(
        re.sub("[甲乙丙第题和声节奏？]", "", Path("runs/served/run.json").read_text())
    )


def test_a_file_without_a_column_of_answers_is_told_from_a_row_without_one(desk, capsys):
    Path("nokey.csv").write_text("题目,甲,乙,解\nx,y,z,甲\n", "utf-8")
    assert main(["run", "nokey.csv", "-m", "first"]) == 2
    told = capsys.readouterr().err
    assert "在 '题目'、'甲'、'乙'、'解' 中没有答案列：请将其命名为“答案”" in told
    assert main(["run", "nokey.csv", "-m", "first", "--columns", "answer=解", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["run", "none.csv", "-m", "first"]) == 2
    assert "没有答案：请写 A、B 之一" in capsys.readouterr().err


@pytest.mark.slow
def test_a_model_without_ears_is_refused_in_chinese_by_a_run_a_suite_and_a_board(desk, capsys):
    def deaf(call):
        error = {"error": {"message": "This model does not support audio input"}}
        return web.json_response(error, status=400) if call.sounds else "A"

    asked = ["--task", "chords", "--n", "3", "--strategy", "standalone"]
    with ChatServer(deaf) as server:
        run = ["run", "perception", "-m", server.spec, *asked, "--out", "runs/deaf"]
        assert main([*run, "--modality", "audio"]) == 2
    assert "不支持：模型不接受声音（400" in capsys.readouterr().err
    assert main(["run", "own.csv", "-m", "first", "--out", "runs/own", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["leaderboard", "runs", "--groups", "all"]) == 0
    assert "没有已判分的题，故不在表中" in capsys.readouterr().out


def test_a_budget_that_is_spent_and_a_server_that_goes_on(desk, capsys):
    with ChatServer("A") as server:
        command = ["run", "own.csv", "-m", server.spec, "--out", "runs/served"]
        assert main([*command, "--budget", "5calls"]) == 1
        assert "预算（5 calls）已用完" in capsys.readouterr().out
        assert main(command) == 0
    out, err = capsys.readouterr()
    assert "继续：已有 12 题中的 5 题" in err
    assert english(out + err) == []


def test_the_language_is_that_of_the_locale_redirected_or_not(monkeypatch):
    monkeypatch.delenv("ZHIYIN_LANG", raising=False)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert spoken() == "zh"  # redirected, as pages are
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert spoken() == "en"
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    assert spoken() == "zh"


def test_an_error_is_never_half_chinese():
    inner = InputError("nobody has put this into Chinese")
    outer = InputError(said("log-fetch", why=inner, name="quiz"))
    assert (
        say_error(outer, "zh") == str(outer) == f"{inner}; `zhiyin data fetch quiz` gets the data"
    )
    whole = InputError(said("log-fetch", why=InputError(said("error-interrupted")), name="quiz"))
    assert say_error(whole, "zh").startswith("已中断；")
    assert say(did_you_mean("shwo", ["show", "run"]), "zh") == "您是否想用 show？"
    assert say(system_words(FileNotFoundError(2, "No such file")), "zh") == "没有这个文件或文件夹"


def test_what_a_log_keeps_in_english_is_read_back_to_its_message():
    """Every message that is kept is told from all others by its English words."""
    kept = [name for name in words_in("en").names if name.startswith("log-")]
    assert len(kept) > 30
    for name in kept:
        parts = [e.expression for e in words_in("en").pattern(name).elements
                 if hasattr(e, "expression")]  # fmt: skip
        held = [p.arguments.positional[0] if hasattr(p, "arguments") else p for p in parts]
        placed = [each.id.name for each in held]
        text = words_in("en").say(name, dict.fromkeys(placed, "x1"))
        assert say(reason(text), "zh") == words_in("zh").say(name, dict.fromkeys(placed, "x1")), (
            name
        )
    assert reason("what nobody wrote") == "what nobody wrote"
