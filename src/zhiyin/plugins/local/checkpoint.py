"""A checkpoint: how it is written, where it lies, how it is loaded, and what it takes.

Every row of `FAMILIES` was tried with transformers 5.23 on a checkpoint of that architecture: clips
of 40 s, two clips, and batches of clips of unequal length against each clip alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.words import Text, said

Mask = Literal["clips", "windows", "embeddings", "tokens", ""]


class Family(NamedTuple):
    """Facts of an architecture.

    Attributes
    ----------
    name : str
        For people.
    clips : int or None
        In one prompt; None for no limit.
    alike : bool
        Whether only prompts with clips of equal length are asked together: others change each
        other's answers.
    mixes : bool
        Whether prompts with and without sound are asked together.
    system : bool
        Whether a system message may stand beside sound; else it is put before the user's words.
    mask : {"clips", "windows", "embeddings", "tokens", ""}
        Where it shows how much was heard: a row of the mask a clip; rows for each window of 30 s;
        a count of embeddings of 0.08 s; tokens of 0.1 s in the prompt; nowhere.
    sound : str
        What stands for a sound in the text, where the processor does not say.
    cached : bool
        Whether the prompt's cache may be repeated for each continuation; see `likelihood`.
    """

    name: str
    clips: int | None = None
    alike: bool = False
    mixes: bool = True
    system: bool = True
    mask: Mask = "clips"
    sound: str = ""
    cached: bool = True


TEXT = Family("text")
UNTRIED = Family("not tried by us", alike=True, mixes=False, cached=False)
"""Whatever follows the protocol of processors: asked together only where nothing can be padded."""

FAMILIES: dict[str, Family] = {
    "qwen2_audio": Family("Qwen2-Audio"),
    "qwen2_5_omni": Family("Qwen2.5-Omni"),
    "qwen3_omni_moe": Family("Qwen3-Omni"),
    "audioflamingo3": Family("Audio Flamingo 3", clips=1, mixes=False, mask="windows"),
    "musicflamingo": Family("Music Flamingo", clips=1, mixes=False, mask="windows"),
    "voxtral": Family("Voxtral", system=False, mask=""),
    "gemma3n": Family("Gemma 3n"),
    "phi4_multimodal": Family("Phi-4-multimodal", alike=True, mask="embeddings"),
    "granite_speech": Family("Granite Speech", alike=True, mask="tokens"),
}


def family_of(config: Any) -> Family:
    """The family of a config: one of `FAMILIES`, `UNTRIED` for others that hear, or `TEXT`."""
    known = FAMILIES.get(config.model_type.removesuffix("_thinker"))
    if known:
        return known
    hears = any(
        getattr(config, name, None) is not None
        for name in ("audio_config", "audio_token_id", "audio_token_index", "thinker_config")
    )
    return UNTRIED if hears else TEXT


class ModelOption(NamedTuple):
    """One option.

    Attributes
    ----------
    help : str
        What it sets.
    values : tuple of str
        What it may be; empty for anything.
    whole : bool
        Whether it is a whole number above 0.
    matters : bool
        Whether answers may depend on it, so that another value makes another run.
    """

    help: str
    values: tuple[str, ...] = ()
    whole: bool = False
    matters: bool = True


class Spec(NamedTuple):
    """A local model as the user wrote it.

    Attributes
    ----------
    name : str
        Kind, place, and the options on which answers may depend.
    place : str
        A folder, or the id of a repository on the Hugging Face hub.
    options : dict of str to str
    """

    name: str
    place: str
    options: dict[str, str]

    def number(self, name: str) -> int | None:
        """An option that is a whole number; None where it is not given."""
        return int(self.options[name]) if name in self.options else None

    @property
    def folder(self) -> Path | None:
        """The folder, where the place is one."""
        path = Path(self.place).expanduser()
        return path if path.is_dir() else None


def read_spec(kind: str, rest: str, known: Mapping[str, ModelOption]) -> Spec:
    """Read ``PLACE[,OPTION=VALUE...]``.

    Raises
    ------
    InputError
        No place, an unknown option, or a value that it cannot have.
    """
    place, *words = [word.strip() for word in rest.split(",")]
    if not place:
        raise InputError(said("local-incomplete", kind=kind))
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise InputError(said("local-option", kind=kind, place=place, word=repr(word)))
        if name not in known:
            raise InputError(said(
                "local-no-option", kind=kind, place=place, name=repr(name),
                hint=did_you_mean(name, known),
            ))  # fmt: skip
        choice = known[name]
        if choice.values and value not in choice.values:
            allowed = ", ".join(choice.values)
            raise InputError(said(
                "local-one-of", kind=kind, place=place, name=name, value=value, allowed=allowed
            ))  # fmt: skip
        if choice.whole and not (value.isdecimal() and int(value) > 0):
            raise InputError(said("local-whole", kind=kind, place=place, name=name, value=value))
        options[name] = value
    path = Path(place).expanduser()
    if not path.is_dir() and (place[0] in "./~" or place.count("/") > 1):
        raise InputError(said("local-no-folder", kind=kind, place=place))
    shown = [f"{name}={options[name]}" for name in sorted(options) if known[name].matters]
    return Spec(",".join([f"{kind}:{place}", *shown]), place, options)


_THINKERS = {
    "qwen2_5_omni": "Qwen2_5OmniThinkerForConditionalGeneration",
    "qwen2_5_omni_thinker": "Qwen2_5OmniThinkerForConditionalGeneration",
    "qwen3_omni_moe": "Qwen3OmniMoeThinkerForConditionalGeneration",
    "qwen3_omni_moe_thinker": "Qwen3OmniMoeThinkerForConditionalGeneration",
    "phi4_multimodal": "Phi4MultimodalForCausalLM",
}
"""Classes for types whose published configs name one that transformers lacks, or too large a one.

