"""What a server may take of this machine, and what is sure before the first paid call."""

import pytest
from aiohttp import web
from test_models_limits import SILENT, Locked

from muchomusic_help import make_data
from servers import ChatServer
from zhiyin import cli
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError


@pytest.mark.slow
def test_a_model_without_ears_is_asked_little_and_the_way_out_is_named(capsys, tmp_path):
    data = make_data(tmp_path / "data", tracks=20, each=5)

    def refuse(call):
        error = {"error": {"message": SILENT[2], "code": None}}
        return web.json_response(error, status=400)

    with ChatServer(refuse) as server:
        run = ["run", "muchomusic", "--data", data, "--partial", "-m", server.spec, "--quiet"]
        out = ["--out", tmp_path / "run", "--concurrency", "4"]
        assert cli.main([str(word) for word in (*run, *out)]) == 2
        assert server.calls <= 1 + 3 + 4  # a canary's first question goes before them
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "takes no sound" in err
    assert "--audio none" in err
    assert "takes no sound" in read_manifest(tmp_path / "run").sessions[-1].stopped
    assert all(record.error for record in read_records(tmp_path / "run"))


def test_the_judge_is_checked_before_the_model_is_asked(capsys, tmp_path):
    run = ["run", "appraisal", "--source", "generated", "--n", "1", "--quiet"]
    out = ["--out", tmp_path / "run", "--stimuli", tmp_path / "pieces"]
    with ChatServer("A") as model, Locked("{}") as judge:
        flags = ["-m", model.spec, "--judge", judge.spec]
        assert cli.main([str(word) for word in (*run, *out, *flags)]) == 2
        assert model.calls == 0
    assert "the judge cannot be asked" in capsys.readouterr().err


def test_every_judge_is_checked_before_the_first_judges(capsys, tmp_path):
    from judge_help import REVIEW, make_run

    run = make_run(tmp_path / "run", [REVIEW])
    with ChatServer("{}") as first, Locked("{}") as second:
        assert cli.main(["judge", str(run), "-m", first.spec, "-m", second.spec, "--quiet"]) == 2
        assert first.calls == 0
    assert "the judge cannot be asked" in capsys.readouterr().err


@pytest.mark.slow
def test_the_judge_of_python_functions_is_checked_first(tmp_path):
    from music_appraisal_benchmark import MusicAppraisalBenchmark

    from zhiyin.plugins.benchmarks.appraisal.data import make_pieces

    make_pieces(tmp_path, 1, 0)
    questions = next(tmp_path.glob("*qa*.jsonl"))
    heard = []

    def answer(path, *rest):
        heard.append(path)
        return "A"

    with Locked("{}") as judge:
        benchmark = MusicAppraisalBenchmark(
            str(questions), llm_base_url=judge.url, llm_model="m", llm_api_key="sk-wrong-wrong"
        )
        with pytest.raises(InputError, match="the judge cannot be asked"):
            benchmark.evaluate_model(answer, answer)
    assert not heard
