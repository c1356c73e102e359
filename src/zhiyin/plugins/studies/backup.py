"""Backups of a study."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from zhiyin.archives import opened_zip
from zhiyin.errors import InputError, reworded
from zhiyin.files import whole_or_nothing
from zhiyin.plugins.music.made_files import whole_folder
from zhiyin.plugins.studies.design import DATABASE, FILE, KEY
from zhiyin.words import said


def back_up(folder: Path, out: Path) -> int:
    """Write a whole study, with its answers as they are at one instant, into one ZIP file.

    People may go on answering meanwhile. Returns the number of files.

    Raises
    ------
    InputError
        There is no study, the file is there already, or its answers are in another data base.
    OSError
        It cannot be written as a whole; nothing is left of it.
    """
    if not (folder / FILE).is_file():
        raise InputError(said("backup-no-study", folder=folder, file=FILE))
    if not (folder / DATABASE).is_file():
        raise InputError(said("backup-postgres", folder=folder, database=DATABASE))
    if out.absolute().is_relative_to(folder.absolute()):
        raise InputError(said("backup-inside", out=out, folder=folder))
    if out.exists():
        raise InputError(said("backup-there", out=out))
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary, DATABASE)
        source, target = sqlite3.connect(folder / DATABASE), sqlite3.connect(copy)
        with source, target:
            source.backup(target)
        source.close()
        target.close()
        files = [
            path for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(DATABASE)
        ]  # fmt: skip
        with whole_or_nothing(out) as unfinished:  # half of one is no backup
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # has the key
            with (
                os.fdopen(handle, "wb") as raw,
                zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed,
            ):
                for path in files:
                    packed.write(path, path.relative_to(folder))
                packed.write(copy, DATABASE)
    return len(files) + 1


def restore(file: Path, folder: Path) -> int:
    """Unpack a backup into a new folder. Returns the number of files.

    Raises
    ------
    InputError
        It is no backup, or the folder holds something.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(said("backup-full", folder=folder))
    with opened_zip(file) as packed:
        names = packed.namelist()
        if FILE not in names or DATABASE not in names:
            raise InputError(said("backup-broken", file=file))
        with reworded(f"{file}: cannot be restored (", ")"), whole_folder(folder) as unfinished:
            packed.extractall(unfinished)  # zipfile leaves out drives, roots and ".."
    for name in (KEY, DATABASE):
        if (folder / name).is_file():
            (folder / name).chmod(0o600)
    return len(names)
