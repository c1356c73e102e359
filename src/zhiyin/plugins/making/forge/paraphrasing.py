"""Other wordings of a benchmark's questions: proposed, checked, and written to an open file.

A wording is kept where the rules of `sameness` find nothing against it and, where there is a
checker, a second model agrees: it sees both wordings, the options of the second in another order,
and the original's key, which it is to take as given. It must say that both ask the same, and name
the right option of the second. So it need not know the answer, nor hear the music, and cannot
agree by habit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.contract.registry import blaming, find, with_data
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.flags import ABOVE_0, COUNT, Flag
from zhiyin.plugins.judges.language import fenced
from zhiyin.plugins.judges.reading import UnreadableJudgement, read_object, words, yes_no
from zhiyin.plugins.making.errata import read_trials
from zhiyin.plugins.making.forge import (
    FELL,
    Asker,
    Asking,
    Distractor,
    Fallen,
    ForgeItem,
    ForgeTrack,
    Funnel,
    ask_items,
    chance_of,
    funnel,
    lack_of,
    lines_of,
)
from zhiyin.plugins.making.forge.blind import LETTERS
from zhiyin.plugins.making.forge.sameness import (
    Paraphrase,
    ParaphraseItem,
    fault_of,
    wordings_by_grammar,
)
from zhiyin.plugins.making.forge.validating import (
    AcceptanceRule,
    read_annotations,
    validate,
    write_questions,
)
from zhiyin.plugins.methods.wordings import Wording, default_file, hashes_of, places_of
from zhiyin.session import Watch, silent
from zhiyin.trial import Audio, Trial, right_keys
from zhiyin.words import said

GRAMMAR = "grammar"
QUESTIONS = "questions.jsonl"
RULE = AcceptanceRule()
_SPARE = 2
"""So many more are proposed than are wanted, for some fall."""


class ParaphrasePlan(msgspec.Struct, frozen=True):
    """Settings for making paraphrases; each field carries its command-line flag."""

    wordings: Annotated[int, Flag("of each question, beside its own"), COUNT] = 3
    longest: Annotated[float, Flag("times as long as the original, at most", "X"), ABOVE_0] = 2.0
    limit: Annotated[int | None, Flag("only the first N questions"), COUNT] = None
    annotations: Annotated[
        str | None, Flag("what people said of them: a table, or the export of a study", "FILE")
    ] = None


class Paraphrased(msgspec.Struct):
    """Result of paraphrasing: the file, its funnel, items by number of wordings, what is next.

    Attributes
    ----------
    file : str
    funnel : Funnel
        Of wordings.
    items : int
    wordings : dict of int to int
        From numbers of wordings to numbers of items.
    unheard : bool
        Whether the benchmark was read without its sound, which is not here.
    questions : str
        The kept ones as questions with their keys, for a study of people.
    command : str
    """

    file: str
    funnel: Funnel
    items: int
    wordings: dict[int, int]
    unheard: bool
    questions: str
    command: str


class Paraphrasing(Asking):
    """Questions that a model puts in other words."""

    name = "forge-paraphrase"
    version = "1"
    summary = "other wordings that a model proposes (use `zhiyin forge paraphrase`)"
    paper = "none"
    kind = ParaphraseItem

    def words(self, item: ParaphraseItem) -> str:
        """The prompt about a question: without its key."""
        about = fenced("\n".join([f"Question: {item.stem}", *_lettered(item.options)]))
        return self.prompts.fill("paraphrase", count=str(self.settings.count), item=about)

    def read(self, text: str) -> list[dict[str, Any]]:
        """The wordings in a reply, as they stand there.

        Raises
        ------
        UnreadableJudgement
            It holds no list of wordings.
        """
        found = read_object(text, ("wordings",)).get("wordings")
        if not isinstance(found, list) or not found:
            raise UnreadableJudgement('"wordings" was no list of wordings')
        if not all(isinstance(one, dict) and words(one.get("question")) for one in found):
            raise UnreadableJudgement('an entry of "wordings" had no "question"')
        return found


class ComparedPair(msgspec.Struct, frozen=True):
    """Two wordings of a question; the options of each in the order in which they are shown."""

    id: str
    stem: str
    options: tuple[str, ...]
    right: str
    other: str
    others: tuple[str, ...]
    place: int


class Comparing(Asking):
    """Pairs of wordings, of which a model says whether they ask the same."""

    name = "forge-same"
    version = "1"
    summary = "whether two wordings ask the same, by a model (use `zhiyin forge paraphrase`)"
    paper = "none"
    kind = ComparedPair

    def words(self, item: ComparedPair) -> str:
        """The prompt about a pair."""
        first = [f"First wording: {item.stem}", *_lettered(item.options)]
        second = [f"Second wording: {item.other}", *_lettered(item.others)]
        about = fenced("\n".join([*first, "", *second]))
        return self.prompts.fill("same", item=about, right=item.right)

    def read(self, text: str) -> tuple[bool, str, str]:
        """Read whether they ask the same, the letter of the right option, and what differs.

        Raises
        ------
        UnreadableJudgement
            It does not say whether they do.
        """
        found = read_object(text, ("same",))
        letter = words(found.get("right")).strip("().: ").upper()[:1]
        return yes_no(found.get("same"), "same"), letter, words(found.get("difference"))


def _lettered(options: Iterable[str]) -> list[str]:
    return [f"{letter}. {text}" for letter, text in zip(LETTERS, options, strict=False)]


def read_items(trials: Iterable[Trial]) -> tuple[list[ParaphraseItem], list[Fallen]]:
    """The questions of trials, each once, and those that cannot be put otherwise."""
    found: dict[tuple[str, ...], ParaphraseItem] = {}
    names: dict[str, int] = {}
    fallen: dict[tuple[str, str], Fallen] = {}
    for trial in trials:
        name, keys = trial.item or trial.id, right_keys(trial)
        stem, options = places_of(trial)
        why = "not-in-one-place" if not stem else "without-one-key" if len(keys) != 1 else ""
        if why:
            fallen[name, trial.stem] = Fallen(name, why, repr(trial.stem[:80]))
            continue
        texts = tuple(option.text for option in trial.options)
        right = next((o.text for o in trial.options if o.key == keys[0]), "")
        known = found.get((name, trial.stem, right))
        if known is None:
            names[name] = names.get(name, 0) + 1
            sounds = [p.path for m in trial.messages for p in m.parts if isinstance(p, Audio)]
            known = ParaphraseItem(
                id=name if names[name] == 1 else f"{name}~{names[name]}",
                item=name,
                stem=trial.stem,
                right=right,
                accepted=() if texts else tuple(str(trial.target).split(" | ")),
                recording=sounds[-1] if sounds else "",
            )
        found[name, trial.stem, right] = msgspec.structs.replace(
            known,
            options=tuple(dict.fromkeys((*known.options, *texts))),
            fixed=known.fixed or not options,
            of=tuple(dict.fromkeys((*known.of, *hashes_of(trial)))),
        )
    return list(found.values()), list(fallen.values())


def paraphrase(
    benchmark: str,
    options: Mapping[str, Any],
    plan: ParaphrasePlan,
    out: Path | None = None,
    proposer: Asker | None = None,
    checker: Asker | None = None,
    rule: AcceptanceRule = RULE,
    watch: Watch = silent,
) -> Paraphrased:
    """Make other wordings of a benchmark's questions, and write those that are kept.

    Parameters
    ----------
    benchmark : str
    options : mapping
        As flags of ``zhiyin run`` give them.
    plan : ParaphrasePlan
    out : Path, optional
        The file; by default that where ``zhiyin run`` looks. What was asked lies in a folder
        beside it.
    proposer : Asker, optional
        Who proposes; None for our grammar.
    checker : Asker, optional
        Who says whether they ask the same.
    rule : AcceptanceRule
        When what people said confirms one.

    Raises
    ------
    InputError
        For anything that the user can mend.
    """
    if checker is not None and proposer is not None and checker.model == proposer.model:
        raise InputError(said("paraphrase-checker", called=checker.called))
    kind = find(benchmark)
    with blaming(kind), with_data(kind, options) as options:
        opened, trials, unheard = read_trials(kind, options)
    items, fallen = read_items(trials)
    items = items[: plan.limit]
    if not items:
        raise InputError(said("paraphrase-none", benchmark=benchmark))
    file = out or default_file(opened.name, options.get("data"))
    work = file.with_suffix("")
    if work == file:
        raise InputError(said("paraphrase-file", file=file))
    work.mkdir(parents=True, exist_ok=True)
    proposer, checker = (
        one and msgspec.structs.replace(one, work=work) for one in (proposer, checker)
    )
    proposed = _proposed(items, plan, proposer, work, fallen, watch)
    kept = _by_rules(items, proposed, plan, fallen, ours=proposer is None)
    source = GRAMMAR if proposer is None else proposer.called
    checks: tuple[str, ...] = ("rules",)
    if checker is not None:
        kept = _agreed(items, kept, checker, work, fallen, watch)
        checks += (f"checker:{checker.called}",)
    kept = {name: _wanted(name, own, plan.wordings, fallen) for name, own in kept.items()}
    recordings = {item.id: item.recording for item in items}
    shown = list(_forge_items(items, kept))
    tracks = {one.id: ForgeTrack(one.id, (), recordings[name]) for one, name, _ in shown}
    write_atomically(work / QUESTIONS, write_questions([one for one, _, _ in shown], tracks))
    if plan.annotations:
        kept = _confirmed(items, kept, Path(plan.annotations), rule, fallen)
        checks += ("people",)
    numbers: Counter[tuple[str, tuple[str, ...]]] = Counter()
    lines: list[Wording] = []
    for item in items:
        for one in kept.get(item.id, ()):
            numbers[item.item, item.of] += 1  # the same words may be asked with several keys
            number = numbers[item.item, item.of]
            lines.append(Wording(item.item, number, one.stem, one.options, source, checks, item.of))
    write_atomically(work / FELL, lines_of(fallen))
    if lines or not file.exists():  # a checker that fails takes no earlier file away
        write_atomically(file, lines_of(lines))
    having: dict[int, int] = {}
    for item in items:
        own = len(kept.get(item.id, ()))
        having[own] = having.get(own, 0) + 1
    return Paraphrased(
        str(file), funnel("paraphrase", "wordings", len(lines), fallen), len(items),
        dict(sorted(having.items(), reverse=True)), unheard,
        str(work / QUESTIONS) if shown else "",
        _command(benchmark, options, plan, file, opened.name),
    )  # fmt: skip


def _wanted(
    name: str, own: Sequence[Paraphrase], most: int, fallen: list[Fallen]
) -> list[Paraphrase]:
    """Draw the wanted number of paraphrases: a wording's number does not depend on its kind."""
    fallen += [Fallen(name, "more-than-wanted", repr(one.stem)) for one in own[most:]]
    return sorted(own[:most], key=lambda one: chance_of("wording", name, one.stem))


