"""One text for an ethics board: what people are told and asked, and what is kept of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from zhiyin.errors import reworded
from zhiyin.plugins.people import COUNTED, value_in_words
from zhiyin.plugins.people.rules import declared
from zhiyin.plugins.studies.assigning import how_many
from zhiyin.plugins.studies.design import FIELDS, StudyDesign
from zhiyin.plugins.studies.languages import words_for
from zhiyin.plugins.studies.questionnaire import read_scale
from zhiyin.plugins.studies.research_tables import declared_in_words
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.plugins.studies.telling import is_played, listening_words, minutes_of
from zhiyin.words import Said, said, say


def write_ethics(store: StudyStore, out: Path) -> None:
    """Write the text, in each language of the study that Zhiyin has.

    Raises
    ------
    InputError
        It cannot be written.
    """
    study = store.study
    languages = [name for name in study.languages if name in ("en", "zh")] or ["en"]
    lines = [f"# {study.name}", ""]
    for language in languages:
        lines += [say(one, language) for one in _facts(store, language)] + [""]
    for language in study.languages:
        lines += _told(store, language)
    lines += ["## " + say(said("board-kept"), languages[0]), ""]
    kept = said("ethics-columns", sound=is_played(store.items.values()))
    lines += [say(kept, languages[0]), "", *_edits(store, languages[0])]
    with reworded(said("error-unwritten", path=out, why="")):
        out.write_text("\n".join(lines) + "\n", "utf-8")


def _facts(store: StudyStore, language: str) -> Iterator[Said]:
    """Answer what an ethics board asks about, a sentence each, with the contact in a language."""
    study, items = store.study, store.items.values()
    roles = Counter(item.role for item in items)
    texts = study.texts[language if language in study.texts else study.languages[0]]
    yield said("board-who", contact=" ".join(texts.contact.split()), known=bool(texts.contact))
    yield said("board-what", kind=study.kind, items=sum(roles[r] for r in COUNTED),
               each=how_many(store))  # fmt: skip
    sound = is_played(items)
    yield said("board-minutes", minutes=minutes_of(study, items), sound=sound)
    yield said("board-risk", sound=sound)
    if roles["practice"]:
        yield said("board-practice", n=roles["practice"])
    if roles["attention"]:
        yield said("board-attention", n=roles["attention"])
    yield from _lost(study)
    yield said("board-excluded", rules=declared_in_words(declared(study.exclude)))
    yield said("board-data")
    yield said("board-open")


def _lost(study: StudyDesign) -> Iterator[Said]:
    """Say by what people are lost before the end, a sentence each."""
    checks, notes = study.checks, study.annotations
    if checks.headphones != "none":
        yield said("board-headphones")
    if checks.comprehension:
        yield said("board-comprehension", tries=checks.tries)
    for one in study.quotas:
        field, value = value_in_words(one.field), value_in_words(one.value)
        yield said("board-quota", most=one.most, field=field, value=value)
    if notes.most is not None or notes.stop_when_agreed:
        agreed = notes.stop_when_agreed
        yield said("board-full", most=notes.most, least=notes.least, agreed=agreed)


def _told(store: StudyStore, language: str) -> list[str]:
    """List what people read and are asked, in one language."""
    study, words = store.study, words_for(store.study, store.folder)[language]
    texts, scale = study.texts[language], read_scale(store.study, store.folder)
    minutes = str(minutes_of(study, store.items.values()))
    lines = [f"## {texts.title} ({language})", "", texts.information.replace("{minutes}", minutes)]
    lines += ["", *(f"- [ ] {statement}" for statement in texts.consent), ""]
    heard = any(item.sounds for item in store.items.values())
    told = (texts.instructions, listening_words(study, words) if heard else "")
    lines += [f"{words['instructions_title']}: {' '.join(filter(None, told))}", ""]
    for asked in study.checks.comprehension:
        lines.append(f"- {asked.text[language]} ({'; '.join(asked.options[language])})")
    for name in study.fields:
        lines.append(f"- {words[name]} ({'; '.join(words[value] for value in FIELDS[name])})")
    if scale is not None:
        lines += [f"- {s.text[language]}" for s in scale.statements]
    ends = (texts.debriefing, f"{words['contact_is']} {texts.contact or '?'}")
    lines += ["", *(line for end in ends if end for line in (end, ""))]
    return [*lines, f"{words['withdraw_title']}: {words['withdraw_text']}", ""]


def _edits(store: StudyStore, language: str) -> list[str]:
    """The versions of texts that were edited in the browser."""
    edits = store.text_versions()[1:]
    if not edits:
        return []
    lines = [say(said("board-edited"), language), ""]
    for one in edits:
        day = time.strftime("%Y-%m-%d", time.gmtime(one.made))
        facts = {"version": one.version, "day": day, "people": one.people}
        lines.append("- " + say(said("board-version", **facts), language))
    return [*lines, ""]
