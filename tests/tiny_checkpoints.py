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


def music_flamingo(folder: Path) -> Path:
    from transformers import (
        MusicFlamingoConfig,
        MusicFlamingoForConditionalGeneration,
        MusicFlamingoProcessor,
        WhisperFeatureExtractor,
    )

    words = tokenizer("<sound>", "<|sound_bos|>", "<|sound_eos|>")
    number = words.convert_tokens_to_ids
    config = MusicFlamingoConfig(
        audio_config={"model_type": "audioflamingo3_encoder", **_encoder()},
        text_config={"model_type": "qwen2", "vocab_size": len(words), **TEXT},
        audio_token_id=number("<sound>"),
        audio_bos_token_id=number("<|sound_bos|>"),
        audio_eos_token_id=number("<|sound_eos|>"),
    )
    processor = MusicFlamingoProcessor(
        WhisperFeatureExtractor(feature_size=128), words, chat_template=chatml("<sound>")
    )
    return save(MusicFlamingoForConditionalGeneration(config), processor, folder, words)


def qwen3_omni(folder: Path) -> Path:
    from transformers import (
        Qwen3OmniMoeThinkerConfig,
        Qwen3OmniMoeThinkerForConditionalGeneration,
        WhisperFeatureExtractor,
    )

    words = _omni_words()
    numbers = {
        f"{kind}_token_id": words.convert_tokens_to_ids(f"<|{kind.upper()}|>")
        for kind in ("audio", "image", "video")
    }
    for part in ("vision", "audio"):
        for end, name in (("start", "bos"), ("end", "eos")):
            numbers[f"{part}_{end}_token_id"] = words.convert_tokens_to_ids(f"<|{part}_{name}|>")
    config = Qwen3OmniMoeThinkerConfig(
        audio_config={**WHISPER, "output_dim": 16, "downsample_hidden_size": 8},
        vision_config={
            "depth": 1, "hidden_size": 16, "out_hidden_size": 16, "intermediate_size": 32,
            "num_heads": 2, "deepstack_visual_indexes": [0], "num_position_embeddings": 16,
        },
        text_config={
            "vocab_size": len(words), **TEXT, "head_dim": 8, "moe_intermediate_size": 16,
            "num_experts": 2, "num_experts_per_tok": 1,
            "rope_parameters": {
                "rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 1, 1],
            },
        },
        **numbers,
    )  # fmt: skip
    words.chat_template = chatml("<|audio_bos|><|AUDIO|><|audio_eos|>")
    save(Qwen3OmniMoeThinkerForConditionalGeneration(config), words, folder, words)
    WhisperFeatureExtractor(feature_size=128, return_attention_mask=True).save_pretrained(folder)
    _as_whole(
        folder, "qwen3_omni_moe", "Qwen3OmniMoeForConditionalGeneration", "Qwen3OmniMoeProcessor"
    )
    return folder


def gemma3n(folder: Path) -> Path:
    from transformers import (
        Gemma3nAudioFeatureExtractor,
        Gemma3nConfig,
        Gemma3nForConditionalGeneration,
        Gemma3nProcessor,
        SiglipImageProcessor,
    )

    words = tokenizer(
        turn_token="<|im_start|>",  # first, since the kinds of sound and picture must be last
        boi_token="<start_of_image>", boa_token="<start_of_audio>", eoi_token="<end_of_image>",
        image_token="<image_soft_token>", eoa_token="<end_of_audio>",
        audio_token="<audio_soft_token>",
    )  # fmt: skip
    number = words.convert_tokens_to_ids
    image, audio = number("<end_of_image>"), number("<end_of_audio>")
    config = Gemma3nConfig(
        text_config={
            "vocab_size": len(words), "hidden_size": 16, "intermediate_size": [32] * 4,
            "num_hidden_layers": 4, "num_attention_heads": 2, "num_key_value_heads": 1,
            "head_dim": 8, "num_kv_shared_layers": 2, "laurel_rank": 4,
            "layer_types": ["sliding_attention", "full_attention"] * 2,
            "vocab_size_per_layer_input": image, "hidden_size_per_layer_input": 8,
            "activation_sparsity_pattern": [0.0] * 4, "eos_token_id": words.eos_token_id,
            "pad_token_id": words.pad_token_id, "bos_token_id": words.pad_token_id,
        },
        vision_config={
            "architecture": "test_efficientnet", "hidden_size": 16, "vocab_size": 2,
            "vocab_offset": image,
        },
        audio_config={
            "vocab_size": 2, "vocab_offset": audio, "hidden_size": 16,
            "conf_num_attention_heads": 2, "conf_num_hidden_layers": 1,
            "sscp_conv_channel_size": [8, 4],
        },
        boi_token_id=number("<start_of_image>"), eoi_token_id=image,
        image_token_id=number("<image_soft_token>"), boa_token_id=number("<start_of_audio>"),
        eoa_token_id=audio, audio_token_id=number("<audio_soft_token>"),
    )  # fmt: skip
    processor = Gemma3nProcessor(
        Gemma3nAudioFeatureExtractor(), SiglipImageProcessor(), words,
        chat_template=chatml("<audio_soft_token>"),
    )  # fmt: skip
    return save(Gemma3nForConditionalGeneration(config), processor, folder, words, 0.1)


