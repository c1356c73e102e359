"""The released example of MuChoMusic, read from the user's clone."""

from __future__ import annotations

from pathlib import Path

from zhiyin.errors import InputError, missing_package

FILE = "muchomusic_eval/configs/default.yaml"
_MEND = "give the folder of a clone of mulab-mir/muchomusic"


def read_released(folder: str) -> tuple[str, ...]:
    """The worked examples in the released configuration, word for word and in its order.

    Parameters
    ----------
    folder : str
        The clone.

    Raises
    ------
    InputError
        PyYAML is not installed, there is no such file, or it holds no list of texts.
    """
    try:
        import yaml
    except ImportError:
        raise missing_package("PyYAML", "released") from None
    path = Path(folder) / FILE
    try:
        config = yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise InputError(f"--released {folder}: {FILE}: {error.strerror}: {_MEND}") from None
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        raise InputError(f"{path}: not YAML: {_MEND}") from None
    examples = config.get("in_context_examples") if isinstance(config, dict) else None
    if not (examples and isinstance(examples, list) and all(isinstance(e, str) for e in examples)):
        raise InputError(f"{path}: no list of texts under in_context_examples: {_MEND}")
    return tuple(examples)