def _command(
    benchmark: str, options: Mapping[str, Any], plan: ParaphrasePlan, file: Path, name: str
) -> str:
    """The run that asks in these words."""
    from zhiyin.contract.settings import run_command

    data = options.get("data")
    given = [] if not data else ["--data", str(data)]
    named = [] if file == default_file(name, data) else ["--paraphrases", str(file)]
    return run_command(benchmark, "MODEL", [*given, "--paraphrase", str(plan.wordings), *named])


def _proposed(
    items: Sequence[ParaphraseItem],
    plan: ParaphrasePlan,
    proposer: Asker | None,
    work: Path,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, list[Paraphrase]]:
    """Collect the proposed paraphrases of each item."""
    many = plan.wordings + _SPARE
    if proposer is None:
        return {
            item.id: [Paraphrase(text) for text in wordings_by_grammar(item.stem, item.id, many)]
            for item in items
        }
    folder = work / "propose"
    folder.mkdir(exist_ok=True)
    file = folder / "items.jsonl"
    write_atomically(file, lines_of(items))
    asked = {"items": str(file), "count": many}
    asking, records = ask_items(Paraphrasing, asked, proposer, folder, watch)
    proposed: dict[str, list[Paraphrase]] = {}
    for item in items:
        record = records.get(item.id)
        if record is None or (lack := lack_of(record)):
            failed = record is None or record.error
            lack = "it was not asked about" if record is None else lack
            fallen.append(Fallen(item.id, "failed" if failed else "unreadable", lack))
            continue
        for one in asking.read(record.exchange.final.text)[:many]:
            proposed.setdefault(item.id, []).append(_read_wording(item, one))
    return proposed


