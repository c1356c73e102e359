"""Published replies: as run folders of ours, one a model, and the published figures made again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.published import DATA, Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.errors import InputError
from zhiyin.plugins.composed.scores import data
from zhiyin.plugins.composed.scores.asking import ScoresAsker, ScoresSettings
from zhiyin.plugins.composed.scores.benchmark import Scores
from zhiyin.plugins.composed.scores.scoring import F1, PUBLISHED, judge_notes
from zhiyin.plugins.methods.imported import each_once, files_below, write_run
from zhiyin.plugins.music.clips import read_json_lines, refuse
from zhiyin.record import Finish, Reply, Verdict
from zhiyin.trial import Trial
from zhiyin.words import Said, said

RESULTS = "results"
_CUT = {"max_tokens", "max_output_tokens", "length"}
_NEAR = 1e-6


class Replies(msgspec.Struct):
    """A file of replies: the examples with one, those whose line has none, and what is amiss.

    `missing` counts examples without a line; `differing` counts replies with scores beside them
    that are not those of the published rule.
    """

    path: Path
    split: str
    model: str
    given: list[tuple[Trial, Reply]]
    silent: list[Trial]
    missing: int
    differing: int

    @property
    def lacking(self) -> int:
        """Examples that have no reply."""
        return self.missing + len(self.silent)


def import_results(
    places: Sequence[Path], out: Path | None, extract: str, model: str = ""
) -> list[Path]:
    """Write a run folder for each model whose replies are among some files and folders.

    Parameters
    ----------
    places : sequence of Path
        Files ``SPLIT/results/NAME.jsonl`` beside ``SPLIT/manifest.jsonl``, or folders that hold
        some.
    out, extract, model
        As `Benchmark.import_answers`.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        A file or line that cannot be read, a split given twice, or a name for several models.
    """
    benchmark = Scores.from_options({"extract": extract})
    asker = ScoresAsker(ScoresSettings(asking="published"))
    absent = f"no {RESULTS}/NAME.jsonl in it; get them from {data.HOME}"
    paths = files_below(places, lambda place: place.rglob(f"{RESULTS}/*.jsonl"), absent)
    files = [read_replies(path, asker) for path in dict.fromkeys(paths)]
    models = list(dict.fromkeys(file.model for file in files))
    if model and len(models) > 1:
        raise InputError(said("scores-models", model=model, models=models))
    folders = []
    for name in models:
        of_model = [file for file in files if file.model == name]
        refuse_twice(of_model)
        lacking = sum(file.lacking for file in of_model)
        given = out if len(models) == 1 else out / _plain(name) if out else None
        folders.append(
            write_run(
                Scores,
                [pair for file in of_model for pair in file.given],
                benchmark.score,
                [file.path for file in of_model],
                given,
                extract,
                model or name,
                _remarks(of_model),
                lacking,
                "pictures",
            )
        )
    return folders


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in name)


def refuse_twice(files: Sequence[Replies]) -> None:
    """Raise `InputError` for two files of one model and split."""
    paths: dict[tuple[str, str], Path] = {}
    for file in files:
        if (other := paths.setdefault((file.model, file.split), file.path)) is not file.path:
            raise InputError(said(
                "scores-same-split", path=file.path, model=file.model, split=file.split,
                other=other,
            ))  # fmt: skip


def _remarks(files: Sequence[Replies]) -> list[Said]:
    remarks = []
    if lacking := sum(file.lacking for file in files):
        remarks.append(said("scores-without-reply", n=lacking))
    if differing := sum(file.differing for file in files):
        remarks.append(said("scores-differing", n=differing))
    return remarks


def read_replies(path: Path, asker: ScoresAsker) -> Replies:
    """The replies in a file. Raises `InputError` for a line that cannot be read."""
    entries = list(read_json_lines(path))
    if not entries:
        raise InputError(said("scores-no-replies", path=path, home=data.HOME))
    manifest = _manifest_of(path, entries)
    examples = {example.id: example for example in data.read_manifest(manifest, refuse)}
    models: set[str] = set()
    given: dict[str, tuple[Trial, Reply]] = {}
    silent: dict[str, Trial] = {}
    differing = 0
    for number, entry in entries:
        example, reply = _line(path, number, entry, examples)
        if example.id in given or example.id in silent:
            raise InputError(said("scores-second", path=path, number=str(number), id=example.id))
        models.add(entry["model"])
        trial = asker.published(example, None)
        if reply is None:
            silent[example.id] = trial
            continue
        given[example.id] = trial, reply
        differing += _differs(entry.get("metrics"), judge_notes(trial, reply, "music-bench").scores)
    if len(models) > 1:
        raise InputError(said("scores-several", path=path, models=sorted(models)))
    if not given:
        raise InputError(said("scores-silent", path=path, silent=len(silent)))
    missing = len(examples) - len(given) - len(silent)
    return Replies(
        path, manifest.parent.name, models.pop(), list(given.values()), list(silent.values()),
        missing, differing,
    )  # fmt: skip


def _manifest_of(path: Path, entries: Sequence[tuple[int, Any]]) -> Path:
    """The manifest beside a file or one folder up; else the fetched one that has its examples."""
    place = path.absolute().parent
    for folder in (place, place.parent):
        if (folder / data.MANIFEST).is_file():
            return folder / data.MANIFEST
    first = entries[0][1].get("id") if isinstance(entries[0][1], dict) else None
    fetched = Scores.fetched({})
    for manifest in data.find_splits(fetched).values() if fetched else ():
        if any(example.id == first for example in data.read_manifest(manifest, refuse)):
            return manifest
    raise InputError(said("scores-layout", path=path, manifest=data.MANIFEST, results=RESULTS))


def _line(
    path: Path, number: int, entry: Any, examples: dict[str, data.Example]
) -> tuple[data.Example, Reply | None]:
    """The example of a line, and its reply; None where the provider gave none."""
    place = f"{path}:{number}"
    if not isinstance(entry, dict):
        raise InputError(said("scores-no-object", place=place))
    for name in ("id", "model"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            raise InputError(said("scores-lacks", place=place, name=name))
    example = examples.get(entry["id"])
    if example is None:
        raise InputError(said("scores-no-example", place=place, entry=repr(entry["id"])))
    text = entry.get("raw_response")
    if text is not None and not isinstance(text, str):
        raise InputError(said("scores-no-text", place=place))
    return example, None if text is None else _reply(text, entry)


def _reply(text: str, entry: dict[str, Any]) -> Reply:
    status, details = entry.get("response_status"), entry.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    words = {str(each).lower() for each in (status, reason) if each is not None}
    finish: Finish = "stop"
    if words & _CUT:
        finish = "length"
    elif words & {"refusal", "content_filter", "safety"}:
        finish = "refusal"
    usage = entry.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        text,
        finish,
        {k: v for k, v in counts.items() if isinstance(v, int) and not isinstance(v, bool)},
        # "" for no status: what the published scorer makes of a cut reply depends on it.
        detail={
            "response_status": "" if status is None else status,
            **({"incomplete_details": details} if details else {}),
        },
    )


def _differs(stored: Any, ours: dict[str, float]) -> bool:
    """Tell whether the scores stored with a reply differ from those of the published rule."""
    if not isinstance(stored, dict):
        return False
    return any(
        isinstance(stored.get(name), int | float) and abs(stored[name] - value) > _NEAR
        for name, value in ours.items()
    )


# The figures of each published split, made again from files of replies.

_EXACT, _EDITS = "accuracy", "edit_distance"
_FIGURES = {_EXACT: "exact match", F1: "note F1", _EDITS: "edits"}
_WITHIN = 5e-5


class _Both(msgspec.Struct):
    """One reply by the published rule and by ours; no verdict of ours where there is no reply."""

    rule: Verdict
    ours: Verdict | None

    def values(self, figure: str) -> tuple[float, float | None]:
        return _value(self.rule, figure), None if self.ours is None else _value(self.ours, figure)


def make_split(split: str, files: Sequence[Path]) -> Reproduction:
    """Exact match, F1 of notes and edits of a split, for each model whose replies there are."""
    files, notes = each_once(files, "files")
    asker = ScoresAsker(ScoresSettings(asking="published"))
    replies = [read_replies(path, asker) for path in files]
    refuse_twice(replies)
    rows = [row for each in replies for row in _rows(split, each)]
    notes.append(
        "by rule: the whole reply is a JSON object with notes, or it counts as 0, as does an "
        "example without a reply. By ours (robust): the list that the reply states; what has no "
        "reply is in no figure"
    )
    return Reproduction(tuple(rows), tuple(notes))


def _rows(split: str, replies: Replies) -> list[ReproducedFigure]:
    pairs = [_both(trial, reply) for trial, reply in replies.given]
    pairs += [_Both(judge_notes(trial, Reply(""), PUBLISHED), None) for trial in replies.silent]
    published = data.figures(replies.model).get(split, {})
    remarks: tuple[str, ...] = ()
    asked = [trial for trial, _ in replies.given] + replies.silent
    if published and not all(t.tags["recording"] in data.holdings().recordings for t in asked):
        published, remarks = {}, ("not compared: its manifest has other examples",)
    return [_row(replies, figure, pairs, published.get(figure), remarks) for figure in _FIGURES]


def _row(
    replies: Replies,
    figure: str,
    pairs: Sequence[_Both],
    published: float | None,
    remarks: tuple[str, ...],
) -> ReproducedFigure:
    values = [(pair, *pair.values(figure)) for pair in pairs]
    rule = sum(theirs for _, theirs, _ in values) / len(values)
    given = [(pair, theirs, own) for pair, theirs, own in values if own is not None]
    ours = sum(own for _, _, own in given) / len(given) if given else None
    causes = _read_otherwise(given)
    if replies.silent and given:
        effect = sum(theirs for _, theirs, _ in given) / len(given) - rule
        why = "examples without a reply, which the rule counts as unread"
        causes.append(Cause("ours", why, len(replies.silent), effect))
    if replies.missing and published is not None:
        causes.append(Cause("published", "examples whose lines are not here", replies.missing))
    if replies.silent and published is not None and abs(rule - published) > _WITHIN:
        why = "examples whose lines have no reply"
        causes.append(Cause("published", why, len(replies.silent)))
    if replies.differing and published is not None:
        why = "replies with other scores beside them than those of the rule"
        causes.append(Cause("published", why, replies.differing))
    return ReproducedFigure(
        replies.model, f"{replies.split}, {_FIGURES[figure]}", published, rule, ours, len(pairs),
        _WITHIN, percent=figure == _EXACT, causes=tuple(causes), remarks=remarks,
    )  # fmt: skip


def _read_otherwise(given: Sequence[tuple[_Both, float, float]]) -> list[Cause]:
    """Replies of which the two rules read another list, by why; their effects add up."""
    count: Counter[str] = Counter()
    effect: defaultdict[str, float] = defaultdict(float)
    for pair, theirs, own in given:
        if pair.ours is not None and pair.rule.answer != pair.ours.answer:
            why = f"read otherwise ({PUBLISHED}: {pair.rule.why}; robust: {pair.ours.why})"
            count[why] += 1
            effect[why] += own - theirs
    return [Cause("ours", why, n, effect[why] / len(given)) for why, n in count.most_common()]


def _both(trial: Trial, reply: Reply) -> _Both:
    return _Both(judge_notes(trial, reply, PUBLISHED), judge_notes(trial, reply, "robust"))


def _value(verdict: Verdict, figure: str) -> float:
    return float(verdict.state == "correct") if figure == _EXACT else verdict.scores[figure]


def _is_of_split(split: str, path: Path) -> bool:
    place = path.absolute().parent
    folder = place.parent if place.name == RESULTS else place
    return folder.name == split and path.suffix == ".jsonl" and path.name != data.MANIFEST


TABLES = tuple(
    ReproducibleTable(
        split,
        "exact match, F1 of notes and edits",
        f"{split}/{RESULTS}/NAME.jsonl",
        partial(_is_of_split, split),
        partial(make_split, split),
        DATA,
        of=PUBLISHED,
    )
    for split in ("public_test", "dev")
)
