"""Prompt packs: what replaces what, what is refused, and that nothing put in is read again."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muchomusic_help import make_data
from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception.trials import how_to_reply
from zhiyin.prompts import LAYOUT, LINES, Prompts, Template, for_people, lay_out, named_as

ZIQI = "zhiyin.plugins.benchmarks.ziqi"
PLACES = {"question": ("question", "options", "category?"), "answer": ("letter",)}
MUCHOMUSIC = {"option": ("letter", "text")}
NAMES = st.from_regex(r"[a-z_]+", fullmatch=True)


def refusal(folder: Path, package: str = ZIQI, places=PLACES, **settings) -> str:
    with pytest.raises(InputError) as caught:
        Prompts(package, places, folder=str(folder), **settings)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(folder))
    return said.removeprefix(str(folder)).removeprefix(os.sep)


def test_ours_are_the_files_of_the_package() -> None:
    ours = Prompts(ZIQI, PLACES, language="en")
    assert list(ours.texts) == list(PLACES)
    for name, path in ours.paths.items():
        assert path.name == f"{name}.en.txt"
        text = path.read_text("utf-8").replace("⟦", "").replace("⟧", "")
        assert text == ours.texts[name] + "\n"
    assert ours.texts != Prompts(ZIQI, PLACES, language="zh").texts


def test_how_to_reply_is_said_to_models_alone(tmp_path: Path) -> None:
    """A pack of the user's marks it as ours do; places are looked for in what models read."""
    (tmp_path / "question.en.txt").write_text("{question}⟦ ({options})⟧{category}\n")
    (tmp_path / "answer.en.txt").write_text("⟦Answer: {letter}⟧\n")
    models = Prompts(ZIQI, PLACES, language="en", folder=str(tmp_path))
    with for_people():
        people = Prompts(ZIQI, PLACES, language="en", folder=str(tmp_path))
        assert (how_to_reply("JSON"), named_as("B", "flute")) == ("", "flute")
    assert models.texts["question"] == "{question} ({options}){category}"
    assert people.texts["question"] == "{question}{category}"
    assert (models.texts["answer"], people.texts["answer"]) == ("Answer: {letter}", "")
    assert (how_to_reply("JSON"), named_as("B", "flute")) == ("JSON", "B")


def test_without_places_every_text_file_is_a_prompt_and_braces_are_braces(tmp_path: Path) -> None:
    (tmp_path / "chords-question.txt").write_text("Which {chord} of {}?")
    ours = Prompts("zhiyin.plugins.benchmarks.perception")
    theirs = Prompts("zhiyin.plugins.benchmarks.perception", folder=str(tmp_path))
    assert len(ours.texts) == 27
    assert theirs.texts == ours.texts | {"chords-question": "Which {chord} of {}?"}


def test_a_pack_replaces_by_name_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / "answer.en.txt").write_bytes(b"\xef\xbb\xbf  It is {letter}.\r\n\r\n")
    (tmp_path / "answer.zh.txt").write_text("no place, but of another language: not read")
    (tmp_path / "notes.md").write_text("no prompt")
    ours = Prompts(ZIQI, PLACES, language="en")
    theirs = Prompts(ZIQI, PLACES, language="en", folder=str(tmp_path))
    assert theirs.texts == ours.texts | {"answer": "  It is {letter}."}
    assert theirs.paths["answer"] == tmp_path / "answer.en.txt"
    assert theirs.fill("answer", letter="{letter}") == "  It is {letter}."
    assert theirs.fingerprint() != ours.fingerprint()


