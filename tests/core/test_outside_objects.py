"""Benchmarks and models of the user's own as objects, and models in a file."""

import asyncio
from typing import Annotated

import msgspec
import pytest

from zhiyin import cli, session
from zhiyin.contract import Benchmark, Flag
from zhiyin.contract.registry import is_missing, known, open_benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.models import open_model
from zhiyin.record import Reply, Sampling
from zhiyin.session.rescore import rescore
from zhiyin.trial import Option, Trial, say


class Settings(msgspec.Struct, frozen=True):
    most: Annotated[int, Flag("how many")] = 3


class Sums(Benchmark[Settings]):
    name = "sums"
    Settings = Settings
    extract = "final-line"

    def trials(self):
        for n in range(self.settings.most):
            options = tuple(Option(a, str(n + k), a) for k, a in enumerate("ABCD"))
            yield Trial(f"{n}", (say("user", f"{n} + 1?"),), f"{n} + 1?", options, "B")


class Says:
    """Answers with what the run's sampling says."""

    name, concurrency = "says", 1

    async def generate(self, messages, sampling, trial):
        return Reply("Final Answer: B" if sampling.temperature == 0.25 else "Final Answer: A")

    async def close(self):
        pass


def order(benchmark, out, **more):
    options = more.pop("options", {})
    sampling = Sampling(temperature=0.25)
    return RunSettings(benchmark, Says(), options, sampling, None, str(out), Limits(), **more)


@pytest.mark.parametrize("given", [Sums, Sums(Settings(most=5))])
def test_an_order_takes_a_class_or_an_object(tmp_path, given):
    result = asyncio.run(session.carry_out(order(given, tmp_path / "run")))
    most = 5 if isinstance(given, Sums) else 3
    assert result.summary.states["correct"] == most
    manifest = read_manifest(tmp_path / "run")
    assert manifest.config["options"] == {"most": most, "extract": "final-line"}
    assert manifest.declared["origin"]["kind"] == "object"
    assert {r.verdict.policy for r in read_records(tmp_path / "run")} == {"final-line@2"}
    assert rescore(tmp_path / "run", "robust").states["correct"] == most


def test_an_object_names_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = asyncio.run(session.carry_out(order(Sums, "")))
    assert result.folder.name.startswith("sums-says-")


def test_what_is_no_benchmark_is_refused(tmp_path):
    with pytest.raises(InputError, match="not a class that derives"):
        asyncio.run(session.carry_out(order(dict, tmp_path / "run")))
    assert not (tmp_path / "run").exists()


def benchmark(name, **methods):
    """A benchmark with one question, some of whose methods return something else."""
    options = (Option("A", "a third", "third"), Option("B", "a fifth", "fifth"))
    words = (say("user", "C to E?"),)

    def trials(self):
        yield Trial("q", words, "C to E?", options, "third")

    returning = {key: lambda *_, each=each: each for key, each in methods.items()}
    return type("Asked", (Benchmark,), {"name": name, "trials": trials, **returning})


def one(**more):
    return [Trial("q", (say("user", "?"),), "?", (Option("A", "a", "a"),), **more)]


@pytest.mark.parametrize(
    ("methods", "why"),
    [
        ({"trials": None}, "`trials` returned NoneType: yield trials"),
        ({"trials": [{"id": "q"}]}, "a trial is of type dict, and no Trial"),
        ({"trials": one(target="b")}, "its target 'b' is the key of none of its options"),
        ({"trials": one(target="a", tags={"x": object()})}, "'q': cannot be kept as JSON"),
        ({"sequences": None}, r"sequences\(\) returned NoneType: yield them"),
    ],
)
def test_what_is_no_trial_is_refused_before_the_run(tmp_path, methods, why):
    with pytest.raises(InputError, match=why):
        asyncio.run(session.carry_out(order(benchmark("faulty", **methods), tmp_path / "run")))
    assert not (tmp_path / "run").exists()


async def silent(trial, ask):
    return "A"


@pytest.mark.parametrize(
    ("methods", "why"),
    [
        ({"score": None}, "scoring failed: TypeError: it returned NoneType, and not a Verdict"),
        ({"strategy": silent}, "the strategy returned str, and not an Exchange"),
    ],
)
def test_what_is_no_verdict_or_exchange_is_an_error_of_the_trial(tmp_path, methods, why):
    asyncio.run(session.carry_out(order(benchmark("faulty", **methods), tmp_path / "run")))
    (record,) = read_records(tmp_path / "run")
    assert record.error == why


