"""Checkpoints on this machine: tiny ones of the real architectures, asked on the CPU."""

import asyncio
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, ModelError
from zhiyin.models import open_model
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Likelihood, Reply, Sampling
from zhiyin.session import running as session
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Option, Text, Trial, say

os.environ["HF_HUB_OFFLINE"] = "1"  # before its library is imported: nothing is fetched here
torch = pytest.importorskip("torch", reason="torch is not installed (extra hf)")
if importlib.util.find_spec("transformers") is None:
    pytest.skip("transformers is not installed (extra hf)", allow_module_level=True)

import tiny_checkpoints as tiny  # noqa: E402

if importlib.util.find_spec("torchvision"):
    try:
        import torchvision  # noqa: F401
    except RuntimeError:  # a build for GPUs beside a torch without
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        KEPT = tiny.let_torchvision_load()

pytestmark = pytest.mark.xdist_group("torch")  # one process: torch is slow to import

HEARING = tuple(kind for kind in tiny.KINDS if kind != "text")
CUT = {"qwen2_audio": 30.0, "qwen2_5_omni": 30.0, "gemma3n": 29.97}
"""Seconds that are heard of 40 by those that cut without a word."""
TOKENS = Sampling(max_tokens=8)
OPTIONS = tuple(
    Option(letter, text, letter)
    for letter, text in zip("ABC", ("a fugue in D", "a mass", "one of two marches"), strict=True)
)


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory):
    """Folders of tiny checkpoints, made when they are first asked for."""
    root, made = tmp_path_factory.mktemp("tiny"), {}

    def get(kind: str) -> Path:
        for package in tiny.NEEDED.get(kind, ()):
            if importlib.util.find_spec(package) is None:
                pytest.skip(f"{package} is not installed, which {kind} needs")
        if kind not in made:
            made[kind] = tiny.KINDS[kind](root / kind)
        return made[kind]

    return get


@pytest.fixture(scope="session")
def loaded(checkpoints):
    """Open models, loaded once; each caller asks in its own event loop."""
    models = {}

    def get(kind: str):
        if kind not in models:
            models[kind] = open_model(f"hf:{checkpoints(kind)}")
            asyncio.run(models[kind].check())
        return models[kind]

    yield get
    for model in models.values():
        asyncio.run(model.close())


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    """A recording of so many seconds, 22,050 Hz in stereo: neither what a model hears."""
    root = tmp_path_factory.mktemp("clips")

    def get(seconds: float, hertz: float = 220.0) -> Audio:
        import soundfile

        path = root / f"{seconds}-{hertz}.wav"
        if not path.exists():
            time = np.arange(int(seconds * 22050)) / 22050
            draw = np.random.default_rng(int(hertz))
            both = 0.3 * np.sin(2 * np.pi * hertz * time)[:, None] + 0.02 * draw.normal(
                size=(len(time), 2)
            )
            soundfile.write(path, both, 22050)
        return audio_part(path)

    return get


def words(count: int) -> list[Trial]:
    return [
        Trial(f"t{n}", (say("system", "Be brief."), say("user", f"Which {n}? " * (n % 5 + 1))))
        for n in range(count)
    ]


def heard(clips) -> list[Trial]:
    """Trials of four lengths; one has words before and after its sound, and a system message."""
    found = []
    for n, (seconds, hertz) in enumerate([(5, 220), (5, 440), (2, 330), (3.3, 880)]):
        parts = (Text("Listen: "),) * (n % 2) + (clips(seconds, hertz), Text(f"What is {n}?"))
        opened = (say("system", "Be brief."),) * (n % 2)
        found.append(Trial(f"t{n}", (*opened, Message("user", parts)), "What?", OPTIONS, "A"))
    return found


def ask(model, trials, sampling=TOKENS) -> list[Reply]:
    async def together():
        return await asyncio.gather(*(model.generate(t.messages, sampling, t) for t in trials))

    return asyncio.run(together())


def one_by_one(model, trials, sampling=TOKENS) -> list[Reply]:
    return [ask(model, [trial], sampling)[0] for trial in trials]


