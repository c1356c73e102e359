"""What models, benchmarks, scorers and words of plug-ins declare to the core."""

from collections import Counter

import pytest
import test_likelihood
from test_said_of_all import OF_ALL, facts_of

from zhiyin import Capabilities
from zhiyin.benchmarks.questions.scoring import open_scorer, scorers
from zhiyin.cli import main
from zhiyin.contract.registry import declared as declaration_of
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.engine.folder import Manifest
from zhiyin.models import open_model
from zhiyin.models.capabilities import capabilities_of
from zhiyin.runs.ways import ways_of
from zhiyin.session.selection import Selection
from ziqi_layout import write_ziqi


@pytest.mark.parametrize("spec", ["random", "first", "listener", "lexical", "http://h/v1#m"])
def test_every_model_of_ours_declares(spec) -> None:
    assert capabilities_of(open_model(spec)) != Capabilities()


DESCRIBED = ["mmau", "mmar", "muchomusic", "rul", "cmi", "muse", "mmau-pro", "msu-bench"]


@pytest.mark.parametrize("name", [*DESCRIBED, "mmar-rubrics"])
def test_ours_say_where_their_data_are_from(name):
    kind = find(name)
    assert kind.described.paper == kind.paper != ""
    assert all(source.home for source in kind.sources())


def test_benchmarks_keep_their_ways_with_the_run():
    kept = declaration_of(find("muchomusic"))
    manifest = Manifest("muchomusic", "random", {}, {}, 0, declared=kept)
    assert ways_of(manifest) == find("muchomusic").ways
    assert "ways" not in declaration_of(find("questions"))


def test_scorers_by_name():
    assert set(scorers()) == {
        "exact", "normalised", "contains", "number", "regex", "set-f1", "edit", "wer", "cer",
        "notes", "yes-no", "judge",
    }  # fmt: skip
    for also, name in (("normalized", "normalised"), ("f1", "set-f1"), ("regexp", "regex"),
                       ("yes_no", "yes-no")):  # fmt: skip
        assert open_scorer(also)[0] is scorers()[name]


def test_a_sample_of_the_published_size_is_in_proportion(tmp_path):
    benchmark = open_benchmark("ziqi", {"data": str(write_ziqi(tmp_path / "z", 60)), "seed": 3})
    sample = list(Selection(benchmark, sample=120, seed=3))
    assert len(sample) == 120
    groups = Counter(trial.groups for trial in benchmark.trials())
    found = Counter(trial.groups for trial in sample)
    for name, count in groups.items():
        assert abs(found[name] - 120 * count / len(benchmark)) <= 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_says_of_how_many_or_of_whom(language):
    for name, facts in OF_ALL.items():
        assert facts & facts_of(name, language), f"{name} ({language}) takes none of {facts}"


questions = test_likelihood.questions


@pytest.mark.parametrize("model", ["random", "listener"])
def test_who_gives_no_numbers_is_refused_before_the_run(model, tmp_path, questions, capsys):
    order = ["run", str(questions), "-m", model, "--out", str(tmp_path / "run")]
    assert main([*order, "--score", "loglikelihood"]) == 2
    assert "gives no log-probabilities" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
