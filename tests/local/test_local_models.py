"""Checkpoints on this machine: tiny ones of the real architectures, asked on the CPU."""

import asyncio
import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from zhiyin.errors import ModelError
from zhiyin.models import open_model
from zhiyin.record import Likelihood, Reply, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Text, Trial, say

if importlib.util.find_spec("torch") is None:
    pytest.skip("torch is not installed (extra hf)", allow_module_level=True)

import tiny_checkpoints as tiny
from local_help import (
    CUT,
    HEARING,
    TOKENS,
    ask,
    checkpoints,
    clips,
    heard,
    loaded,
    one_by_one,
    words,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("torch"),  # one process: torch is slow to import
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["text", *HEARING])
def test_batches_change_no_greedy_answer(kind):
    model = loaded(kind)
    trials = words(11) if kind == "text" else heard()
    together, alone = ask(model, trials), one_by_one(model, trials)
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert any(reply.text for reply in together)
    assert model.batcher.batches < model.batcher.done, "nothing was asked together"
    for reply in together:
        assert reply.usage["prompt_tokens"] > 10
        assert 0 < reply.usage["completion_tokens"] <= 8
        assert reply.latency_s > 0
        json.dumps(reply.detail)


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", HEARING)
def test_another_sound_is_another_input(kind):
    model = loaded(kind)
    what = Likelihood(continuations=("A", "B", "a fugue"))
    trials = [
        Trial(f"t{hertz}", (Message("user", (clips(2, hertz), Text("What?"))),))
        for hertz in (220, 880)
    ]
    first, second = ask(model, trials, what)
    moved = [abs(first.logprobs[w] - second.logprobs[w]) for w in what.continuations]
    assert max(moved) > 0.01, "the model is deaf, or is given no sound"


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", HEARING)
def test_what_was_heard_is_logged_beside_what_was_sent(kind):
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
    import torch

    work = model.work
    prompt = work.inputs.prompt(trial.messages)
    made = work.inputs.batch([prompt], work.ears.all([prompt.sounds]))
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


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ["text", *HEARING])
def test_log_probabilities_are_those_of_a_hand_written_loop(kind):
    model = loaded(kind)
    trials = words(2) if kind == "text" else heard()[1:3]
    options = ("A", "a mass", "in D")
    found = ask(model, trials, Likelihood(continuations=options))
    assert all(reply.text == "" for reply in found)
    for trial, reply in zip(trials, found, strict=True):
        for option in options:
            expected = by_hand(model, trial, option)
            assert reply.logprobs[option] == pytest.approx(expected, abs=1e-4)


def test_prompts_of_no_family_are_scored_in_one_pass_with_the_same_numbers():
    work = loaded("text").work
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


def test_a_cache_that_cannot_be_repeated_gives_the_same_numbers(monkeypatch):
    from transformers import Cache

    likely = Likelihood(continuations=("A", "a fugue in D"))
    first = ask(loaded("text"), words(3), likely)
    monkeypatch.delattr(Cache, "batch_select_indices")
    again = ask(loaded("text"), words(3), likely)
    for one, other in zip(first, again, strict=True):
        assert other.logprobs == pytest.approx(one.logprobs, abs=1e-4)


def test_on_a_gpu_attention_that_is_wrong_or_slow_to_be_ready_is_left_out():
    import torch
    from transformers import FalconConfig, Qwen2AudioConfig, Qwen3Config

    from zhiyin.plugins.local.decoding import kernels_for, shares_keys

    def allowed():
        cuda = torch.backends.cuda
        return cuda.cudnn_sdp_enabled(), cuda.mem_efficient_sdp_enabled(), cuda.math_sdp_enabled()

    before = allowed()
    for place, config, shares in (
        ("cuda:0", Qwen3Config(num_key_value_heads=8), False),
        ("cuda:0", Qwen3Config(num_key_value_heads=1), True),
        ("cuda:0", FalconConfig(multi_query=True), True),
        ("cuda:0", Qwen2AudioConfig(text_config={"num_key_value_heads": 1}), True),
        ("cuda:0", Qwen2AudioConfig(), False),
        ("cpu", Qwen3Config(num_key_value_heads=1), True),
    ):
        assert shares_keys(config) == shares
        with kernels_for(torch.device(place), one_head=shares):
            assert allowed() == (before if place == "cpu" else (False, not shares, True))
        assert allowed() == before
    assert loaded("text").work._one_head
    assert loaded("qwen2_audio").work._one_head


def test_drawn_replies_depend_on_seed_and_trial_and_on_no_neighbour():
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


def test_draws_have_the_distribution_that_was_asked_for():
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


def test_a_checkpoints_own_taste_holds_only_where_it_is_asked_for():
    generation = loaded("text").work.generation
    assert generation.own["repetition_penalty"] == pytest.approx(1.3)
    assert generation.draw(Sampling()).temperature == 0
    assert generation.draw(Sampling(temperature=None)).temperature == pytest.approx(0.7)
    assert loaded("text").work.model.generation_config.repetition_penalty in (None, 1.0)