The thinker of an Omni model writes; its talker, which speaks, is left out.
"""
_MAPPINGS = ("AutoModelForMultimodalLM", "AutoModelForSeq2SeqLM", "AutoModelForCausalLM")
PACKAGES = ("torch", "transformers")
_SAMPLED, _WHOLE, _BLOCK = 64, 64 * 2**20, 2**16
_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")


class Checkpoint:
    """Checkpoint that a spec names: a folder, or a repository of the hub at one commit.

    Nothing is read or fetched before it is asked for.

    Parameters
    ----------
    spec : Spec
        Its options ``revision`` and ``code`` count here.

    Raises
    ------
    InputError
        transformers or torch are not installed, or a revision is named of a folder.
    """

    def __init__(self, spec: Spec) -> None:
        for package in PACKAGES:
            if importlib.util.find_spec(package) is None:
                raise missing_package(package, "hf")
        self.spec = spec
        self.revision = spec.options.get("revision")
        self._own_code = spec.options.get("code") == "trusted"
        if spec.folder and self.revision:
            raise InputError(said("local-revision", spec=spec.name))

    @cached_property
    def config_file(self) -> Path:
        """The ``config.json``; fetched where it is not in the hub's cache.

        Raises
        ------
        InputError
            It cannot be had.
        """
        if folder := self.spec.folder:
            if not (folder / "config.json").is_file():
                raise InputError(said("local-no-config", name=self.spec.name))
            return folder / "config.json"
        from huggingface_hub import hf_hub_download

        try:
            return Path(hf_hub_download(self.spec.place, "config.json", revision=self.revision))
        except Exception as error:  # a dozen kinds: no such repository, closed, no network, ...
            raise InputError(
                said("error-at", where=self.spec.name, why=_fetch_fault(error))
            ) from None

    @cached_property
    def commit(self) -> str | None:
        """The commit of the hub's repository; None for a folder."""
        return None if self.spec.folder else self.config_file.parent.name

    def fingerprint(self) -> str:
        """SHA-256 of what the checkpoint is: the commit, or what lies in the folder.

        Files of weights larger than 64 MB are known by their size and by 64 blocks of 64 kB,
        spread evenly: training moves every block.
        """
        total = hashlib.sha256()
        if self.commit:
            total.update(self.commit.encode())
            return total.hexdigest()
        for path in sorted(self.config_file.parent.iterdir()):
            weights = path.suffix in _WEIGHTS
            if not path.is_file() or not (weights or path.suffix in (".json", ".jinja", ".model")):
                continue
            total.update(f"{path.name}:{path.stat().st_size}\0".encode())
            with path.open("rb") as file:
                for block in _sampled(file, path.stat().st_size):
                    total.update(block)
        return total.hexdigest()

    @cached_property
    def config(self) -> Any:
        """The config, as transformers reads it. Raises `InputError`."""
        from transformers import AutoConfig

        return self._load(AutoConfig, "config.json")

    def processor(self, hears: bool) -> Any:
        """Load what turns text, and sound where the model `hears`, into the model's inputs.

        A processor that also reads pictures and cannot be loaded, because what it needs for them is
        not installed, is made without its part for pictures.

        Raises
        ------
        InputError
        """
        from transformers import AutoProcessor, AutoTokenizer

        if not hears:
            return self._load(AutoTokenizer, "its tokenizer")
        try:
            return self._load(AutoProcessor, "its processor")
        except InputError:
            without = self._without_pictures()
            if without is None:
                raise
            return without

    def model(self, dtype: str, device: str, attention: str | None) -> Any:
        """The model with its weights, on its device, ready to be asked.

        Parameters
        ----------
        dtype : str
            "auto" for the checkpoint's own, or a name such as "bfloat16".
        device : str
            "spread" for all GPUs that there are, or one such as "cuda:1" or "cpu".
        attention : str or None
            transformers' name of an implementation.

        Raises
        ------
        InputError
            It cannot be loaded, or weights are missing and would be random.
        """
        kind = self._model_class()
        more: dict[str, object] = {"dtype": dtype, "output_loading_info": True}
        if attention:
            more["attn_implementation"] = attention
        placed = importlib.util.find_spec("accelerate") is not None
        if placed:  # weights go where they belong at once, those in four or eight bits too
            more["device_map"] = "auto" if device == "spread" else {"": device}
        elif device == "spread":
            raise missing_package("accelerate", "hf")
        model, loading_info = self._load(kind, "the model", **more)
        missing = sorted(
            {*loading_info["missing_keys"], *(k[0] for k in loading_info["mismatched_keys"])}
        )
        if missing:
            raise InputError(said(
                "local-lacks", name=self.spec.name, missing=len(missing), kind=kind.__name__,
                first=missing[0],
            ))  # fmt: skip
        if not placed:
            try:
                model = model.to(device)
            except Exception as error:
                raise self._fault("the model", error) from None
        return model.eval()

    def _model_class(self) -> Any:
        """The class that fits the config."""
        import transformers

        config = self.config
        named = [_THINKERS.get(config.model_type), *(config.architectures or ())]
        for name in filter(None, named):
            kind = getattr(transformers, name, None)
            if hasattr(kind, "generate"):  # others classify, embed, ...
                return kind
        if self._own_code and getattr(config, "auto_map", None):
            return transformers.AutoModelForCausalLM
        for name in _MAPPINGS:
            mapping = getattr(transformers, name, None)
            if mapping is not None and type(config) in mapping._model_mapping:
                return mapping
        raise InputError(said(
            "local-no-class", name=self.spec.name, version=transformers.__version__,
            type=repr(config.model_type),
        ))  # fmt: skip

    def _without_pictures(self) -> Any:
        """A processor for text and sound alone, where its class reads pictures too; or None."""
        import transformers

        known = {"qwen2_5_omni": "Qwen2_5OmniProcessor", "qwen3_omni_moe": "Qwen3OmniMoeProcessor"}
        place = self.config.model_type.removesuffix("_thinker")
        if place not in known:
            return None
        # By its file: under transformers' own name is what asks for the library of pictures.
        module = importlib.import_module(f"transformers.models.{place}.processing_{place}")
        whole: Any = getattr(module, known[place])

        class SoundProcessor(whole):  # type: ignore[misc]
            def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
                if argument is None:
                    return None
                return super().check_argument_for_proper_class(argument_name, argument)

        words = self._load(transformers.AutoTokenizer, "its tokenizer")
        hearing = self._load(transformers.AutoFeatureExtractor, "its feature extractor")
        return SoundProcessor(None, None, hearing, words, chat_template=words.chat_template)

    def _load(self, kind: Any, what: str, **more: Any) -> Any:
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            with _quiet(logging):
                return kind.from_pretrained(
                    self.spec.folder or self.spec.place,
                    revision=self.commit,
                    trust_remote_code=self._own_code,
                    **more,
                )
        except InputError:
            raise
        except Exception as error:
            raise self._fault(what, error) from None

    def _fault(self, what: str, error: BaseException) -> InputError:
        return InputError(
            said("local-unloaded", name=self.spec.name, what=what, fault=_load_fault(error))
        )


