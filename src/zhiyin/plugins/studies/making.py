"""Making a study: from the trials of a benchmark, from the records of a run, or from a file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.contract.registry import blaming, find, with_data
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.files import read_lines, write_atomically
from zhiyin.plugins.judges import choices as failures
from zhiyin.plugins.judges.language import open_language
from zhiyin.plugins.making.errata.finding import Errata, read_errata
from zhiyin.plugins.music.made_files import whole_folder
from zhiyin.plugins.music.notation import without_midi
from zhiyin.plugins.people.rules import Exclude
from zhiyin.plugins.studies.design import (
    FILE,
    MEDIA,
    Annotations,
    Checks,
    Form,
    GradeScale,
    ItemRoles,
    StudyChoice,
    StudyDesign,
    StudyItem,
    StudyMedium,
    StudyWish,
    write_items,
)
from zhiyin.plugins.studies.doubts import doubts_of
from zhiyin.plugins.studies.examples import examples_of, instruction_of, stem_of
from zhiyin.plugins.studies.languages import (
    Words,
    built_in_words,
    language_named,
    no_words,
    read_words,
)
from zhiyin.plugins.studies.media import MediaLibrary
from zhiyin.plugins.studies.roles import with_roles
from zhiyin.plugins.studies.settings import study_file
from zhiyin.plugins.studies.telling import default_texts, is_played, language_faults, languages_of
from zhiyin.prompts import for_people
from zhiyin.record import Record
from zhiyin.runs.rows import records_of
from zhiyin.session.selection import Selection, drawn, item_of
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Message, Text, Trial, right_keys
from zhiyin.words import naming, said, say

_FOUND = {
    "sound": said("annotate-sound"), "another": said("annotate-another"),
    "wrong": said("annotate-wrong"), "none": said("annotate-none"), "given": said("annotate-given"),
    "unclear": said("annotate-unclear"),
}  # fmt: skip
"""What a person may find of an item that a rule doubts."""
ASPECTS = ("completeness", "precision", "novelty")
"""What reviews are graded by, each from 1 to 10."""


class MadeStudy(NamedTuple):
    """The folder, how many items of which role there are, and what is to be known of them."""

    folder: Path
    counts: dict[str, int]
    remarks: list[str]


def trials_of(benchmark: str, options: dict[str, Any]) -> tuple[list[Trial], list[Trial]]:
    """All plain trials of a benchmark, as models are asked, and as people are.

    Sequences depend on answers and are refused.
    """
    kind = find(benchmark)
    with blaming(kind), with_data(kind, options) as options:
        selection = Selection(kind.from_options(options), None, None, 0)
        if selection.sequences:
            raise InputError(said("study-depends", what=benchmark))
        with for_people():
            told = list(Selection(kind.from_options(options), None, None, 0))
        return list(selection), told


def make(
    source: Sequence[Trial] | Sequence[Path] | Path, folder: Path, wish: StudyWish,
    told: Iterable[Trial] = (),
) -> MadeStudy:  # fmt: skip
    """Write a study's folder.

    Parameters
    ----------
    source : list of Trial, list of run folders, or a file of sounds to be rated
    folder : Path
        Is not there yet, or is empty.
    wish : StudyWish
    told : iterable of Trial
        Trials of the same names, as people are asked: their instruction and examples are shown.

    Raises
    ------
    InputError
        The folder holds something, or nothing can be asked of the source.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(said("study-there", folder=folder))
    theirs = {language_named(path): path for path in map(Path, wish.words)}
    words = {**built_in_words(), **{name: read_words(path) for name, path in theirs.items()}}
    if unknown := [name for name in wish.languages if name not in words]:
        raise InputError(no_words(unknown[0]))
    with whole_folder(folder) as unfinished:  # half a study is none
        (unfinished / MEDIA).mkdir()
        library = MediaLibrary(unfinished / MEDIA, matched=not wish.as_loud)
        try:
            found = list(_items(source, library, wish, {trial.id: trial for trial in told}))
            roles = ItemRoles(wish.practice, wish.gold, wish.attention)
            items = with_roles(_drawn(found, wish), roles, wish.seed)
            items = [_with_media(item, library) for item in items]
        finally:
            library.close()
        write_items(unfinished, items)
        for name, path in theirs.items():
            (unfinished / f"language-{name}.ftl").write_bytes(path.read_bytes())
        languages = wish.languages or tuple(dict.fromkeys((*theirs, *languages_of(items))))
        wish = msgspec.structs.replace(wish, languages=languages)
        runs = _numbered(source) if wish.kind == "rate" and not isinstance(source, Path) else []
        design = design_of(folder.resolve().name, wish, words, items)
        lacks = [*map(naming, language_faults(design, items, unfinished))]
        write_atomically(unfinished / FILE, study_file(design, runs).encode(), synced=True)
    counts: dict[str, int] = Counter(item.role for item in items)
    apart = []
    if n := counts.get("practice", 0):
        rest = sum(counts.get(role, 0) for role in ("plain", "gold"))
        apart = [naming(said("study-practice-apart", n=n, rest=rest))]
    if (ends := design.annotations).stop_when_agreed:
        apart.append(naming(said("study-closes", least=ends.least, most=ends.most)))
    return MadeStudy(folder, counts, [*runs, *lacks, *apart, *doubts_of(items), *library.remarks])