def phi4_multimodal(folder: Path) -> Path:
    from transformers import (
        Phi4MultimodalConfig,
        Phi4MultimodalFeatureExtractor,
        Phi4MultimodalForCausalLM,
        Phi4MultimodalImageProcessor,
        Phi4MultimodalProcessor,
    )

    words = tokenizer(image_token="<|image|>", audio_token="<|audio|>")
    number = words.convert_tokens_to_ids
    config = Phi4MultimodalConfig(
        vocab_size=len(words), **TEXT, pad_token_id=words.pad_token_id, bos_token_id=None,
        eos_token_id=words.eos_token_id,
        audio_config={
            "hidden_size": 16, "intermediate_size": 32, "num_blocks": 2,
            "num_attention_heads": 2, "ext_pw_out_channel": 16,
            "depthwise_separable_out_channel": 16, "nemo_conv_channels": 8,
            "audio_token_id": number("<|audio|>"),
        },
        vision_config={
            "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
            "num_attention_heads": 2, "crop_size": 28, "image_size": 28,
            "image_token_id": number("<|image|>"),
        },
    )  # fmt: skip
    words.chat_template = chatml("<|audio|>")
    processor = Phi4MultimodalProcessor(
        Phi4MultimodalImageProcessor(), Phi4MultimodalFeatureExtractor(), words
    )
    save(Phi4MultimodalForCausalLM(config), processor, folder, words)
    place = folder / "config.json"
    told = json.loads(place.read_text("utf-8")) | {"architectures": ["Phi4MMForCausalLM"]}
    place.write_text(json.dumps(told), "utf-8")
    return folder


def granite_speech(folder: Path) -> Path:
    from transformers import (
        GraniteSpeechConfig,
        GraniteSpeechFeatureExtractor,
        GraniteSpeechForConditionalGeneration,
        GraniteSpeechProcessor,
    )

    words = tokenizer("<|audio|>")
    config = GraniteSpeechConfig(
        text_config={"model_type": "granite", "vocab_size": len(words), **TEXT},
        encoder_config={
            "num_layers": 2, "hidden_dim": 16, "num_heads": 2, "dim_head": 8, "output_dim": 8,
            "context_size": 50, "max_pos_emb": 64, "dropout": 0.0,
        },
        projector_config={
            "model_type": "blip_2_qformer", "hidden_size": 16, "num_hidden_layers": 1,
            "num_attention_heads": 2, "intermediate_size": 32, "encoder_hidden_size": 16,
        },
        audio_token_index=words.convert_tokens_to_ids("<|audio|>"), has_lora_adapter=False,
    )  # fmt: skip
    words.chat_template = chatml("<|audio|>")
    processor = GraniteSpeechProcessor(GraniteSpeechFeatureExtractor(), words)
    return save(GraniteSpeechForConditionalGeneration(config), processor, folder, words)


KINDS = {
    "text": text,
    "qwen2_audio": qwen2_audio,
    "qwen2_5_omni": qwen2_5_omni,
    "audio_flamingo3": audio_flamingo3,
    "voxtral": voxtral,
    "music_flamingo": music_flamingo,
    "qwen3_omni": qwen3_omni,
    "gemma3n": gemma3n,
    "phi4_multimodal": phi4_multimodal,
    "granite_speech": granite_speech,
}
NEEDED = {
    "voxtral": ("mistral_common", "soxr"),
    "gemma3n": ("torchvision", "timm"),
    "phi4_multimodal": ("torchvision",),
    "granite_speech": ("torchaudio",),
}
"""What a kind needs beside torch and transformers."""


def let_torchvision_load() -> Any:
    """Declare what a torchvision built for GPUs looks for in a torch that is built without.

    Before transformers is imported; the caller keeps what is returned.
    """
    import torch

    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


def main() -> None:
    """Write one kind, or all that need nothing more, into the folder that is named first."""
    import sys

    folder, *kinds = sys.argv[1:]
    for name in kinds or [name for name in KINDS if name not in NEEDED]:
        print(name, KINDS[name](Path(folder) / name))


if __name__ == "__main__":
    main()