@pytest.mark.parametrize("kind", ["text", *HEARING])
def test_batches_change_no_greedy_answer(kind, loaded, clips):
    model = loaded(kind)
    trials = words(11) if kind == "text" else heard(clips)
    together, alone = ask(model, trials), one_by_one(model, trials)
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert any(reply.text for reply in together)
    assert model._batcher.batches < model._batcher.done, "nothing was asked together"
    for reply in together:
        assert reply.usage["prompt_tokens"] > 10
        assert 0 < reply.usage["completion_tokens"] <= 8
        assert reply.latency_s > 0
        json.dumps(reply.detail)


@pytest.mark.parametrize("kind", HEARING)
def test_another_sound_is_another_input(kind, loaded, clips):
    model = loaded(kind)
    what = Likelihood(continuations=("A", "B", "a fugue"))
    trials = [
        Trial(f"t{hertz}", (Message("user", (clips(2, hertz), Text("What?"))),))
        for hertz in (220, 880)
    ]
    first, second = ask(model, trials, what)
    moved = [abs(first.logprobs[w] - second.logprobs[w]) for w in what.continuations]
    assert max(moved) > 0.01, "the model is deaf, or is given no sound"


@pytest.mark.parametrize("kind", HEARING)
def test_what_was_heard_is_logged_beside_what_was_sent(kind, loaded, clips):
    model = loaded(kind)
    asked = Trial("t", (Message("user", (clips(40), Text("What?"))),))
    short = Trial("s", (Message("user", (clips(2), Text("What?"))),))
    reply, other = ask(model, [asked, short])
    assert reply.detail["audio_seconds"] == 40
    assert reply.detail["audio_seconds_heard"] == pytest.approx(CUT.get(kind, 40), abs=0.01)
    assert other.detail["audio_seconds_heard"] == pytest.approx(2, abs=0.05)
    assert reply.detail["audio_rate"] == [16000]
    assert len(reply.detail["audio_sha256"][0]) == 64
    told = " ".join(model.report())
    assert ("of 40.0 s it heard 30.0 s" in told) == (kind in CUT)


def by_hand(model, trial: Trial, option: str) -> float:
    """The log-probability of an option: one row, no cache, a forward pass for every token."""
    work = model._work
    prompt = work.inputs.prompt(trial.messages)
    made = work.inputs.batch([prompt], [work.ears.all(prompt.sounds)])
    tokens = dict(made.tensors)
    total = 0.0
    for token in work.inputs.words.encode(option, add_special_tokens=False):
        with torch.no_grad():
            logits = work.model(**tokens).logits[0, -1].double()
        total += float(logits.log_softmax(-1)[token])
        tokens["input_ids"] = torch.cat([tokens["input_ids"], torch.tensor([[token]])], -1)
        one = torch.ones((1, 1), dtype=tokens["attention_mask"].dtype)
        tokens["attention_mask"] = torch.cat([tokens["attention_mask"], one], -1)
    return total


@pytest.mark.parametrize("kind", ["text", *HEARING])
def test_log_probabilities_are_those_of_a_hand_written_loop(kind, loaded, clips):
    model = loaded(kind)
    trials = words(2) if kind == "text" else heard(clips)[1:3]
    options = ("A", "a mass", "in D")
    found = ask(model, trials, Likelihood(continuations=options))
    assert all(reply.text == "" for reply in found)
    for trial, reply in zip(trials, found, strict=True):
        for option in options:
            expected = by_hand(model, trial, option)
            assert reply.logprobs[option] == pytest.approx(expected, abs=1e-4)


def test_prompts_of_no_family_are_scored_in_one_pass_with_the_same_numbers(loaded):
    work = loaded("text")._work
    options = ("A", "a fugue in D")
    first = ask(loaded("text"), words(3), Likelihood(continuations=options))
    family = work.inputs.family
    try:
        work.inputs.family = family._replace(cached=False)
        again = ask(loaded("text"), words(3), Likelihood(continuations=options))
    finally:
        work.inputs.family = family
    for one, other in zip(first, again, strict=True):
        assert other.logprobs == pytest.approx(one.logprobs, abs=1e-4)