def test_other_files_of_a_pack(tmp_path: Path) -> None:
    (tmp_path / "examples.json").write_text('[{"question": "{unknown}"}]')
    (tmp_path / "other.json").write_text("not ours")
    package = "zhiyin.plugins.benchmarks.muchomusic"
    found = Prompts(package, MUCHOMUSIC, folder=str(tmp_path), others=("examples.json",))
    assert found.texts["examples.json"] == '[{"question": "{unknown}"}]'
    (tmp_path / "examples.json").unlink()
    said = refusal(tmp_path, package, MUCHOMUSIC, others=("examples.json",))
    assert said == ": no prompt files there: it may have option.txt, examples.json"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("question.zh.txt", b"{question}", "question.zh.txt: no {options}: write it"),
        ("answer.zh.txt", b"{letter} {Letter} {}", None),
        ("answer.zh.txt", b"{letter} {leter}", "unknown placeholder {leter}: did you mean letter"),
        ("answer.zh.txt", b" \r\n", "answer.zh.txt: is empty: "),
        ("answer.zh.txt", b"\xb4\xf0 {letter}", "answer.zh.txt: not UTF-8: save it"),
        ("answer.fr.txt", b"{letter}", "replaces no prompt: did you mean answer."),
        ("answer.txt", b"{letter}", "replaces no prompt: did you mean answer."),
        ("answer.en.txt", b"{letter}", "no prompt for --language zh: it may have question.zh.txt"),
        ("readme.md", b"", "no prompt for --language zh"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, name: str, text: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(text)
    if said is None:
        Prompts(ZIQI, PLACES, language="zh", folder=str(tmp_path))
        return
    assert said in refusal(tmp_path, language="zh")


def test_folders_that_are_none(tmp_path: Path) -> None:
    assert refusal(tmp_path / "absent").endswith(
        "no such folder: --prompts FOLDER with text files in it"
    )
    (tmp_path / "answer.zh.txt").mkdir()
    assert "is it a file you may read?" in refusal(tmp_path, language="zh")


def test_a_prompt_that_has_no_places(tmp_path: Path) -> None:
    (tmp_path / "appraisal.en.txt").write_text("Say {much}")
    places: dict[str, tuple[str, ...]] = {"appraisal": ()}
    said = refusal(tmp_path, "zhiyin.plugins.benchmarks.appraisal", places, language="en")
    assert said.endswith("unknown placeholder {much}: this prompt has no places")


def test_the_fingerprint_is_of_names_and_texts_in_order() -> None:
    ours = Prompts(ZIQI, PLACES, language="en")
    total = b"".join(
        name.encode() + b"\0" + ours.texts[name].encode() + b"\0" for name in ("answer", "question")
    )
    assert ours.fingerprint() == hashlib.sha256(total).hexdigest()
    turned = Prompts(ZIQI, dict(reversed(PLACES.items())), language="en")
    assert turned.fingerprint() == ours.fingerprint()


@pytest.mark.slow
@given(st.text(), st.dictionaries(NAMES, st.text(), min_size=1), st.text())
def test_a_place_is_filled_once_and_nothing_is_read_twice(head, values, tail) -> None:
    head, tail = head.replace("{", "<"), tail.replace("{", "<")
    template = Template(head + tail.join(f"{{{name}}}" for name in values))
    assert template.placeholders == set(values)
    assert template.fill(values) == head + tail.join(values.values())
    first = next(iter(values))
    partly = template.put(**{first: values[first]})
    assert partly.placeholders == set(values) - {first}
    assert partly.fill(values) == template.fill(values)


def test_options_stand_as_the_layout_says() -> None:
    names = [Template("{a}"), Template("{b}"), Template("{c}")]
    texts = {"a": "{first}", "b": "2", "c": "{x}"}

    def laid(layout: str) -> str:
        return lay_out(Template(layout), names).fill(texts)

    assert laid(LINES) == "{first}\n2\n{x}"
    assert laid("{first}; {next}.") == "{first}; 2; {x}."
    assert laid("[{first}{next}]") == "[{first}2{x}]"
    assert lay_out(Template("({first}|{next})"), ["only"]).fill({}) == "(only)"
    assert lay_out(Template("{first} or {next}"), ["{a}", "b"]).fill({}) == "{a} or b"


@pytest.mark.parametrize("text", ["{next}; {first}", "{first} {first} {next}", "{first}", "one"])
def test_a_layout_is_of_two_places_in_order(tmp_path: Path, text: str) -> None:
    (tmp_path / "options.zh.txt").write_text(text)
    said = refusal(tmp_path, places={"options": LAYOUT}, language="zh")
    assert said.startswith("options.zh.txt: ")


def test_a_pack_of_ours_stands_behind_the_users_and_before_the_usual(tmp_path: Path) -> None:
    places = {"question": ("question", "options", "category?"), "options": LAYOUT}
    usual = Prompts(ZIQI, places, language="zh")
    ours = Prompts(ZIQI, places, language="zh", pack="ziqi-released")
    assert ours.texts["options"] != usual.texts["options"] == LINES
    (tmp_path / "options.zh.txt").write_text("{first} / {next}")
    theirs = Prompts(ZIQI, places, language="zh", pack="ziqi-released", folder=str(tmp_path))
    assert theirs.texts == ours.texts | {"options": "{first} / {next}"}


@pytest.mark.parametrize(
    ("package", "file", "separator"),
    [("ziqi", "options.zh.txt", "；"), ("muchomusic", "options.txt", " | ")],
)
def test_a_pack_may_put_all_options_on_one_line(tmp_path, package, file, separator) -> None:
    """A pack could say what an option looks like, and each had a line of its own."""
    (tmp_path / file).write_text(f"{{first}}{separator}{{next}}", encoding="utf-8")
    if package == "ziqi":
        data = str(Path(__file__).parent.parent / "data" / "ziqi_small")
    else:
        data = str(make_data(tmp_path / "data"))
    options = {"data": data, "partial": True, "shots": "1"}
    (usual, packed) = (
        [t.messages[-1].text for t in open_benchmark(package, {**options, **more}).trials()]
        for more in ({}, {"prompts": str(tmp_path)})
    )
    for before, after in zip(usual, packed, strict=True):
        assert after.count(separator) % 3 == 0
        assert after.replace(separator, "\n") == before