def test_a_reply_at_its_limit_is_cut_off_and_one_that_ends_is_not():
    generation, inputs = loaded("text").work.generation, loaded("text").work.inputs
    end = next(iter(generation.ends))
    assert generation.reply([65, 66, end, 67], inputs.words, 4).finish == "stop"
    assert generation.reply([65, 66, 67, 68], inputs.words, 4).finish == "length"
    ended = generation.reply([65, 66, end, 67], inputs.words, 4)
    assert ended.usage["completion_tokens"] == 3
    assert len(ended.text) == 2


def test_thinking_is_turned_off_where_the_template_knows_how(tmp_path):
    with pytest.raises(ModelError, match="cannot turn thinking off"):
        ask(loaded("text"), words(1), Sampling(max_tokens=2, thinking="off"))
    here = tmp_path / "thinks"
    shutil.copytree(checkpoints("text"), here)
    template = (
        "{{ messages[-1].content }}{% if enable_thinking is defined and not enable_thinking %}"
        "<think></think>{% endif %}"
    )
    (here / "chat_template.jinja").write_text(template)
    model = open_model(f"hf:{here}")
    asyncio.run(model.check())
    inputs, messages = model.work.inputs, words(1)[0].messages
    assert inputs.prompt(messages).text == "Which 0? "
    assert inputs.prompt(messages, thinks=False).text == "Which 0? <think></think>"
    asyncio.run(model.close())


def test_memory_that_runs_out_halves_the_batch_and_is_told(monkeypatch):
    import torch

    model = open_model(f"hf:{checkpoints('text')}")
    trials = words(12)
    wanted = [reply.text for reply in ask(loaded("text"), trials)]
    asyncio.run(model.check())
    own, tried = model.work.model.generate, []

    def generate(**tensors):
        rows = tensors["input_ids"].shape[0]
        tried.append(rows)
        if rows > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return own(**tensors)

    monkeypatch.setattr(model.work.model, "generate", generate)
    assert [reply.text for reply in ask(model, trials)] == wanted
    assert max(tried) > 2
    assert any("memory ran out" in line for line in model.report())
    asyncio.run(model.close())


def test_a_model_without_a_chat_template_gets_the_words_alone(tmp_path):
    here = tmp_path / "base"
    shutil.copytree(checkpoints("text"), here)
    (here / "chat_template.jinja").unlink()
    base = open_model(f"hf:{here},device=cpu")
    asyncio.run(base.check())
    inputs = base.work.inputs
    assert inputs.prompt(words(1)[0].messages).text == "Be brief.\n\nWhich 0? "
    trial = words(2)[1]
    found = ask(base, [trial], Likelihood(continuations=("A",)))[0].logprobs["A"]
    assert found == pytest.approx(by_hand(base, trial, " A"), abs=1e-4)
    asyncio.run(base.close())


def test_a_template_that_takes_no_system_message_gets_its_words_first(tmp_path):
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
    text = strict.work.inputs.prompt(words(1)[0].messages).text
    assert text == "<|im_start|>user: Be brief.\n\nWhich 0? "
    asyncio.run(strict.close())


def test_words_that_look_like_a_sound_are_an_error_and_no_other_prompt():
    trial = Trial("t", (Message("user", (clips(2), Text("What is <|AUDIO|> for?"))),))
    with pytest.raises(ModelError, match="it writes 2 of 1 sounds"):
        ask(loaded("qwen2_audio"), [trial])


def test_a_recording_that_has_changed_is_an_error_of_its_trial(tmp_path):
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


def test_a_part_of_a_recording_is_what_is_heard():
    whole = clips(5)
    part = Audio(whole.path, whole.sha256, whole.seconds, 1.0, 2.5)
    reply = ask(loaded("qwen2_audio"), [Trial("t", (Message("user", (part, Text("What?"))),))])[0]
    assert reply.detail["audio_seconds"] == 1.5
    assert reply.detail["audio_seconds_heard"] == pytest.approx(1.5, abs=0.02)


def test_a_prompt_longer_than_the_model_was_made_for_is_an_error(tmp_path):
    short = open_model(f"hf:{tiny.text(tmp_path / 'short', max_position_embeddings=64)}")
    long = Trial("t", (say("user", "word " * 40),))
    with pytest.raises(ModelError, match="made for 64"):
        ask(short, [long])
    near = ask(short, [Trial("t", (say("user", "w" * 10),))], Sampling(max_tokens=500))[0]
    assert near.usage["prompt_tokens"] + near.usage["completion_tokens"] <= 64
    asyncio.run(short.close())


def test_first_calls_that_come_at_once_load_the_model_once():
    model = open_model(f"hf:{checkpoints('text')},device=cpu")
    load, loads = model.load, []
    model.load = lambda: loads.append(1) or load()
    assert len(ask(model, words(6))) == 6
    assert len(loads) == 1
    asyncio.run(model.close())