def test_drawn_replies_depend_on_seed_and_trial_and_on_no_neighbour(loaded):
    model = loaded("text")
    drawn = Sampling(temperature=1.0, max_tokens=8, seed=5)
    trials = words(6)
    texts = [reply.text for reply in ask(model, trials, drawn)]
    assert texts == [reply.text for reply in one_by_one(model, trials, drawn)]
    assert texts != [r.text for r in ask(model, trials, Sampling(1.0, 8, seed=6))]
    assert texts != [r.text for r in ask(model, trials)]
    same = [Trial(f"r{n}", trials[0].messages) for n in range(6)]
    assert len({reply.text for reply in ask(model, same, drawn)}) > 1, "repeats are drawn alike"
    greedy = [reply.text for reply in ask(model, trials)]
    assert [r.text for r in ask(model, trials, Sampling(1.0, 8, top_k=1, seed=5))] == greedy


def test_draws_have_the_distribution_that_was_asked_for(loaded):
    model, trial = loaded("text"), words(1)[0]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    known = ask(model, [trial], Likelihood(continuations=tuple(letters)))[0].logprobs
    likely = max(known, key=known.get)
    many = [Trial(f"d{n}", trial.messages) for n in range(600)]
    drawn = ask(model, many, Sampling(temperature=1.0, max_tokens=1, seed=1))
    share = sum(reply.text == likely for reply in drawn) / len(drawn)
    expected = np.exp(known[likely])
    spread = np.sqrt(expected * (1 - expected) / len(drawn))
    assert abs(share - expected) < 4 * spread


def test_a_checkpoints_own_taste_holds_only_where_it_is_asked_for(loaded):
    generation = loaded("text")._work.generation
    assert generation.own["repetition_penalty"] == pytest.approx(1.3)
    assert generation.draw(Sampling()).temperature == 0
    assert generation.draw(Sampling(temperature=None)).temperature == pytest.approx(0.7)
    assert loaded("text")._work.model.generation_config.repetition_penalty in (None, 1.0)


def test_a_reply_at_its_limit_is_cut_off_and_one_that_ends_is_not(loaded):
    generation, inputs = loaded("text")._work.generation, loaded("text")._work.inputs
    end = next(iter(generation.ends))
    assert generation.reply([65, 66, end, 67], inputs.words, 4).finish == "stop"
    assert generation.reply([65, 66, 67, 68], inputs.words, 4).finish == "length"
    ended = generation.reply([65, 66, end, 67], inputs.words, 4)
    assert ended.usage["completion_tokens"] == 3
    assert len(ended.text) == 2


def test_thinking_is_kept_and_is_no_answer():
    from zhiyin.models.local.decoding import without_thinking

    for text, answer, thought in [
        ("<think>A or B?</think>\n\nB", "B", "A or B?"),
        ("A or B?</think>B", "B", "A or B?"),  # opened by the template itself
        ("<think>A or", "", "A or"),
        ("plain B", "plain B", None),
    ]:
        reply = Reply(text)
        without_thinking(reply)
        assert (reply.text, reply.detail.get("reasoning")) == (answer, thought)


def test_memory_that_runs_out_halves_the_batch_and_is_told(checkpoints, loaded, monkeypatch):
    model = open_model(f"hf:{checkpoints('text')}")
    trials = words(12)
    wanted = [reply.text for reply in ask(loaded("text"), trials)]
    asyncio.run(model.check())
    own, tried = model._work.model.generate, []

    def generate(**tensors):
        rows = tensors["input_ids"].shape[0]
        tried.append(rows)
        if rows > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return own(**tensors)

    monkeypatch.setattr(model._work.model, "generate", generate)
    assert [reply.text for reply in ask(model, trials)] == wanted
    assert max(tried) > 2
    assert any("memory ran out" in line for line in model.report())
    asyncio.run(model.close())


def test_a_model_without_a_chat_template_gets_the_words_alone(tmp_path, checkpoints):
    here = tmp_path / "base"
    shutil.copytree(checkpoints("text"), here)
    (here / "chat_template.jinja").unlink()
    base = open_model(f"hf:{here}")
    asyncio.run(base.check())
    inputs = base._work.inputs
    assert inputs.prompt(words(1)[0].messages).text == "Be brief.\n\nWhich 0? "
    trial = words(2)[1]
    found = ask(base, [trial], Likelihood(continuations=("A",)))[0].logprobs["A"]
    assert found == pytest.approx(by_hand(base, trial, " A"), abs=1e-4)
    asyncio.run(base.close())


