"""What Zhiyin depends on: licences, a bill of materials, known weaknesses.

``python scripts/dependencies.py --out build/dependencies`` (or ``make sbom``) installs Zhiyin
with the extras that are named into a clean environment, and writes of what is then there

* ``licences.md``: each package with version and licence, and those that need a look,
* ``sbom.cdx.json``: a bill of materials in CycloneDX 1.6,
* ``audit.json``: what pip-audit knows of weaknesses; where its service cannot be
  reached, that is said.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIGHT = ("figures", "tables", "notation", "scores", "parquet", "questions", "data", "study")
"""Extras that bring no framework of a gigabyte."""
PERMISSIVE = (
    *("apache", "bsd", "mit", "isc", "python software foundation", "psf", "mpl", "mozilla"),
    *("hpnd", "cmu", "zlib", "unlicense", "public domain", "0bsd", "cc0"),
)
LOOK = ("gpl", "agpl", "unknown", "proprietary")


def installed(folder: Path, extras: list[str]) -> Path:
    """A clean environment with Zhiyin and some extras; the path of its Python."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    spec = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    subprocess.run([python, "-m", "pip", "install", "--quiet", spec], check=True, env=clean)
    return python


def licences(python: Path) -> list[dict[str, str]]:
    """Name, version and licence of each package that is installed."""
    words = [sys.executable, "-m", "piplicenses", f"--python={python}", "--format=json"]
    words += ["--from=mixed", "--with-urls"]
    told: list[dict[str, str]] = json.loads(subprocess.check_output(words, text=True))
    return sorted(told, key=lambda one: one["Name"].lower())


def to_look_at(packages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Packages whose licence is not plainly a permissive one."""
    found = []
    for one in packages:
        words = one["License"].lower()
        plain = any(name in words for name in PERMISSIVE) and not any(n in words for n in LOOK)
        if not plain:
            found.append(one)
    return found


def as_page(packages: list[dict[str, str]], extras: list[str]) -> str:
    """The licences as a table in Markdown."""
    lines = [f"# Licences of {len(packages)} packages", "", f"Zhiyin with: {', '.join(extras)}", ""]
    lines += ["| package | version | licence |", "|---|---|---|"]
    for one in packages:
        licence = " ".join(one["License"].split())[:80]
        lines.append(f"| {one['Name']} | {one['Version']} | {licence} |")
    look = to_look_at(packages)
    names = ", ".join(f"{one['Name']} ({one['License'][:40]})" for one in look) or "none"
    return "\n".join([*lines, "", f"To be looked at: {names}.", ""])


def bill(python: Path, out: Path) -> int:
    """Write the bill of materials; how many components it names."""
    words = [sys.executable, "-m", "cyclonedx_py", "environment", str(python)]
    words += ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible"]
    subprocess.run([*words, "--of", "JSON", "-o", str(out)], check=True)
    told: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return len(told["components"])


def audit(python: Path, out: Path) -> str:
    """What is known of weaknesses, in a line."""
    frozen = subprocess.check_output([python, "-m", "pip", "freeze"], text=True)
    pinned = [line for line in frozen.splitlines() if "==" in line]
    wanted = out.with_suffix(".txt")
    wanted.write_text("\n".join(pinned) + "\n")
    words = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "-r", str(wanted)]
    words += ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        why = done.stderr.strip().splitlines()[-1:] or ["no answer"]
        return f"not audited: {why[0][:120]}"
    out.write_text(json.dumps(told, indent=1))
    return audited(told["dependencies"])


def audited(packages: list[dict[str, Any]]) -> str:
    """What an audit found, in a line. A package that the service does not know was not audited."""
    known = [one for one in packages if "vulns" in one]
    bad = [one["name"] for one in known if one["vulns"]]
    told = f"{len(known)} of {len(packages)} packages audited, {len(bad)} with known weaknesses"
    return f"{told}: {', '.join(bad)}" if bad else told


def main() -> None:
    """Install, list, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(ROOT / "build" / "dependencies"))
    parser.add_argument("--extras", default=",".join(LIGHT), help="separated by commas")
    args = parser.parse_args()
    out, extras = Path(args.out), [name for name in args.extras.split(",") if name]
    out.mkdir(parents=True, exist_ok=True)
    python = installed(out / "venv", extras)
    packages = licences(python)
    (out / "licences.md").write_text(as_page(packages, extras), "utf-8")
    print(f"{len(packages)} packages; to be looked at: {len(to_look_at(packages))}")
    print(f"bill of materials: {bill(python, out / 'sbom.cdx.json')} components")
    print(audit(python, out / "audit.json"))


if __name__ == "__main__":
    main()