def _items(
    source: Any, library: MediaLibrary, wish: StudyWish, told: Mapping[str, Trial]
) -> Iterator[StudyItem]:
    if isinstance(source, Path):
        yield from _slots(source, library)
    elif source and isinstance(source[0], Trial):
        yield from _of_trials(source, wish, told)
    elif wish.kind == "annotate":
        yield from _failed(records_of(source[0]))
    elif wish.kind == "rate":
        yield from _written(source, library, wish)
    else:
        trials = [record.trial for record in records_of(source[0])]
        if any(trial.sequence for trial in trials):
            raise InputError(said("study-depends", what=source[0]))
        if wish.kind == "exam" and any(len(trial.messages) > 1 for trial in trials):
            library.remarks.append(naming(said("study-without-instruction", run=str(source[0]))))
        yield from _of_trials(trials, wish, told)


def _of_trials(
    trials: Iterable[Trial], wish: StudyWish, told: Mapping[str, Trial]
) -> Iterator[StudyItem]:
    kind = wish.kind
    if kind == "annotate" and wish.errata:
        yield from _doubted(list(trials), read_errata(Path(wish.errata)))
        return
    if kind not in ("exam", "validate"):
        raise InputError(said("study-kind-run", kind=kind))
    asked: set[str] = set()
    trials = list(trials)
    group_of = _finest(trials)
    for trial in trials:
        # Repeats and rotations of one item are one question to a person.
        name = f"{trial.item or trial.id}\0{trial.condition}"
        if name in asked:
            continue
        asked.add(name)
        if kind == "validate" and len(trial.options) < 2:
            raise InputError(said("study-no-options", id=trial.id))
        several = bool(trial.options) and trial.tags.get("kind") == "several"
        form: Form = "one" if trial.options else "text"
        if kind == "validate" or several:
            form = "many"
        stem = stem_of(trial)
        own = told.get(trial.id) if kind == "exam" else None
        yield StudyItem(
            trial.id, trial, form, stem,
            tuple(StudyChoice(option.key, option.text) for option in trial.options),
            expected=right_keys(trial), group=group_of(trial),
            instruction=instruction_of(own) if own else "",
            examples=examples_of(own) if own else (),
        )  # fmt: skip


def _doubted(trials: list[Trial], errata: Errata) -> Iterator[StudyItem]:
    """Make items that rules doubt, each with its key and the doubt: a person decides."""
    doubts: dict[str, list[str]] = {}
    for line in errata.lines:
        doubts.setdefault(line.item, []).append(line.says)
    group_of = _finest(trials)
    asked: set[str] = set()
    choices = tuple(
        StudyChoice(name, say(text, "en"), {"zh": say(text, "zh")}) for name, text in _FOUND.items()
    )
    for trial in trials:
        name = trial.item or trial.id
        if name not in doubts or name in asked:
            continue
        asked.add(name)
        claims = tuple(StudyChoice(f"{n}", claim) for n, claim in enumerate(doubts[name]))
        yield StudyItem(
            trial.id, trial, "many", _with_key(trial), choices, quoted=claims, group=group_of(trial)
        )
    if not asked:
        raise InputError(said("study-errata"))