def test_a_template_that_takes_no_system_message_gets_its_words_first(tmp_path, checkpoints):
    here = tmp_path / "strict"
    shutil.copytree(checkpoints("text"), here)
    refusing = (
        "{% for m in messages %}{% if m['role'] == 'system' %}"
        "{{ raise_exception('System role not supported') }}{% endif %}"
        "<|im_start|>{{ m['role'] }}: {{ m['content'] }}{% endfor %}"
    )
    (here / "chat_template.jinja").write_text(refusing)
    strict = open_model(f"hf:{here}")
    asyncio.run(strict.check())
    text = strict._work.inputs.prompt(words(1)[0].messages).text
    assert text == "<|im_start|>user: Be brief.\n\nWhich 0? "
    asyncio.run(strict.close())


def test_words_that_look_like_a_sound_are_an_error_and_no_other_prompt(loaded, clips):
    trial = Trial("t", (Message("user", (clips(2), Text("What is <|AUDIO|> for?"))),))
    with pytest.raises(ModelError, match="it writes 2 of 1 sounds"):
        ask(loaded("qwen2_audio"), [trial])


def test_a_recording_that_has_changed_is_an_error_of_its_trial(loaded, clips, tmp_path):
    copy = tmp_path / "copy.wav"
    shutil.copy(clips(2).path, copy)
    sound = audio_part(copy)
    copy.write_bytes(Path(clips(2, 330).path).read_bytes())
    trials = [
        Trial(name, (Message("user", (clip, Text("What?"))),))
        for name, clip in (("changed", sound), ("same", clips(2)))
    ]
    model = loaded("qwen2_audio")

    async def both():
        asked = (model.generate(t.messages, TOKENS, t) for t in trials)
        return await asyncio.gather(*asked, return_exceptions=True)

    changed, same = asyncio.run(both())
    assert "has changed since the trial was made" in str(changed)
    assert isinstance(same, Reply)


def test_a_part_of_a_recording_is_what_is_heard(loaded, clips):
    whole = clips(5)
    part = Audio(whole.path, whole.sha256, whole.seconds, 1.0, 2.5)
    reply = ask(loaded("qwen2_audio"), [Trial("t", (Message("user", (part, Text("What?"))),))])[0]
    assert reply.detail["audio_seconds"] == 1.5
    assert reply.detail["audio_seconds_heard"] == pytest.approx(1.5, abs=0.02)


def test_a_limit_refuses_what_would_be_cut(tmp_path, checkpoints, clips):
    spec = f"hf:{checkpoints('qwen2_audio')}"
    with pytest.raises(InputError, match="the model takes 3 s"):
        carry_out(TwoSounds.make(clips), spec, tmp_path / "run", SoundPolicy(limit=3.0))


def test_a_prompt_longer_than_the_model_was_made_for_is_an_error(tmp_path):
    short = open_model(f"hf:{tiny.text(tmp_path / 'short', max_position_embeddings=64)}")
    long = Trial("t", (say("user", "word " * 40),))
    with pytest.raises(ModelError, match="made for 64"):
        ask(short, [long])
    near = ask(short, [Trial("t", (say("user", "w" * 10),))], Sampling(max_tokens=500))[0]
    assert near.usage["prompt_tokens"] + near.usage["completion_tokens"] <= 64
    asyncio.run(short.close())


# Whole runs


