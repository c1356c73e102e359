"""The documentation site: `make docs` builds it from these pages and the docstrings."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from zhiyin import __version__  # noqa: E402 - the source must be found first

project = "Zhiyin"
copyright = "the Zhiyin maintainers, Apache-2.0"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["images/make.py"]
html_theme = "furo"
html_title = f"Zhiyin {release}"
html_show_sourcelink = False
html_copy_source = False
# The look of a report: its colours and type, read from its own style.
_LOOK = {
    "background-primary": "paper", "background-secondary": "tint", "foreground-primary": "ink",
    "foreground-secondary": "soft", "background-border": "line", "brand-primary": "accent",
    "brand-content": "accent", "brand-visited": "accent",
}  # fmt: skip
_STYLE = (ROOT / "src/zhiyin/shown/web/style.css").read_text("utf-8")
_TYPE = {f"font-stack{part}": name for part, name in
         (("", "sans"), ("--monospace", "mono"), ("--headings", "serif"))}  # fmt: skip


def _variables(style: str) -> dict[str, str]:
    found = dict(re.findall(r"--([\w-]+):\s*([^;]+);", style))
    colours = {f"color-{theirs}": found[ours] for theirs, ours in _LOOK.items()}
    return colours | {theirs: found[ours] for theirs, ours in _TYPE.items() if ours in found}


_LIGHT, _DARK, *_ = re.findall(r":root \{(.*?)\}", _STYLE, re.DOTALL)
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": _variables(_LIGHT),
    "dark_css_variables": _variables(_DARK),
}
# Every heading can be linked to, as on the pages of a code host.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Some blocks show a terminal, or JSON with a part left out: they are no faults of a page.
suppress_warnings = ["misc.highlighting_failure", "myst.header", "ref.python"]
# Public functions are documented in numpydoc, which napoleon reads.
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "show-inheritance": False}

_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)#\s]+)\)")


def _name_what_is_outside(app, docname, source):  # type: ignore[no-untyped-def]
    """Files and folders of the repository that are no pages here are named, not linked.

    One that is not there stays a link, which makes the build fail.
    """
    page = Path(app.srcdir, f"{docname}.md").parent

    def named(link):  # type: ignore[no-untyped-def]
        text, target = link[1], link[2]
        place = (page / target).resolve()
        outside = not place.is_relative_to(app.srcdir) or place.is_dir()
        if "://" in target or not outside or not place.exists():
            return link[0]
        name = place.relative_to(ROOT)
        return f"{text}" if str(name) in text else f"{text} (`{name}`)"

    source[0] = _LINK.sub(named, source[0])


_ENTRY = re.compile(r"(?<=api\.html#)zhiyin\.[\w.]+")


def _link_to_entries(app, name, template, context, doctree):  # type: ignore[no-untyped-def]
    """Pages of source link back to the reference, also from a class that two modules name."""
    if not name.startswith("_modules/"):
        return
    objects = app.env.get_domain("py").objects
    known = {entry for entry, held in objects.items() if not held.aliased}
    module = name.removeprefix("_modules/").replace("/", ".")

    def entry(link):  # type: ignore[no-untyped-def]
        parts = link[0].split(".")
        names = [link[0], *(".".join([module, *parts[k:]]) for k in range(1, len(parts)))]
        return next((each for each in names if each in known), link[0])

    context["body"] = _ENTRY.sub(entry, context["body"])


def setup(app):  # type: ignore[no-untyped-def]
    """Hook the pages as they are read, and as they are written."""
    app.connect("source-read", _name_what_is_outside)
    app.connect("html-page-context", _link_to_entries)
