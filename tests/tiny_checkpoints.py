"""Tiny checkpoints of real architectures, made at random and saved as published ones are.

They have one layer of width 16 and a byte-level tokenizer, and weigh less than a megabyte. Their
weights are drawn much wider than the library's own, or a model would hardly hear its sound and a
test of hearing could not fail. Special tokens but the last are suppressed, since a random model
would write the token that stands for sound.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['content'] is string %}{{ m['content'] }}{% else %}"
    "{% for p in m['content'] %}"
    "{% if p['type'] == 'audio' %}SOUND{% else %}{{ p['text'] }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEXT = {
    "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
    "num_key_value_heads": 1, "max_position_embeddings": 32768,
}  # fmt: skip
WHISPER = {
    "num_mel_bins": 128, "d_model": 16, "encoder_layers": 1, "encoder_attention_heads": 2,
    "encoder_ffn_dim": 32, "dropout": 0.0, "activation_dropout": 0.0, "attention_dropout": 0.0,
}  # fmt: skip


def tokenizer(*more: str, **named: str) -> Any:
    """256 bytes and some special tokens; `named` are known to the processor by those names."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import Qwen2Tokenizer

    return Qwen2Tokenizer(
        vocab={sign: number for number, sign in enumerate(sorted(ByteLevel.alphabet()))},
        merges=[],
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        extra_special_tokens=["<|im_start|>", *more, *named.values()],
        model_specific_special_tokens=named,
    )


def chatml(sound: str = "") -> str:
    """A chat template in which a sound is written as `sound`."""
    return CHATML.replace("SOUND", sound)


def save(model: Any, processor: Any, folder: Path, words: Any, spread: float = 0.3) -> Path:
    """Draw the weights anew, suppress special tokens, and write the folder."""
    import torch

    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() >= 2:
                parameter.normal_(0.0, spread, generator=generator)
    end = words.eos_token_id
    settings = model.generation_config
    settings.eos_token_id, settings.pad_token_id = end, words.pad_token_id
    settings.suppress_tokens = [n for n in range(256, len(words)) if n != end]
    settings.repetition_penalty, settings.do_sample, settings.temperature = 1.3, True, 0.7
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def text(folder: Path, **more: Any) -> Path:
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer()
    words.chat_template = chatml()
    config = LlamaConfig(
        vocab_size=len(words), eos_token_id=words.eos_token_id, pad_token_id=words.pad_token_id,
        bos_token_id=None, **{**TEXT, **more},
    )  # fmt: skip
    return save(LlamaForCausalLM(config), words, folder, words)


