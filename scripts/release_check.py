"""Builds wheel and sdist, installs the wheel alone in a clean environment, and tries it there.

``python scripts/release_check.py`` (or ``make release-check``). What the README shows first is
run as it stands there, by a user who has nothing but the wheel: no source beside it, no other
package.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST = 5
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
NO_CODE = {".md", ".txt", ".json", ".jsonl", ".csv", ".svg", ".toml", ".html", ".css", ".js"}


def first_commands(readme: str, count: int = FIRST) -> list[str]:
    """The first commands that the README shows in blocks of ``sh``."""
    lines = [line for block in BLOCK.findall(readme) for line in block.splitlines()]
    return [line.strip() for line in lines if line.startswith("zhiyin ")][:count]


def build(out: Path) -> tuple[Path, Path]:
    """Wheel and sdist, the wheel built from the sdist, and nothing else for `uv publish`."""
    for old in (*out.glob("*.whl"), *out.glob("*.tar.gz")):
        old.unlink()
    call(sys.executable, "-m", "build", "--outdir", str(out), str(ROOT))
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


def missing_files(wheel: Path) -> list[str]:
    """Files of the package in the source that the wheel lacks."""
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    tracked = call("git", "-C", str(ROOT), "ls-files", "src/zhiyin").split()
    wanted = [name.removeprefix("src/") for name in tracked]
    return [name for name in wanted if name not in held]


def foreign_files(sdist: Path) -> list[str]:
    """Files in the sdist that are not in the repository, but for what the build writes."""
    tracked = set(call("git", "-C", str(ROOT), "ls-files").split())
    with tarfile.open(sdist) as archive:
        names = [m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()]
    made = ("PKG-INFO", "setup.cfg")
    return [n for n in names if n not in tracked and n not in made and ".egg-info/" not in n]


def call(*words: str, **settings: object) -> str:
    """Run a command; its output, or an end with it."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, **settings)  # type: ignore[call-overload]
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def try_in(folder: Path, wheel: Path) -> list[str]:
    """Install the wheel into a new environment and do what the README says first."""
    venv.create(folder / "venv", with_pip=True)
    binary = folder / "venv" / "bin"
    # Whatever leads Python to this source would be found in the place of the wheel.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    call(str(binary / "python"), "-m", "pip", "install", "--quiet", str(wheel), env=clean)
    desk = folder / "desk"
    desk.mkdir()
    keep = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    path = f"{binary}:/usr/local/bin:/usr/bin:/bin"
    environment = {**keep, "PATH": path, "ZHIYIN_CACHE": str(folder / "cache")}
    done = []
    for command in first_commands((ROOT / "README.md").read_text("utf-8")):
        call("sh", "-c", command, cwd=desk, env=environment)
        done.append(command)
    call(str(binary / "zhiyin"), "--version", env=environment)
    return done


def main() -> None:
    """Build, look, install, try."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(ROOT / "dist"), help="where wheel and sdist go")
    out = Path(parser.parse_args().out)
    wheel, sdist = build(out)
    print(f"built {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB) and {sdist.name}")
    if missing := missing_files(wheel):
        raise SystemExit(f"the wheel lacks {', '.join(missing[:5])} ({len(missing)} files)")
    if foreign := foreign_files(sdist):
        raise SystemExit(f"the sdist holds {', '.join(foreign[:5])}, which the repository does not")
    with zipfile.ZipFile(wheel) as archive:
        data = [n for n in archive.namelist() if Path(n).suffix in NO_CODE]
        assert "zhiyin/py.typed" in archive.namelist()
    print(f"the wheel holds every file of the package, py.typed and {len(data)} data files")
    with tempfile.TemporaryDirectory() as folder:
        for command in try_in(Path(folder), wheel):
            print(f"ran: {command}")
    print("installed alone, the wheel does what the README shows first")


if __name__ == "__main__":
    main()
