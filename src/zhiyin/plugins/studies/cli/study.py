"""`zhiyin study ACTION`: people take the same exam, in their browsers."""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.cli.output import note, open_console, print_json
from zhiyin.contract.arguments import file_as_data, in_two_words
from zhiyin.contract.registry import find
from zhiyin.errors import InputError
from zhiyin.flags import Field, add_flag, add_part, fields_of, flagged, read_part
from zhiyin.plugins.methods.as_run import prepare_as_run
from zhiyin.plugins.people import COUNTED, lacking_of, open_exam
from zhiyin.plugins.studies.cli.people import open_study
from zhiyin.plugins.studies.cli.people import show as show
from zhiyin.plugins.studies.design import ServingWish, StudyWish
from zhiyin.text import quoted
from zhiyin.trial import Trial
from zhiyin.words import localized, said

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.studies.store import StudyStore

ACTIONS = ("make", "serve", "export", "show", "backup", "restore", "ethics", "words")
_ITS_OWN = "study-"
"""What stands before a flag of the study whose name is one of the benchmark's own."""


def rewrite_study(arguments: Sequence[str]) -> list[str]:
    """Rewrite `make --from BENCHMARK ...` to take the flags of `zhiyin run BENCHMARK`."""
    words = in_two_words(arguments, "--from")
    if words[:1] != ["make"]:
        return words
    sources = []
    while "--from" in words:
        place = words.index("--from")
        if place + 1 >= len(words):
            raise InputError(said("study-source-missing"))
        sources.append(words[place + 1])
        del words[place : place + 2]
    if not sources and len(words) > 1 and _named(words[1:]):  # its place says what it is
        sources.append(words.pop(1))
    if not sources:
        return words
    kinds = [b for a, b in itertools.pairwise(words) if a == "--kind"]
    rates = kinds[:1] == ["rate"] or "--kind=rate" in words
    if Path(sources[0], "run.json").is_file() or (rates and Path(sources[0]).is_file()):
        return ["make", *words[1:], *(f"--source={source}" for source in sources)]
    # A benchmark, as `zhiyin run` takes it.
    return ["make", *file_as_data([sources[0], *words[1:]])]


def prepare_make(parser: Parser, words: Sequence[str]) -> None:
    """Add the study's flags, and those of the benchmark that is named first."""
    if any(word.startswith("--source=") for word in words) or not _named(words):
        add_part(parser, StudyWish)
        add = parser.add_argument
        add("--from", "--source", dest="source", action="append", help="BENCHMARK, RUN or FILE")
        add("--out", metavar="DIR", help="the study's folder")
        add("--json", action="store_true", help="print one JSON object and nothing else")
        parser.set_defaults(benchmark=None)
        return
    taken = _taken(words[0])
    for field in taken:
        flag = msgspec.structs.replace(field.flag, name=f"{_ITS_OWN}{field.word}")
        add_flag(parser, msgspec.structs.replace(field, flag=flag))
    left_out = {"sample": "", "seed": ""} | {field.name: "" for field in taken}  # a run's own
    add_part(parser, StudyWish, **left_out)
    kept = {"benchmark", "data", "sample", "seed", "partial", "shots", "out"}
    own = {action.dest for action in parser._actions}
    prepare_as_run(parser, words, kept | own, "nobody is asked here", "the study's folder")


def _taken(benchmark: str) -> list[Field]:
    """The study's settings whose flags bear the name of one of the benchmark's own."""
    theirs = {field.name for field in fields_of(find(benchmark).Settings)} - {"seed"}
    return [field for field in flagged(StudyWish) if field.name in theirs]


def _named(words: Sequence[str]) -> bool:
    return bool(words) and not words[0].startswith("-")


def make(args: argparse.Namespace) -> int:
    """A study of a benchmark, of a run, or of a file."""
    from zhiyin.plugins.studies.making import make as make_study
    from zhiyin.plugins.studies.making import trials_of

    if not args.out:
        raise InputError(said("study-no-out"))
    given = vars(args)
    own = {name.removeprefix("study_"): name for name in given if name.startswith("study_")}
    wish = read_part(StudyWish(), given | {name: given[flag] for name, flag in own.items()})
    source: Any
    told: Sequence[Trial] = ()
    if args.benchmark:
        options = {name: getattr(args, name) for name in ("data", "seed", "partial", "shots")}
        options |= {"extract": None}
        options |= {name: getattr(args, name) for name in args.benchmark_flags}
        source, told = trials_of(args.benchmark, options)
    elif not args.source:
        raise InputError(said("study-no-source"))
    else:
        paths = [Path(path) for path in args.source]
        source = paths if (paths[0] / "run.json").is_file() else paths[0]
    made = make_study(source, Path(args.out), wish, told)
    if args.json:
        print_json({"folder": str(made.folder), "items": made.counts, "remarks": made.remarks})
        return 0
    counts = [said("study-count", n=n, role=role) for role, n in made.counts.items()]
    print(localized(said("study-wrote", counts=counts, folder=made.folder)))
    for remark in made.remarks[:10]:
        print(f"  {localized(said('cli-labelled', label=said('cli-note'), text=remark))}")
    print(f"  {localized(said('study-look'))}")
    print(f"  zhiyin study serve {quoted(made.folder)}")
    return 0