def _read_wording(item: ParaphraseItem, found: Mapping[str, Any]) -> Paraphrase:
    """A proposal as the model gave it; of options that cannot be reworded nothing is taken."""
    given = found.get("options")
    changed: dict[str, str] = {}
    if isinstance(given, dict) and not item.fixed:
        shown = dict(zip(LETTERS, item.options, strict=False))
        for letter, text in given.items():
            own, put = shown.get(str(letter).strip().upper()[:1]), words(text)
            if own is not None and put and put != own:
                changed[own] = put
    return Paraphrase(words(found.get("question")), changed)


def _by_rules(
    items: Sequence[ParaphraseItem],
    proposed: Mapping[str, Sequence[Paraphrase]],
    plan: ParaphrasePlan,
    fallen: list[Fallen],
    *,
    ours: bool,
) -> dict[str, list[Paraphrase]]:
    """The proposals against which the rules find nothing."""
    kept: dict[str, list[Paraphrase]] = {}
    for item in items:
        own = kept.setdefault(item.id, [])
        for one in proposed.get(item.id, ()):
            fault = fault_of(item, one, own, plan.longest, ours=ours)
            if fault is None:
                own.append(one)
            else:
                fallen.append(fault)
    return kept


def _agreed(
    items: Sequence[ParaphraseItem],
    kept: Mapping[str, Sequence[Paraphrase]],
    checker: Asker,
    work: Path,
    fallen: list[Fallen],
    watch: Watch,
) -> dict[str, list[Paraphrase]]:
    """Keep those of which the checker says that question and key are the same."""
    pairs = [pair for item in items for pair in _pairs(item, kept[item.id])]
    if not pairs:
        return {item.id: [] for item in items}
    folder = work / "check"
    folder.mkdir(exist_ok=True)
    file = folder / "items.jsonl"
    write_atomically(file, lines_of([pair for pair, _ in pairs]))
    asking, records = ask_items(Comparing, {"items": str(file)}, checker, folder, watch)
    agreed: dict[str, list[Paraphrase]] = {item.id: [] for item in items}
    by_pair = {pair.id: (name, one) for (pair, one), name in zip(
        pairs, (item.id for item in items for _ in kept[item.id]), strict=True
    )}  # fmt: skip
    for pair, one in pairs:
        record = records.get(pair.id)
        if record is None or lack_of(record):
            fallen.append(Fallen(pair.id, "not-checked", lack_of(record)))
            continue
        same, letter, difference = asking.read(record.exchange.final.text)
        shown = f"{pair.other!r} for {pair.stem!r}: {difference}"
        if not same:
            fallen.append(Fallen(pair.id, "not-the-same", shown))
        elif pair.others and letter != LETTERS[pair.place]:
            fallen.append(Fallen(pair.id, "another-key", f"{letter or 'none'}: {shown}"))
        else:
            agreed[by_pair[pair.id][0]].append(one)
    return agreed


