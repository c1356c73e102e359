"""Which replies decline, and which merely do not hear something."""

import pytest

from zhiyin.reader import is_refusal

REFUSALS = [
    "I'm sorry, but I cannot help with that.",
    "I can't help with this request.",
    "I’m sorry, but I can’t listen to audio files.",
    "I cannot listen to audio.",
    "I am unable to process audio files directly.",
    "I don't have the ability to hear music.",
    "As an AI language model, I cannot listen to recordings.",
    "As a text-based model I do not have ears.",
    "Unfortunately, I am not able to play the recording.",
    "I must decline to answer.",
    "No audio was provided.",
    "<think>Hmm.</think>I'm sorry, I can't assist with that.",
    "作为AI语言模型，我无法听音乐。",
    "作为一个人工智能助手，我不能播放音频。",
    "抱歉，我无法回答这个问题。",
    "对不起，我不能提供答案。",
    "无法回答",
    "很抱歉，我没有能力处理音频。",
    "我无法直接处理音频文件。",
    "请提供音频。",
]
ANSWERS = [
    "",
    "B",
    "The answer is B.",
    "I cannot hear any drums, so it is a piano.",
    "The melody can't be in A minor.",
    "The singer is sorry for her lover.",
    "I can help you: the answer is C.",
    "Sorry, the answer is D.",
    "The instrument is not a guitar.",
    "I'm not sure.",
    "这首歌表达了无法忘记的爱情。",
    "抱歉，答案是C。",
    "歌手唱道：对不起，我爱你。",
    "The piano helps the singer.",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals(text):
    assert is_refusal(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_answers_and_doubts_are_no_refusals(text):
    assert not is_refusal(text)