def questions(tmp_path: Path, clips) -> Path:
    rows = []
    for n in range(3):
        shutil.copy(clips(2, 220 + 110 * n).path, tmp_path / f"{n}.wav")
        rows.append(
            {
                "id": f"q{n}", "question": f"What is heard in number {n}?", "audio": f"{n}.wav",
                "options": ["a fugue", "a mass", "a march"], "answer": "a mass",
            }
        )  # fmt: skip
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class TwoSounds:
    """A benchmark whose trials play two sounds each."""

    @staticmethod
    def make(clips):
        from zhiyin.contract.benchmark import Benchmark, NoSettings

        class Pairs(Benchmark):
            name = "pairs-of-sounds"

            def trials(self):
                for n in range(2):
                    first, second = clips(2, 220 + n), clips(3.3, 440 + n)
                    said = Message("user", (first, Text("or"), second, Text("Which is higher?")))
                    yield Trial(f"p{n}", (said,), "Which is higher?", OPTIONS[:2], "A")

        return Pairs(NoSettings())


def carry_out(benchmark, model, out, sound=None, **more):
    order = session.Order(
        benchmark, model, {}, TOKENS, None, str(out), Limits(0, 60.0, 0), sound or SoundPolicy(),
        **more,
    )  # fmt: skip
    return asyncio.run(session.carry_out(order))


def test_two_clips_are_refused_before_the_run_by_a_model_that_takes_one(
    tmp_path, checkpoints, clips, monkeypatch
):
    from zhiyin.models.local import hf

    monkeypatch.setattr(hf.HfModel, "_load", lambda self: pytest.fail("the model was loaded"))
    spec = f"hf:{checkpoints('audio_flamingo3')}"
    with pytest.raises(InputError, match=r"plays 2 sounds, and the model takes 1: .*--join-clips"):
        carry_out(TwoSounds.make(clips), spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_clips_are_joined_where_that_is_asked_for(tmp_path, checkpoints, clips):
    spec = f"hf:{checkpoints('audio_flamingo3')}"
    result = carry_out(
        TwoSounds.make(clips), spec, tmp_path / "run", SoundPolicy(join=0.5), score="loglikelihood"
    )
    assert result.summary["states"]["error"] == 0
    for record in read_records(tmp_path / "run"):
        detail = record.exchange.final.detail
        assert detail["joined"]["spans_s"] == [[0.0, 2.0], [2.5, 5.8]]
        assert detail["audio_seconds"] == pytest.approx(5.8, abs=0.01)
        assert detail["audio_seconds_heard"] == pytest.approx(5.8, abs=0.05)
        assert len(record.trial.messages[0].parts) == 4, "the trial is logged as it was made"
    assert any("joined into one" in remark for remark in result.summary["remarks"])
    assert read_manifest(tmp_path / "run").config["sound"]["join"] == 0.5


def test_sound_for_a_model_of_text_is_refused_before_the_run(tmp_path, checkpoints, clips):
    with pytest.raises(InputError, match="plays sound, and the model takes none"):
        carry_out(TwoSounds.make(clips), f"hf:{checkpoints('text')}", tmp_path / "run")


def test_a_run_from_the_command_line_goes_on_and_knows_its_checkpoint(
    tmp_path, checkpoints, clips, capsys
):
    here = tmp_path / "checkpoint"
    shutil.copytree(checkpoints("qwen2_audio"), here)
    path = questions(tmp_path, clips)
    order = [
        "run", str(path), "-m", f"hf:{here},batch=2", "--out", str(tmp_path / "run"),
        "--max-tokens", "4", "--quiet", "--score", "loglikelihood",
    ]  # fmt: skip
    assert main([*order, "--limit", "2"]) == 0
    assert main(order) == 0
    shown = capsys.readouterr().out
    assert "By log-probability of the options" in shown
    manifest = read_manifest(tmp_path / "run")
    assert manifest.decoding["dtype"] == "float32"
    assert manifest.decoding["architecture"] == "qwen2_audio"
    assert manifest.decoding["revision"] is None
    assert [session.asked for session in manifest.sessions] == [2, 1]
    for record in read_records(tmp_path / "run"):
        noted = record.exchange.notes["loglikelihood"]
        assert set(noted) == {"letter", "text", "letter_prior", "text_prior"}
        assert set(noted["text"]) == {"A", "B", "C"}
        assert all(value < 0 for numbers in noted.values() for value in numbers.values())
        assert "loglikelihood.text-prior" in record.verdict.scores
    # Other weights under the same name are another model.
    weights = here / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-100] ^= 1
    weights.write_bytes(bytes(data))
    assert main(order) == 2
    assert "model_data" in capsys.readouterr().err