@contextlib.contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Keep transformers' remarks to itself while it loads: what matters is checked."""
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)


def _sampled(file: Any, size: int) -> Iterator[bytes]:
    if size <= _WHOLE:
        while block := file.read(2**20):
            yield block
        return
    for part in range(_SAMPLED):
        file.seek((size - _BLOCK) * part // (_SAMPLED - 1))
        yield file.read(_BLOCK)


def _load_fault(error: BaseException) -> Text:
    """Say what to do about an error of loading, on one line."""
    message = " ".join(str(error).split())
    chain, at = [message], error.__cause__ or error.__context__
    while at is not None and len(chain) < 8:
        chain.append(str(at))
        at = at.__cause__ or at.__context__
    whole = " ".join(chain)
    if "torchvision::nms" in whole or "_torchaudio" in whole or "Could not import module" in whole:
        return said("local-torchvision", message=message[:120])
    if "trust_remote_code" in whole:
        return said("local-own-code")
    if "out of memory" in whole.lower():
        return said("local-memory")
    return f"{type(error).__name__}: {message[:300]}"


_FETCH_FAULTS = {
    "RepositoryNotFoundError": said("local-no-repository"),
    "GatedRepoError": said("local-gated"),
    "RevisionNotFoundError": said("local-no-revision"),
    "EntryNotFoundError": said("local-no-entry"),
    "RemoteEntryNotFoundError": said("local-no-entry"),
}
"""Why a repository's config cannot be had, by the name of the error."""


def _fetch_fault(error: BaseException) -> Text:
    kind = type(error).__name__
    if kind in ("LocalEntryNotFoundError", "OfflineModeIsEnabled", "ConnectionError"):
        return said("local-no-hub", offline=bool(os.environ.get("HF_HUB_OFFLINE")))
    return _FETCH_FAULTS.get(kind, f"{kind}: {' '.join(str(error).split())[:200]}")