class Needed(msgspec.Struct, frozen=True):
    most_asked: Annotated[int, Flag("how many")]


def test_a_setting_without_default_is_asked_for(tmp_path):
    kind = type("Asked", (benchmark("needs"),), {"Settings": Needed})
    with pytest.raises(InputError, match="give --most-asked: it has no default"):
        asyncio.run(session.carry_out(order(kind, tmp_path / "run")))


MODELS = """
class Model:
    def __init__(self, seed=None):
        self.name, self._seed = f"own-{seed}", seed

    async def generate(self, messages, sampling, trial):
        return f"{sampling.temperature}"


class Needs:
    def __init__(self, key):
        pass

    async def generate(self, messages, sampling, trial):
        return ""


class Fails(Model):
    async def generate(self, messages, sampling, trial):
        return [][0]


class Waits:
    def generate(self, messages, sampling, trial):
        return "A"


class Empty:
    pass


class Answers:
    async def generate(self, messages, sampling, trial):
        return "A"


def faulty(*names, result=None):
    # A class of models, some of whose methods raise, or return `result`.
    def method(self, *arguments):
        if result is None:
            raise RuntimeError("no such device")
        return result

    return type("Faulty", (Answers,), dict.fromkeys(names, method))


NoServer, NoIdentity, NoMark = faulty("check"), faulty("identity"), faulty("fingerprint")
OddIdentity = faulty("identity", result={"weights": object()})
OddMark = faulty("fingerprint", result=7)
NoCapabilities = type("Faulty", (Answers,), {"capabilities": property(lambda self: 1 / 0)})
After = faulty("describe", "report", "close")
Line = faulty("report", result="the GPU was warm")


ready = Model(7)


def sampled(messages, sampling):
    return f"{sampling.temperature} {sampling.seed}"


def sampled_question(audio_path, question, options, *, sampling):
    return f"{question} {sampling.max_tokens}"


async def later(messages, sampling=None):
    return f"{sampling.top_p}"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own_models.py"
    path.write_text(MODELS, "utf-8")
    return path


def said(spec, **sampling):
    model = open_model(spec, seed=3)
    trial = Trial("a", (say("user", "What?"),), "What?")

    async def ask():
        try:
            return await model.generate(trial.messages, Sampling(**sampling), trial)
        finally:
            await model.close()

    return model, asyncio.run(ask()).text


def test_a_class_is_made_with_what_it_asks_for(file):
    model, text = said(f"python:{file}:Model", temperature=0.5)
    assert (model.name, text) == ("own-3", "0.5")
    model, text = said(f"python:{file}:ready", temperature=0.5)
    assert (model.name, text) == ("own-7", "0.5")
    assert model.describe()["kind"] == "model"


@pytest.mark.parametrize(
    ("name", "text"), [("sampled", "0.5 9"), ("sampled_question", "What? 20"), ("later", "0.75")]
)
def test_a_function_gets_the_sampling_where_it_asks(file, name, text):
    given = {"temperature": 0.5, "seed": 9, "max_tokens": 20, "top_p": 0.75}
    assert said(f"python:{file}:{name}", **given)[1] == text


@pytest.mark.parametrize(
    ("name", "why"),
    [("Needs", "give key a default"), ("Waits", "async def generate"), ("Empty", "is a class")],
)
def test_what_is_no_model_is_one_line(file, name, why):
    with pytest.raises(InputError, match=why):
        open_model(f"python:{file}:{name}")


def test_a_class_made_by_from_options_is_of_where_its_class_came_from(tmp_path):
    rows = tmp_path / "piano.csv"
    rows.write_text("question;A;B;answer\nWhich is a key?;white;brown;A\n", "utf-8")
    out = tmp_path / "run"
    assert cli.main(["run", str(rows), "-m", "first", "--out", str(out), "--quiet"]) == 0
    kept = read_manifest(out).declared
    assert (kept["name"], kept["origin"]["kind"]) == ("questions-piano", "zhiyin")
    assert not is_missing(known(read_manifest(out)))
    given = open_benchmark("questions", {"data": str(rows)})
    asyncio.run(session.carry_out(order(given, tmp_path / "again", options={"data": str(rows)})))
    assert read_manifest(tmp_path / "again").declared["origin"] == kept["origin"]