def _pairs(
    item: ParaphraseItem, kept: Sequence[Paraphrase]
) -> Iterator[tuple[ComparedPair, Paraphrase]]:
    """Each wording beside the original, its options in a drawn order."""
    own, places = item.options, range(len(item.options))
    right = LETTERS[own.index(item.right)] if own else " | ".join(item.accepted)
    for number, one in enumerate(kept, 1):
        order = sorted(places, key=lambda place: chance_of("same", item.id, number, place))
        others = one.options_of(item)
        pair = ComparedPair(
            f"{item.id}#{number}", item.stem, own, right, one.stem,
            tuple(others[place] for place in order),
            order.index(own.index(item.right)) if own else 0,
        )  # fmt: skip
        yield pair, one


def _forge_items(
    items: Sequence[ParaphraseItem], kept: Mapping[str, Sequence[Paraphrase]]
) -> Iterator[tuple[ForgeItem, str, Paraphrase]]:
    """The kept wordings of questions with options, as people are shown them."""
    for item in items:
        for number, one in enumerate(kept.get(item.id, ()), 1):
            if item.options:
                right, name = one.right_of(item), f"{item.id}#{number}"
                wrong = tuple(Distractor(t) for t in one.options_of(item) if t != right)
                yield ForgeItem(name, name, one.stem, right, wrong), item.id, one


def _confirmed(
    items: Sequence[ParaphraseItem],
    kept: Mapping[str, Sequence[Paraphrase]],
    annotations: Path,
    rule: AcceptanceRule,
    fallen: list[Fallen],
) -> dict[str, list[Paraphrase]]:
    """Keep those that people confirm: they mark the right option of the new wording."""
    made = list(_forge_items(items, kept))
    asked = [one for one, _, _ in made]
    said, _ = read_annotations(annotations, asked)
    stay, gone, _ = validate(asked, said, rule)
    fallen += gone
    free = (item.id for item in items if not item.options for _ in kept.get(item.id, ()))
    fallen += [Fallen(name, "no-options-to-mark", "a free answer") for name in free]
    names = {one.id for one in stay}
    confirmed: dict[str, list[Paraphrase]] = {}
    for one, name, wording in made:
        if one.id in names:
            confirmed.setdefault(name, []).append(wording)
    return confirmed
