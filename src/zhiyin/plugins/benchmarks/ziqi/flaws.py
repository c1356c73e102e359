"""Finds the flaws of ZIQI-Eval's questions: repeats, contradictions, pictures that are not there.

Kinds of flaw
-------------
repeated-option
    Two options of one question are the same, white space around them aside.
repeated-key
    So they are, and one of the two is keyed: the other is marked wrong.
repeated-question
    Question and options, to the letter and in the same order, stand earlier in the same file.
near-repeat
    The same once white space, blanks, brackets and full stops are ignored (see `fold`) and the
    options are taken in any order.
conflicting-answers
    Questions that repeat each other in one of these two ways are keyed differently.
cross-category-repeat
    A question stands, as in near-repeat, in another category too.
missing-figure
    The question speaks of a picture, a score or a recording, and there is none.
example-in-test
    A question of ``dev`` is a question of ``test`` too.
order-bound
    An option points at others ("all of the above"), or each begins with its letter: shuffling
    leaves these as published.
incomplete
    A published file has fewer questions than were published.
altered
    A question is not among the published ones of its file, though most of them are.
missing-file, repeated-id, short-row, long-row, blank-field, bad-answer
    Nothing can be asked: a run refuses such data. None of them is in what was published.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from zhiyin.analysis.question_set import fingerprint_words
from zhiyin.contract.declared import CheckResult, Flaw, Published
from zhiyin.contract.question_table import Fault
from zhiyin.plugins.benchmarks.ziqi.data import (
    LETTERS,
    ZiqiItem,
    ZiqiSheet,
    category_of,
    find_stems,
    group_titles,
    published_categories,
    read_sheet,
)
from zhiyin.plugins.making.errata import FIGURE
from zhiyin.text import one_width
from zhiyin.words import Text, said

LEFT_OUT = {
    "repeated-option",
    "repeated-question",
    "near-repeat",
    "conflicting-answers",
    "missing-figure",
}
"""The kinds that ``--clean`` leaves out: of repeated questions the first one stays, unless they
are keyed differently, for then it is unclear which is right."""

IGNORED = str.maketrans("", "", "_。.?()")

BOUND = re.compile(
    r"""^[^\S\n]*+(?:所有)?(?:以上|上述)           # (all) of the above ...
      | ^[^\S\n]*+(?:都|均|皆)不?(?:是|对)[^\S\n]*+$     # all of them, none of them
      | ^[^\S\n]*+[A-D]\s*+[和与]\s*+[A-D](?:都|均|$)  # A and C
      | \b(?:all|none|both)\ of\ the\ above\b
      | ^[^\S\n]*+(?:both\ )?[A-D]\ and\ [A-D][^\S\n]*+$""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def is_order_bound(item: ZiqiItem) -> bool:
    """Tell whether the options make sense in their published order only.

    So it is where one points at others ("all of the above", "A and C"), and where every option
    begins with its own letter.
    """
    texts = [option.strip() for option in item.options]
    lettered = texts[0][0] == LETTERS[0] and all(
        text[0] == letter and text[1:2] in (".", "．", "、", ":", "：", ")", "）")
        for letter, text in zip(LETTERS, texts, strict=True)
    )
    return lettered or BOUND.search("\n".join(texts)) is not None


def fold(text: str) -> str:
    """`text` for comparison: NFKC, without white space, blanks, brackets and full stops.

    Upper and lower case stay apart (a and A are two pitches), and so do all other signs.
    """
    plain = one_width(text).translate(IGNORED)
    return "".join(plain.split())


def find_flaws(test: Mapping[str, ZiqiSheet], dev: Mapping[str, ZiqiSheet]) -> list[Flaw]:
    """Every flaw of the questions in `test`, and of `dev` where it meets them; each by stem."""
    flaws: list[Flaw] = []
    asked: dict[str, tuple[ZiqiSheet, ZiqiItem]] = {}
    elsewhere: dict[tuple[str, ...], tuple[ZiqiSheet, ZiqiItem]] = {}
    folded = {sheet.name: [fold(item.question) for item in sheet.items] for sheet in test.values()}
    times = Counter(question for questions in folded.values() for question in questions)
    for sheet in test.values():
        groups: dict[tuple[str, ...], list[ZiqiItem]] = {}
        for question, item in zip(folded[sheet.name], sheet.items, strict=True):
            # Of a question that is asked once the options need no look: that takes longest.
            options = sorted(map(fold, item.options)) if times[question] > 1 else ()
            groups.setdefault((question, *options), []).append(item)
            asked.setdefault(question, (sheet, item))
            flaws += _own_flaws(sheet, item)
        for key, group in groups.items():
            if len(group) > 1:
                flaws += _repeats(sheet, group)
            other, twin = elsewhere.setdefault(key, (sheet, group[0]))
            if other is not sheet:
                detail = said("ziqi-same", file=other.name, id=twin.id)
                flaws += [Flaw("cross-category-repeat", sheet.name, i.id, detail) for i in group]
    for sheet in dev.values():
        for item in sheet.items:
            if (tested := asked.get(fold(item.question))) is not None:
                detail = said("ziqi-same", file=tested[0].name, id=tested[1].id)
                flaws.append(Flaw("example-in-test", sheet.name, item.id, detail))
    return flaws