def qwen2_audio(folder: Path) -> Path:
    from transformers import (
        Qwen2AudioConfig,
        Qwen2AudioForConditionalGeneration,
        Qwen2AudioProcessor,
        WhisperFeatureExtractor,
    )

    words = tokenizer("<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
    config = Qwen2AudioConfig(
        audio_config=WHISPER,
        text_config={"model_type": "qwen2", "vocab_size": len(words), **TEXT},
        audio_token_index=words.convert_tokens_to_ids("<|AUDIO|>"),
    )
    hearing = WhisperFeatureExtractor(feature_size=128)
    processor = Qwen2AudioProcessor(hearing, words)
    return save(Qwen2AudioForConditionalGeneration(config), processor, folder, words)


def audio_flamingo3(folder: Path, most_seconds: int = 600) -> Path:
    from transformers import (
        AudioFlamingo3Config,
        AudioFlamingo3ForConditionalGeneration,
        AudioFlamingo3Processor,
        WhisperFeatureExtractor,
    )

    words = tokenizer("<sound>")
    config = AudioFlamingo3Config(
        audio_config={"model_type": "audioflamingo3_encoder", **_encoder()},
        text_config={"model_type": "qwen2", "vocab_size": len(words), **TEXT},
        audio_token_id=words.convert_tokens_to_ids("<sound>"),
    )
    processor = AudioFlamingo3Processor(
        WhisperFeatureExtractor(feature_size=128), words, chat_template=chatml("<sound>"),
        max_audio_len=most_seconds,
    )  # fmt: skip
    return save(AudioFlamingo3ForConditionalGeneration(config), processor, folder, words)


def _encoder() -> dict[str, Any]:
    """The encoder of a Flamingo, whose fields have other names."""
    return {
        "num_mel_bins": 128, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 32, "layerdrop": 0.0,
    }  # fmt: skip


def _omni_words() -> Any:
    return tokenizer(
        image_token="<|IMAGE|>", audio_token="<|AUDIO|>", video_token="<|VIDEO|>",
        vision_bos_token="<|vision_bos|>", vision_eos_token="<|vision_eos|>",
        audio_bos_token="<|audio_bos|>", audio_eos_token="<|audio_eos|>",
    )  # fmt: skip


def qwen2_5_omni(folder: Path, most_samples: int = 480_000) -> Path:
    """A thinker, under the name that published configs give the whole model."""
    from transformers import (
        Qwen2_5OmniThinkerConfig,
        Qwen2_5OmniThinkerForConditionalGeneration,
        WhisperFeatureExtractor,
    )

    words = _omni_words()
    numbers = {
        f"{kind}_token_index": words.convert_tokens_to_ids(f"<|{kind.upper()}|>")
        for kind in ("audio", "image", "video")
    }
    for part in ("vision", "audio"):
        for end, name in (("start", "bos"), ("end", "eos")):
            numbers[f"{part}_{end}_token_id"] = words.convert_tokens_to_ids(f"<|{part}_{name}|>")
    config = Qwen2_5OmniThinkerConfig(
        audio_config={**WHISPER, "output_dim": 16},
        vision_config={
            "depth": 1, "hidden_size": 16, "out_hidden_size": 16, "intermediate_size": 32,
            "num_heads": 2, "fullatt_block_indexes": [0],
        },
        text_config={
            "vocab_size": len(words), **TEXT,
            "rope_parameters": {
                "rope_type": "default", "rope_theta": 1e6, "mrope_section": [1, 1, 2],
            },
        },
        **numbers,
    )  # fmt: skip
    model = Qwen2_5OmniThinkerForConditionalGeneration(config)
    hearing = WhisperFeatureExtractor(
        feature_size=128, chunk_length=most_samples // 16000, return_attention_mask=True
    )
    words.chat_template = chatml("<|audio_bos|><|AUDIO|><|audio_eos|>")
    save(model, words, folder, words)
    hearing.save_pretrained(folder)
    _as_whole(folder, "qwen2_5_omni", "Qwen2_5OmniModel", "Qwen2_5OmniProcessor")
    return folder


def _as_whole(folder: Path, kind: str, model: str, processor: str) -> None:
    """Make a thinker's folder that of a whole Omni model, named as published ones are."""
    from safetensors.torch import load_file, save_file

    place = folder / "preprocessor_config.json"
    told = json.loads(place.read_text("utf-8")) | {"processor_class": processor}
    place.write_text(json.dumps(told), "utf-8")
    thinker = json.loads((folder / "config.json").read_text("utf-8"))
    whole = {
        "architectures": [model], "model_type": kind, "enable_audio_output": True,
        "dtype": "float32", "thinker_config": thinker, "transformers_version": "4.52.0",
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(whole), "utf-8")
    weights = load_file(folder / "model.safetensors")
    named = {f"thinker.{name}": value for name, value in weights.items()}
    save_file(named, folder / "model.safetensors", {"format": "pt"})


def voxtral(folder: Path) -> Path:
    from transformers import (
        MistralCommonBackend,
        VoxtralConfig,
        VoxtralForConditionalGeneration,
        VoxtralProcessor,
        WhisperFeatureExtractor,
    )

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tekken.json").write_text(json.dumps(_tekken()), "utf-8")
    words = MistralCommonBackend.from_pretrained(str(folder))
    size = 256 + 40
    config = VoxtralConfig(
        audio_config={"model_type": "voxtral_encoder", **WHISPER_AS_VOXTRAL},
        text_config={"model_type": "llama", "vocab_size": size, **TEXT, "head_dim": 8},
        audio_token_id=24,
    )
    model = VoxtralForConditionalGeneration(config)
    processor = VoxtralProcessor(WhisperFeatureExtractor(feature_size=128), words)
    import torch

    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() >= 2:
                parameter.normal_(0.0, 0.3, generator=generator)
    model.generation_config.eos_token_id = 2
    model.generation_config.pad_token_id = 11
    model.generation_config.suppress_tokens = [n for n in range(40) if n != 2]
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


WHISPER_AS_VOXTRAL = {
    "num_mel_bins": 128, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 64,
}  # fmt: skip


def _tekken() -> dict[str, Any]:
    named = {0: "<unk>", 1: "<s>", 2: "</s>", 3: "[INST]", 4: "[/INST]", 11: "<pad>",
             24: "[AUDIO]", 25: "[BEGIN_AUDIO]", 34: "[TRANSCRIBE]"}  # fmt: skip
    others = ["[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]",
              "[TOOL_CALLS]", "[IMG]", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
              "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]"]  # fmt: skip
    spare = iter([*others, *(f"<SPECIAL_{n}>" for n in range(40))])
    special = [
        {"rank": n, "token_str": named[n] if n in named else next(spare), "is_control": True}
        for n in range(40)
    ]
    vocabulary = [
        {"rank": n, "token_bytes": base64.b64encode(bytes([n])).decode(), "token_str": None}
        for n in range(256)
    ]
    return {
        "config": {
            "pattern": r"[^\s]+|\s+", "num_vocab_tokens": 256, "default_vocab_size": 296,
            "default_num_special_tokens": 40, "version": "v7",
        },
        "vocab": vocabulary,
        "special_tokens": special,
        "audio": {
            "sampling_rate": 16000, "frame_rate": 12.5,
            "audio_encoding_config": {
                "num_mel_bins": 128, "hop_length": 160, "window_size": 400,
            },
            "chunk_length_s": 30.0,
        },
    }  # fmt: skip


KINDS = {
    "text": text,
    "qwen2_audio": qwen2_audio,
    "qwen2_5_omni": qwen2_5_omni,
    "audio_flamingo3": audio_flamingo3,
    "voxtral": voxtral,
}
"""Those that need nothing but torch and transformers (Voxtral: mistral-common and soxr too)."""


def main() -> None:
    """Write every kind into the folder that is named."""
    import sys

    for name, make in KINDS.items():
        print(name, make(Path(sys.argv[1]) / name))


if __name__ == "__main__":
    main()