def test_ctrl_c_in_the_middle_of_a_reply_ends_the_run_cleanly(tmp_path, checkpoints, clips):
    import signal
    import subprocess
    import time

    path = questions(tmp_path, clips)
    order = [
        sys.executable, "-m", "zhiyin", "run", str(path), "-m",
        f"hf:{checkpoints('qwen2_audio')},batch=1", "--out", str(tmp_path / "run"),
        "--max-tokens", "100000", "--quiet", "--concurrency", "2",
    ]  # fmt: skip
    running = subprocess.Popen(order, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not (tmp_path / "run" / "run.json").exists() and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)  # twice: not to wait for replies in flight
    _, told = running.communicate(timeout=120)
    assert running.returncode == 130, told
    assert "terminate called" not in told
    assert "Traceback" not in told


# What is wrong with a checkpoint is one line


def why(spec: str) -> str:
    model = open_model(spec)

    def look():
        model.fingerprint()
        assert model.family
        asyncio.run(model.check())

    with pytest.raises(InputError) as caught:
        look()
    told = str(caught.value)
    assert "\n" not in told
    return told


def test_a_folder_that_is_no_checkpoint(tmp_path):
    assert "no config.json" in why(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text("{}")
    assert "cannot be loaded" in why(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text('{"model_type": "no-such-thing"}')
    assert "no-such-thing" in why(f"hf:{tmp_path}")


def test_a_repository_that_cannot_be_had():
    assert "hub" in why("hf:nobody/has-this-model")


def test_a_repository_is_fixed_to_its_commit(tmp_path, checkpoints):
    import subprocess

    commit, cache = "0123456789abcdef0123456789abcdef01234567", tmp_path / "cache"
    here = cache / "models--someone--tiny"
    shutil.copytree(checkpoints("text"), here / "snapshots" / commit)
    (here / "refs").mkdir()
    (here / "refs" / "main").write_text(commit)
    rows = {"id": "q", "question": "Which?", "options": ["a", "b"], "answer": "a"}
    (tmp_path / "q.jsonl").write_text(json.dumps(rows) + "\n")
    done = subprocess.run(
        [
            sys.executable, "-m", "zhiyin", "run", "q.jsonl", "-m", "hf:someone/tiny", "--out",
            "run", "--max-tokens", "3", "--quiet",
        ],
        cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(tmp_path / "run")
    assert manifest.decoding["revision"] == commit
    assert manifest.model == "hf:someone/tiny"
    assert len(manifest.config["model_data"]) == 64


def test_weights_that_are_missing_are_never_random(tmp_path, checkpoints):
    from safetensors.torch import load_file, save_file

    here = tmp_path / "c"
    shutil.copytree(checkpoints("text"), here)
    weights = load_file(here / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "q_proj" not in name}
    save_file(kept, here / "model.safetensors", {"format": "pt"})
    assert "they would be random" in why(f"hf:{here}")


def test_a_gpu_that_is_not_there(checkpoints):
    if torch.cuda.is_available():
        pytest.skip("there is one")
    assert "no GPUs are here" in why(f"hf:{checkpoints('text')},device=cuda:3")
    assert "write cpu, cuda" in why(f"hf:{checkpoints('text')},device=tpu")


def test_a_torchvision_that_does_not_fit_is_named(checkpoints, monkeypatch):
    import transformers

    def broken(*args, **more):
        raise RuntimeError("operator torchvision::nms does not exist")

    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", broken)
    assert "do not fit this torch" in why(f"hf:{checkpoints('text')}")


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_named(package, monkeypatch, tmp_path):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == package else real(name, *a)
    )
    with pytest.raises(
        InputError, match=rf"{package} is not installed: pip install 'zhiyin\[hf\]'"
    ):
        open_model(f"hf:{tmp_path}")


def test_opening_a_checkpoint_imports_neither_torch_nor_transformers(checkpoints):
    import subprocess

    code = (
        "import sys; from zhiyin.models import open_model; "
        f"open_model('hf:{checkpoints('text')}'); "
        "print([m for m in ('torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
