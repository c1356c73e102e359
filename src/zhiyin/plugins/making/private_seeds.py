"""Private seeds: when the questions of a run were chosen.

The maker of a test from a private seed publishes its commitment, SHA-256 of the seed and a salt,
before any model is asked. The seed stays with them, and with it the questions. Shown later, seed
and salt prove that the questions were not chosen after the answers.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.resolved import COMMITMENT
from zhiyin.contract.session_parts import SessionPart
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import NOT_JSON, read_regular, write_private
from zhiyin.flags import Flag
from zhiyin.text import quoted
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings

_BITS = 62  # too many for the sums of the run to give it away
_COMMITMENT_FORM = re.compile(r"[0-9a-f]{64}")


class SecretSeed(msgspec.Struct, frozen=True):
    """A seed, and the salt without which its commitment could be guessed."""

    seed: int
    salt: str

    @property
    def commitment(self) -> str:
        """SHA-256 of the words ``zhiyin seed``, seed and salt, with spaces between."""
        return hashlib.sha256(f"zhiyin seed {self.seed} {self.salt}".encode()).hexdigest()


def make_seed(place: Path) -> SecretSeed:
    """Draw a seed and write it to a new file that only its owner reads.

    Raises
    ------
    InputError
        There is such a file, or it cannot be written.
    """
    made = SecretSeed(secrets.randbelow(1 << _BITS), secrets.token_hex(16))
    with reworded(said("seed-there", path=place, why="")):
        write_private(place, msgspec.json.encode(made) + b"\n")
    return made


def read_seed(place: Path) -> SecretSeed:
    """The seed in a file that `make_seed` wrote. Raises `InputError` where it is none."""
    try:
        return msgspec.json.decode(read_regular(place), type=SecretSeed)
    except OSError as error:
        make = f"`zhiyin seed {quoted(place)}`"
        raise InputError(
            said("seed-unread", place=place, strerror=system_words(error), make=make)
        ) from None
    except NOT_JSON:
        raise InputError(said("seed-none", place=place)) from None


class SeedFile(msgspec.Struct, frozen=True):
    """The private seed of a run.

    Attributes
    ----------
    private_seed : FILE
        a seed of `zhiyin seed`, in the place of --seed
    commitment : str
        Its commitment, when the file has been read: then the seed is among the run's options.
    """

    private_seed: Annotated[str, Flag(typed=True)]
    commitment: str = ""


class PrivateSeed(SessionPart):
    """The private seed of a run. Its commitment makes the run another one."""

    Settings = SeedFile
    untold = frozenset({"seed"})

    @classmethod
    def restore(cls, manifest: Manifest, folder: Path | None) -> SeedFile | None:
        """A file that only its owner knows."""
        commitment = manifest.config.get(COMMITMENT, "")
        return SeedFile("FILE", commitment) if commitment else None

    def refuse(self, order: RunSettings) -> None:
        """One seed is enough."""
        if order.options.get("seed") and not self.settings.commitment:
            raise InputError(said("seed-both"))

    def prepare(self, order: RunSettings) -> RunSettings:
        """An order with the seed that the file holds, and what was committed to."""
        if self.settings.commitment:
            return order
        secret = read_seed(Path(self.settings.private_seed))
        own = msgspec.structs.replace(self.settings, commitment=secret.commitment)
        return msgspec.structs.replace(
            order,
            options={**order.options, "seed": secret.seed},
            added={**order.added, self.name: own},
        )

    def describe(self, manifest: Manifest) -> None:
        """Name the commitment."""
        manifest.config[COMMITMENT] = self.settings.commitment


def check_commitment(seed: SecretSeed, commitment: str) -> None:
    """Raise `InputError` where a seed is not the one that was committed to."""
    if not _COMMITMENT_FORM.fullmatch(commitment):
        raise InputError(said("seed-digits", commitment=repr(commitment[:80])))
    if seed.commitment != commitment:
        raise InputError(said("seed-other", commitment=seed.commitment))


def check_run(seed: SecretSeed, folder: Path) -> None:
    """Look whether a run was made with a seed: it says so, and the seed makes its items.

    Raises
    ------
    InputError
        It was not, or its items cannot be made here.
    """
    manifest = read_manifest(folder)
    if manifest.config.get(COMMITMENT) != seed.commitment:
        raise InputError(said("seed-not-run", folder=folder))
    if manifest.options.get("seed") != seed.seed:
        raise InputError(said("seed-run-other", folder=folder))
    here = open_benchmark(manifest, manifest.options).fingerprint()
    if here != manifest.config.get("data"):
        raise InputError(said("seed-items", folder=folder))