def serve(study: Path, *, database: str = "", wish: ServingWish = ServingWish()) -> int:
    """Let people take part; the researcher's page is on a port of its own."""
    from zhiyin.plugins.studies.guard import LOOPBACK
    from zhiyin.plugins.studies.serving import serve as serve_study

    for run in wish.model:
        if not Path(run, "run.json").is_file():
            raise InputError(said("study-no-run", run=run))
    if wish.host not in LOOPBACK and not wish.https:
        note(said("study-no-https"), said("cli-warning"))
    if wish.research_host not in LOOPBACK:
        note(said("study-reachable"), said("cli-warning"))

    def ready(people: str, research: str, token: str) -> None:
        note(said("study-participants", at=people))
        note(said("study-researcher-at", at=research, token=token))
        _warn(store)
        sys.stderr.flush()

    from zhiyin.plugins.studies.results import figures

    token = os.environ.get("ZHIYIN_STUDY_TOKEN", "")
    limits = not os.environ.get("ZHIYIN_STUDY_NO_LIMITS")
    with open_study(study, database) as store:
        asked = {one.trial.id: one.trial for one in store.items.values() if one.role in COUNTED}
        for run in wish.model if store.study.kind == "exam" else ():
            lacking_of(asked, open_exam(run), run)
        serve_study(store, wish, token, ready, limits=limits)
        begun = figures(store).people["begun"]
        note(said("study-stopped", n=begun, folder=str(study), closed=bool(store.closed)))
    return 0


def _warn(store: StudyStore) -> None:
    """Say what people would miss in the texts of a study, on standard error."""
    from zhiyin.plugins.studies.telling import omissions

    aside = open_console(stderr=True)
    if not store.begun:
        aside.say(said("study-unseen"), 0)
    for one in omissions(store):
        aside.say(one, 0, said("cli-warning"))


def export(study: Path, *, out: Path, database: str = "", json: bool = False) -> int:
    """Answers, trials and codebook; or answers as one flat table, with scripts that read it.

    Parameters
    ----------
    out : FILE
        .jsonl: for `zhiyin study show`; .csv: a row an answer, for R and spreadsheets
    """
    from zhiyin.plugins.studies.results import export as export_study
    from zhiyin.plugins.studies.sheet import export_sheet

    with open_study(study, database) as store:
        done = (export_sheet if out.suffix == ".csv" else export_study)(store, out)
    if json:
        print_json({"file": str(done.file), "trials": done.trials and str(done.trials),
                    "codebook": str(done.codebook), "answers": done.answers,
                    "people": done.people, "scripts": [*map(str, done.scripts)]})  # fmt: skip
        return 0
    facts = {"answers": done.answers, "people": done.people, "file": done.file}
    print(localized(said("study-exported", **facts)))
    if done.trials:
        print(f"  {localized(said('study-trials', file=done.trials))}")
    print(f"  {localized(said('study-codebook-file', file=done.codebook))}")
    if done.scripts:
        print(f"  {localized(said('study-scripts', files=done.scripts))}")
    return 0


def backup(study: Path, *, out: Path) -> int:
    """The whole study in one file, while it goes on."""
    from zhiyin.plugins.studies.backup import back_up

    print(localized(said("study-files", n=back_up(study, out), path=out)))
    return 0


def restore(backup: Path, *, out: Path) -> int:
    """A backup into a new folder.

    Parameters
    ----------
    backup : FILE
        what `zhiyin study backup` wrote
    """
    from zhiyin.plugins.studies.backup import restore as restore_study

    print(localized(said("study-files", n=restore_study(backup, out), path=out)))
    return 0


def ethics(study: Path, *, out: Path, database: str = "") -> int:
    """One text for an ethics board."""
    from zhiyin.plugins.studies.ethics import write_ethics

    with open_study(study, database) as store:
        write_ethics(store, out)
        _warn(store)
    print(localized(said("cli-wrote", path=out)))
    return 0


def words(source: str) -> int:
    """The words of the pages, to be translated; or what a translation of them lacks.

    Parameters
    ----------
    source : LANGUAGE|FILE
        from which to translate, such as en; or a file of words, such as fr.ftl
    """
    from zhiyin.plugins.studies import languages

    known = languages.built_in_words()
    if source in known:
        sys.stdout.write(languages.source_of(source))
        return 0
    path = Path(source)
    if not path.suffix:
        raise InputError(languages.no_words(source))
    own = languages.read_words(path)
    faults = [*languages.faults_of_words(own, languages.language_named(path))]
    console = open_console()
    for one in faults:
        console.say(said("study-words-fault", file=source, fault=one), indent=0)
    if not faults:
        console.say(said("words-whole", file=source), indent=0)
    return 1 if faults else 0