def _with_key(trial: Trial) -> str:
    """A question with its options and the letter of what is keyed."""
    options = "\n".join(f"{o.letter}. {o.text}" for o in trial.options)
    right = ", ".join(o.letter for o in trial.options if o.key in right_keys(trial))
    stem = f"{stem_of(trial)}\n\n{options}"
    return stem + (f"\n\n✓ {right}" if right else "")


def _failed(records: Iterable[Record]) -> Iterator[StudyItem]:
    """The choices of a model that went wrong, each with its reply."""
    records = list(records)
    group_of = _finest(record.trial for record in records)
    for record in records:
        if record.verdict.state not in ("wrong", "no_answer") or not record.trial.options:
            continue
        trial = record.trial
        heard = any(isinstance(part, Audio) for m in trial.messages for part in m.parts)
        modes = failures.MODES["heard" if heard else "read"]
        english, chinese = open_language("en"), open_language("zh")
        choices = tuple(
            StudyChoice(
                mode, failures.wording(mode, english), {"zh": failures.wording(mode, chinese)}
            )
            for mode in modes
        )
        yield StudyItem(
            record.id, trial, "many", _with_key(trial), choices,
            quoted=(StudyChoice("reply", _text_of(record)),), group=group_of(trial),
        )  # fmt: skip


def _written(
    folders: Sequence[Path], library: MediaLibrary, wish: StudyWish
) -> Iterator[StudyItem]:
    """Texts that models wrote, graded one by one, or two of one trial side by side."""
    runs = [{r.id: r for r in records_of(folder) if r.exchange.turns} for folder in folders]
    for number, records in enumerate(runs):
        # An empty reply is no text: no judge sees it, and nobody is to grade an empty page.
        written = {name for name, r in records.items() if r.trial.options or _text_of(r).strip()}
        empty = records.keys() - written
        for name in empty:
            del records[name]
        if empty:
            left_out = said("study-texts-unwritten", folder=folders[number], n=len(empty))
            library.remarks.append(naming(left_out))
        if not any(not record.trial.options for record in records.values()):
            raise InputError(said("study-ungradable", folders=folders[number]))
    scales = tuple(GradeScale(name, {}) for name in ASPECTS)
    group_of = _finest(record.trial for records in runs for record in records.values())
    if wish.pairs:
        if len(runs) != 2:
            raise InputError(said("study-pairs"))
        for name, one in runs[0].items():
            other = runs[1].get(name)
            if other is not None and not one.trial.options:
                both = (("run-1", one), ("run-2", other))
                quoted = tuple(StudyChoice(key, _text_of(r)) for key, r in both)
                yield StudyItem(name, one.trial, "pair", stem_of(one.trial), quoted=quoted,
                           group=group_of(one.trial))  # fmt: skip
        return
    for number, records in enumerate(runs, 1):
        for name, record in records.items():
            if not record.trial.options:
                text = StudyChoice(f"run-{number}", _text_of(record))
                yield StudyItem(
                    f"run-{number}/{name}", record.trial, "grades", stem_of(record.trial),
                    scales=scales, quoted=(text,), group=group_of(record.trial),
                )  # fmt: skip


def _numbered(folders: Sequence[Any]) -> list[str]:
    """List which run each number stands for; the researcher needs it, people must not see it."""
    return [
        " ".join(f"run-{number}: {folder} ({read_manifest(folder).model})".split())
        for number, folder in enumerate(folders, 1)
    ]