def _own_flaws(sheet: ZiqiSheet, item: ZiqiItem) -> Iterator[Flaw]:
    """Yield what is wrong with `item` by itself."""
    texts = [option.strip() for option in item.options]
    if len(set(texts)) < len(texts):
        alike = ", ".join(x for x, t in zip(LETTERS, texts, strict=True) if texts.count(t) > 1)
        detail = said("ziqi-repeats-option", options=alike, keyed=None)
        yield Flaw("repeated-option", sheet.name, item.id, detail)
        if item.answer in alike:
            detail = said("ziqi-repeats-option", options=alike, keyed=item.answer)
            yield Flaw("repeated-key", sheet.name, item.id, detail)
    if match := FIGURE.search(item.question):
        detail = said("ziqi-speaks-of", what=repr(match.group()))
        yield Flaw("missing-figure", sheet.name, item.id, detail)
    if is_order_bound(item):
        detail = said("ziqi-bound", options=" / ".join(texts))
        yield Flaw("order-bound", sheet.name, item.id, detail)


def _repeats(sheet: ZiqiSheet, group: list[ZiqiItem]) -> Iterator[Flaw]:
    """Yield what is wrong with the questions of `group`, which are alike."""
    first_ids: dict[tuple[str, ...], str] = {}
    for item in group:
        exact = (item.question, *item.options)
        if exact in first_ids:
            detail = said("ziqi-repeats", id=first_ids[exact], exact=True)
            yield Flaw("repeated-question", sheet.name, item.id, detail)
        elif first_ids:
            detail = said("ziqi-repeats", id=group[0].id, exact=False)
            yield Flaw("near-repeat", sheet.name, item.id, detail)
        first_ids.setdefault(exact, item.id)
    answers = {item.id: fold(item.keyed) for item in group}
    if len(set(answers.values())) == 1:
        return
    for item in group:
        other = next(o for o in group if answers[o.id] != answers[item.id])
        answer, theirs = repr(item.keyed), repr(other.keyed)
        detail = said("ziqi-keyed", answer=answer, other=other.id, theirs=theirs)
        yield Flaw("conflicting-answers", sheet.name, item.id, detail)


def left_out(flaws: Iterable[Flaw]) -> set[tuple[str, str]]:
    """The file and id of each question that ``--clean`` leaves out."""
    return {(flaw.file, flaw.id) for flaw in flaws if flaw.kind in LEFT_OUT}


def check_folder(data: str | None, partial: bool, published: Published) -> CheckResult:
    """Every flaw of the questions in the folder `data`.

    With `partial`, a missing file is none.

    Raises
    ------
    InputError
        There is no such folder, or a file in it cannot be read at all.
    """
    stems = find_stems(data)
    root = Path(data or "")
    flaws: list[Flaw] = []

    def note(fault: Fault) -> None:
        file = f"{fault.path.parent.name}/{fault.path.name}"
        detail = said("flaw-at", unit="line", line=str(fault.line), detail=fault.problem)
        flaws.append(Flaw(fault.kind, file, fault.id, detail))

    if not partial and published_categories().keys() & set(stems):
        for stem in published_categories():
            paths = [root / part / f"{stem}.csv" for part in ("test", "dev")]
            absent = [f"{path.parent.name}/{path.name}" for path in paths if not path.exists()]
            flaws += [Flaw("missing-file", file, "", said("ziqi-absent")) for file in absent]
    test = {stem: read_sheet(root / "test" / f"{stem}.csv", note) for stem in stems}
    paths = sorted((root / "dev").glob("*.csv"))
    dev = {path.stem: read_sheet(path, note) for path in paths}
    flaws += find_flaws(test, dev)
    differing, remark = _against_published(test, published)
    flaws += [flaw for flaw in differing if not (partial and flaw.kind == "incomplete")]
    notes = [*_notes(test), *([remark] if remark else [])]
    return CheckResult(sum(len(sheet.items) for sheet in test.values()), flaws, notes)


def _against_published(
    test: Mapping[str, ZiqiSheet], published: Published
) -> tuple[list[Flaw], Text | None]:
    """Find questions that are others, or fewer, than were published; and count those the same."""
    flaws: list[Flaw] = []
    same = others = 0
    for stem, sheet in test.items():
        left = Counter(published.fingerprints(stem) or {})
        total, unknown = left.total(), []
        for item in sheet.items:
            options = zip(LETTERS, item.options, strict=True)
            words = fingerprint_words(item.question, options, item.answer)
            unknown += [] if left[words] else [item]
            left[words] -= left[words] > 0
        here = len(sheet.items) - len(unknown)
        same, others = same + here, others + len(unknown)
        if 0 < here < total:
            detail = said("ziqi-some", n=here, of=total)
            flaws.append(Flaw("incomplete", sheet.name, "", detail))
        if here > len(unknown):
            detail = said("ziqi-unpublished")
            flaws += [Flaw("altered", sheet.name, item.id, detail) for item in unknown]
    if not published.parts or not test.keys() & published.counts.keys():
        return flaws, None
    if not same:
        return flaws, said("ziqi-own-set")
    total = sum(published.counts[part] for part in published.parts)
    return flaws, said("flaw-coverage", n=same, of=total, whole=same == total, others=others)


def _notes(test: Mapping[str, ZiqiSheet]) -> list[Text]:
    """Report what there is, and the subthemes that the published benchmark does not have."""
    kinds: Counter[str] = Counter()
    for stem, sheet in test.items():
        kinds[category_of(stem).kind] += len(sheet.items)
    titles = group_titles()
    notes: list[Text] = [
        said("ziqi-of-kind", n=count, kind=titles[kind]) for kind, count in kinds.items()
    ]
    for stem, sheet in test.items():
        known = category_of(stem).subcategories
        for subtheme in dict.fromkeys(item.subtheme for item in sheet.items):
            if subtheme not in known:
                notes.append(said("ziqi-subtheme", file=sheet.name, name=repr(subtheme)))
    return notes
