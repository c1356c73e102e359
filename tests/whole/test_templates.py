"""Templates of pages: all of them parse, and whatever is put into one is words and nothing else."""

import base64
import hashlib
import re
from pathlib import Path

import jinja2
import pytest

from report_help import HOSTILE
from warm import template_name
from zhiyin.plugins.music.hearing_page import ShownPanel
from zhiyin.shown import pages
from zhiyin.shown.glossary import glossary_of
from zhiyin.shown.pages import as_html
from zhiyin.shown.table import Column, Link, Row, Table
from zhiyin.words import LANGUAGES, Said, said
from zhiyin.words.findings import CutOff

SOURCE = Path(pages.__file__).parent.parent
BOARD = "zhiyin.plugins.lab.leaderboard/leaderboard"
LOOK = pages.in_page(scripts=(f"{BOARD}.js",))


TEMPLATES = sorted(map(template_name, SOURCE.rglob("web/*.html")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_parses_and_names_only_templates_that_are_there(language):
    assert len(TEMPLATES) > 20
    for name in TEMPLATES:
        pages._templates(language).get_template(name)
        tree = jinja2.Environment().parse(pages.asset(name))
        for node in tree.find_all(
            (jinja2.nodes.Extends, jinja2.nodes.Import, jinja2.nodes.Include)
        ):
            assert node.template.value in TEMPLATES, (name, node.template.value)


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE)
def test_what_is_put_into_a_page_stays_words(words):
    table = Table("t", words, (Column(words), Column("n", "count")), (Row((words, 3)),), (words,))
    page = as_html(table) + pages.macro("warning")(CutOff(n=3, of=4, limit=1, remedy=words))
    page += pages.macro("grid")([words, words], [[words, words]], words)
    assert not re.search(r"<(script|img|b|/title|style)\b", page)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page)
    for tag in re.findall(r"<[^>]*>", page):
        assert not re.search(r"\son\w+=", re.sub(r'"[^"]*"', '""', tag)), tag


def test_messages_are_in_the_language_of_the_page_and_links_lead():
    row = Row((Link("a & b", "/x?y=1&z=2"), said("lab-status", state="going")))
    table = Table("t", said("lab-replies"), (Column(said("lab-run")), Column("")), (row,))
    english, chinese = as_html(table), as_html(table, "zh")
    assert "Replies" in english
    assert "回答" in chinese
    assert "进行中" in chinese
    assert '<a href="/x?y=1&amp;z=2"><bdi>a &amp; b</bdi></a>' in english


def test_rows_that_are_left_out_are_counted():
    table = Table("t", "", (Column("a"),), tuple(Row((str(n),), weight=n) for n in range(5)))
    assert "2 more rows" in as_html(table, most=3)
    assert ">4<" in as_html(table, most=3)
    assert ">1<" not in as_html(table, most=3)


def test_a_fact_that_is_not_given_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        pages.render("zhiyin.plugins.lab.labbook/trouble.html", "en", title="x")


def test_the_policy_of_a_page_from_disk_lets_only_its_own_style_and_script_be_used():
    page = pages.render(f"{BOARD}.html", look=LOOK, boards=[], top=None, version="1")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    for kind in ("style", "script"):
        (text,) = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r'\sstyle="', page)
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_explains_the_heads_that_its_tables_have_and_no_others(language):
    columns = (Column("group"), Column("IFR", "share"), Column("MDE"))
    facts = {"title": Said("topic-score"), "findings": (), "lines": (), "definitions": ""}
    table = Table("t", "", columns, (Row(("all", 0.5, "1")),))
    panel = ShownPanel("p", "p", table, [])
    one = pages.render(
        "zhiyin.plugins.music/hearing.html", language, look=LOOK, panels=[panel], **facts
    )
    terms = str(glossary_of(one, language))
    found = re.findall(r"<dt>(.*?)</dt>", terms)
    assert len(found) == 2
    assert language == "zh" or found == ["IFR", "MDE, detectable"]
    assert terms in one
    assert pages._GLOSSARY not in one
    assert not glossary_of("<p>IFR</p>")


def test_a_page_is_in_the_language_that_is_asked_for_and_leads_to_its_others(tmp_path):
    """A file for each language; what a folder held in another goes, a file of the user's stays."""

    def told(language, others):
        facts = {"boards": [], "top": None, "version": "1", "others": others}
        return pages.render(f"{BOARD}.html", language, look=LOOK, **facts)

    page, asked = tmp_path / pages.PAGE, tmp_path / "asked.html"
    (tmp_path / "asked.zh.html").write_text("mine")
    pages.write_pages(asked, ["en"], told)
    assert (tmp_path / "asked.zh.html").read_text() == "mine"
    for languages in (["en", "zh"], ["zh", "en"], ["zh"]):
        files = pages.write_pages(page, languages, told)
        assert files[0] == page
        assert sorted(tmp_path.glob("index*")) == sorted(files)
        for language, file in zip(languages, files, strict=True):
            text = file.read_text("utf-8")
            assert f'<html lang="{"zh-Hans" if language == "zh" else "en"}">' in text
            assert ("排行榜" in text) == (language == "zh")
            leads = re.findall(r'<a class="tongue" href="([^"]*)" lang="(\w+)"', text)
            assert leads == [(f.name, one) for f, one in zip(files, languages, strict=True)
                             if one != language]  # fmt: skip