class _Slot(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    audio: str
    role: str = ""


class _Page(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    question: str
    stimuli: list[_Slot]
    group: str = ""
    anchor: bool = True


def _slots(path: Path, library: MediaLibrary) -> Iterator[StudyItem]:
    """Pages of sounds to be rated against each other, with hidden reference and anchor.

    The reference is heard openly and is hidden among the sounds. Without an anchor of its own, a
    page gets the reference through a low-pass of 3.5 kHz, unless it says ``"anchor": false``.
    """
    for where, page in read_lines(path, _Page):
        roles = {slot.key: slot.role for slot in page.stimuli if slot.role}
        if len({slot.key for slot in page.stimuli}) < len(page.stimuli) or len(page.stimuli) < 2:
            raise InputError(said("study-stimuli", where=where))
        if set(roles.values()) - {"reference", "anchor"}:
            raise InputError(said("study-role", where=where))
        sounds = {slot.key: audio_part(path.parent / slot.audio) for slot in page.stimuli}
        media = [library.sound(part, key) for key, part in sounds.items()]
        reference = next((key for key, role in roles.items() if role == "reference"), None)
        if reference is not None:
            media.append(library.sound(sounds[reference], "=reference"))
            if page.anchor and "anchor" not in roles.values():
                media.append(library.sound(sounds[reference], "anchor-3500", anchor=True))
                roles["anchor-3500"] = "anchor"
        library.as_large(media)
        keys = [medium.slot for medium in media if not medium.slot.startswith("=")]
        message = Message("user", (Text(page.question), *sounds.values()))
        yield StudyItem(
            page.id, Trial(page.id, (message,), page.question), "slots", page.question,
            scales=tuple(GradeScale(key, {}, 0, 100) for key in keys), media=tuple(media),
            group=page.group, roles=roles,
        )  # fmt: skip


def _with_media(item: StudyItem, library: MediaLibrary) -> StudyItem:
    if item.form == "slots" or item.role == "attention":
        return item
    media: list[StudyMedium] = library.of_trial(item.trial)
    if item.examples:
        more = library.of_examples(item.trial)
        media += more
        engraved = {medium.label for medium in more if medium.kind == "example_tune"}
        item = msgspec.structs.replace(item, examples=tuple(
            msgspec.structs.replace(one, question=without_midi(one.question))
            if str(number) in engraved else one
            for number, one in enumerate(item.examples, 1)
        ))  # fmt: skip
    return msgspec.structs.replace(item, media=tuple(media))


def _drawn(items: list[StudyItem], wish: StudyWish) -> list[StudyItem]:
    """Draw the wanted number of items, of each group or of all, as `zhiyin run` does by its seed.

    Those for practice stand last: they are the next ones of the order.
    """
    if not items:
        raise InputError(said("study-nothing"))
    if wish.per_group is None and wish.sample is None:
        return items
    places = {name: n for n, name in enumerate(drawn((one.trial for one in items), wish.seed))}
    order = sorted(items, key=lambda item: places[item_of(item.trial)])
    chosen = order[: wish.sample]
    if wish.per_group is not None:
        groups: defaultdict[str, list[StudyItem]] = defaultdict(list)
        for item in order:
            groups[item.group].append(item)
        chosen = [item for name in sorted(groups) for item in groups[name][: wish.per_group]]
    names = {item.id for item in chosen}
    return chosen + [item for item in order if item.id not in names][: wish.practice]


def _finest(trials: Iterable[Trial]) -> Callable[[Trial], str]:
    """Return a function that finds the finest group that a trial is counted under.

    It is the last named, or the smallest beside it: "world/outside_europe" sums up "world/asia".
    """
    sizes = Counter(group for trial in trials for group in trial.groups)

    def group_of(trial: Trial) -> str:
        last = trial.groups[-1] if trial.groups else ""
        above = last.rpartition("/")[0]
        beside = [group for group in trial.groups if above and group.rpartition("/")[0] == above]
        return min(reversed(beside), key=sizes.__getitem__, default=last)

    return group_of


def _text_of(record: Record) -> str:
    return record.exchange.final.text if record.exchange.turns else ""


def design_of(
    name: str, wish: StudyWish, words: Mapping[str, Words], items: Collection[StudyItem]
) -> StudyDesign:
    """The design of a new study of these items."""
    rules = Exclude(
        attention_wrong=min(wish.attention, 2) or None, gold_right=0.5 if wish.gold else None
    )
    # Where everybody's answer is a figure, to stop on agreement would make agreement larger.
    judged = wish.kind in ("validate", "annotate")
    return StudyDesign(
        name=name, kind=wish.kind, languages=list(wish.languages), seed=wish.seed,
        texts={one: default_texts(one, words[one], wish.kind, items) for one in wish.languages},
        annotations=Annotations(most=5 if judged else None, stop_when_agreed=judged),
        checks=Checks(volume=is_played(items)), exclude=rules,
    )  # fmt: skip
