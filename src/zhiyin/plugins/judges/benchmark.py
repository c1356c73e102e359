"""Judging as a benchmark: trials made from a run's records, and judgements from the replies."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Iterator, Mapping
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Section
from zhiyin.contract.options import read_settings as read_flags
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError
from zhiyin.flags import COUNT, Flag, flagged, read_field, read_value
from zhiyin.plugins.judges import aspects, cases, heard, rubric
from zhiyin.plugins.judges.aspects import (
    GRADED,
    MAX_TOKENS,
    OWN,
    Aspect,
    Dossier,
    aspect_words,
    open_dossier,
    part_named,
    read_aspects,
    read_declared,
    schema_of,
)
from zhiyin.plugins.judges.aspects import OURS as OUR_ASPECTS
from zhiyin.plugins.judges.cases import JudgedCase, run_judged
from zhiyin.plugins.judges.choices import list_modes, listed
from zhiyin.plugins.judges.heard import NOTHING, HeardFacts
from zhiyin.plugins.judges.language import (
    OURS,
    PLACES,
    REASONING,
    Language,
    attempts,
    fenced,
    open_language,
)
from zhiyin.plugins.judges.reading import ask_until_read, fault_in
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.plugins.judges.rules import (
    JUDGING,
    ReleasedForm,
    Rules,
    fill_released,
    read_clone,
    rules_of,
)
from zhiyin.prompts import Prompts, Template
from zhiyin.record import Ask, Exchange, Reply, Sampling, Strategy, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.trial import Message, Tag, Trial, say
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings


def _read_temperature(value: Any) -> float | str:
    """A number, or "own". Raises `InputError` for anything else."""
    if value == OWN:
        return OWN
    number: float = read_value("--temperature", Annotated[float, msgspec.Meta(ge=0, le=2)], value)
    return number


def _read_protocol(name: Any) -> str:
    return rules_of(name).name


class JudgeSettings(msgspec.Struct, frozen=True):
    """The user's choices: a judge's flags, parameters and what its manifest holds.

    `temperature` is a number, "own" for each aspect's own, or None to leave it to the model, as
    `max_tokens` and `top_p` may be. `protocol` says by which rules is judged: "ours" or
    "reaction-released"; `released` is the user's clone, whose prompts are used. `no_heard` leaves
    out what is measured in the recordings. `declared` are the aspects that are not ours, `lexical`
    the version of the lexical judge's rules, where that judges.
    """

    run: Annotated[str, Flag("the run whose texts are judged", "RUN", place=True)]
    aspects: Annotated[
        tuple[str, ...],
        Flag(
            "some of these three, or a file that declares one; or failures, or reasoning",
            "LIST",
            once=True,
            read=aspect_words,
        ),
    ] = GRADED
    draws: Annotated[int, Flag("judgements of each text", "K"), COUNT] = 1
    language: Annotated[
        str,
        Flag(
            "of the prompts: zh, en, or the folder of a language pack; default: the run's own",
            "LANG",
        ),
    ] = ""
    prompts: Annotated[
        str | None, Flag("prompts that replace ours by file name", "DIR", place=True)
    ] = None
    temperature: Annotated[
        float | str | None,
        Flag(
            "own: 0.6, 0.3, 0.4 by aspect; 'default' leaves it to the judge",
            "T",
            common=True,
            read=_read_temperature,
            unset="default",
        ),
    ] = OWN
    max_tokens: Annotated[
        int | None, Flag("of a reply", "N", common=True, unset="default"), COUNT
    ] = MAX_TOKENS
    top_p: Annotated[
        float | None,
        Flag("default: the judge's own", "P", common=True, unset="default"),
        msgspec.Meta(gt=0, le=1),
    ] = None
    protocol: Annotated[str, Flag(read=_read_protocol)] = "ours"
    released: str | None = None
    no_heard: Annotated[
        bool, Flag("judge by song details alone, without what is measured in the recordings")
    ] = False
    declared: Annotated[tuple[Aspect, ...], Flag(read=tuple)] = ()
    lexical: Annotated[int, Flag(read=int)] = 0

    def aspect(self, name: str) -> Aspect:
        """The declaration of an aspect."""
        return next((one for one in self.declared if one.name == name), None) or OUR_ASPECTS[name]

    @property
    def rules(self) -> Rules:
        """Rules that the protocol's name stands for."""
        return rules_of(self.protocol)

    @property
    def options(self) -> dict[str, Any]:
        """Options in the form that the flags of ``zhiyin judge`` give."""
        return {**self._plain, "aspects": ",".join(self.aspects)}

    @property
    def _plain(self) -> dict[str, Any]:
        """The settings by name, without what earlier runs did not know where it says nothing."""
        plain = msgspec.structs.asdict(self)
        later = {"declared": msgspec.to_builtins(self.declared), "lexical": self.lexical}
        return {n: value for n, value in (plain | later).items() if value or n not in later}

    @property
    def identity(self) -> dict[str, Any]:
        """Settings that tell one judging of a run from another, wherever its files lie."""
        chosen = {**self._plain, "run": "", "prompts": None, "released": None}
        return chosen | {"heard": not chosen.pop("no_heard")}


def read_settings(options: Mapping[str, Any]) -> JudgeSettings:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        No run is named, or a value is not valid.
    """
    if not options.get("run"):
        raise InputError("no run to judge: write `zhiyin judge RUN -m JUDGE`")
    chosen = read_aspects(options.get("aspects"), read_declared(options))
    names, added = [one.name for one in chosen], [one for one in chosen if one.prompt]
    settings = read_flags(JudgeSettings, {**options, "aspects": names, "declared": added})
    assert isinstance(settings, JudgeSettings)
    left = {n: None for n in ("temperature", "max_tokens") if options.get(n, "") is None}
    language = settings.language or _language_of(Path(settings.run))
    return msgspec.structs.replace(settings, language=language, **left)


def _language_of(run: Path) -> str:
    """The language in which a run was asked; Chinese where it names none."""
    try:
        return str(read_manifest(run).options.get("language") or "zh")
    except InputError:  # told where the run is read
        return "zh"


class Judging(Benchmark[JudgeSettings]):
    """The judging of one run: aspect after aspect, each text `draws` times.

    A trial's id holds a hash of what is judged, so that a text (or its song's details) that has
    changed since is judged anew and an old judgement is never taken for one of it.

    Parameters
    ----------
    settings : JudgeSettings
    """

    name = "judge"
    version = str(aspects.VERSION)
    summary = "judgements of an earlier run: reviews, failures, reasoning (`zhiyin judge RUN`)"
    paper = "none; the aspects and weights are those of ReactionEval"
    licence = "rubrics and prompts: as Zhiyin"
    bibtex = ""
    grades = True
    chance = None
    """There is no right answer, and so no chance level."""
    protocols = (JUDGING,)
    Settings: ClassVar[type[msgspec.Struct]] = JudgeSettings
    places = frozenset({"run", "prompts"})

    def __init__(self, settings: JudgeSettings) -> None:
        self.settings = settings

    @classmethod
    def ordered_by(cls, order: RunSettings) -> str:
        """The command that has a run judged, with what is not the default."""
        from zhiyin.contract.settings import chosen_of, field_words, part_words, parts

        options = {name: value for name, value in order.options.items() if name != "run"}
        options |= {"max_tokens": order.sampling.max_tokens, "top_p": order.sampling.top_p}
        if options.get("prompts") or options.get("released"):
            options.pop("no_heard", None)  # then judging sets it by itself, and is another with it
        if options.get("temperature", "") is None:  # left to the judge, which has a word for it
            options["temperature"] = "default"
        words = ["zhiyin", "judge", run_judged(order), "-m", str(order.model)]
        for field in flagged(cls.Settings):
            if field.name in options:
                value = options[field.name]
                read = value if value is None else read_field(field, value)
                if read != field.default:
                    words += field_words(field, value)
        for part in parts():
            if part.kind is not Sampling:
                words += part_words(chosen_of(order, part), part, every=False)
        return shlex.join(words)

    @cached_property
    def cases(self) -> list[JudgedCase]:
        """Cases of the run that are to be judged."""
        run = Path(self.settings.run)
        failing = "failures" in self.settings.aspects
        if failing:
            return cases.wrong_choices(run)
        if "reasoning" in self.settings.aspects:
            return cases.reasoned(run)
        reviews = cases.reviews(run)
        if not self.settings.no_heard:
            return reviews
        return [msgspec.structs.replace(case, heard=NOTHING) for case in reviews]

    @cached_property
    def language(self) -> Language:
        """The language pack."""
        return open_language(self.settings.language)

    @cached_property
    def wording(self) -> Prompts:
        """The prompts."""
        own = {"aspect": ("low", "high")} if self.settings.declared else {}
        return Prompts(
            "zhiyin.plugins.judges",
            REASONING if "reasoning" in self.settings.aspects else {**PLACES, **own},
            language=self.language.language,
            folder=self.settings.prompts,
            base=self.language.folder,
        )

    @cached_property
    def forms(self) -> dict[str, ReleasedForm]:
        """The released prompts, by aspect, where the user's clone has them."""
        folder = self.settings.released
        return read_clone(Path(folder)) if folder else {}

    def planned(self) -> Iterator[tuple[str, int, JudgedCase]]:
        """Aspect, draw and case of every judgement that is to be made."""
        for aspect in self.settings.aspects:
            for draw in range(1, self.settings.draws + 1):
                for case in self.cases:
                    if judgeable(self.settings.aspect(aspect), case):
                        yield aspect, draw, case

    def trials(self) -> Iterator[Trial]:
        """A trial for every judgement."""
        for aspect, draw, case in self.planned():
            yield self._trial(aspect, draw, case)

    def __len__(self) -> int:
        return sum(1 for _ in self.planned())

    def strategy(self, trial: Trial) -> Strategy:
        """Ask; where the reply is no judgement, ask once more, naming the fault."""
        return self._conduct

    async def _conduct(self, trial: Trial, ask: Ask) -> Exchange:
        dossier = open_dossier(trial.stem)
        about = msgspec.structs.replace(dossier, text="", details={}, heard=NOTHING)
        sampling = self._sampling(about.aspect, msgspec.json.encode(about))

        def ask_judge(messages: tuple[Message, ...]) -> Awaitable[Reply]:
            return ask(messages, sampling)

        def again(fault: Text) -> str:
            return self.wording.fill("again", fault=fault)

        return await ask_until_read(ask_judge, trial.messages, partial(_judged, trial.stem), again)

    @cache  # noqa: B019 - a judging lives as long as its run
    def _sampling(self, aspect: str, about: bytes) -> Sampling:
        """Sampling for the judge of an aspect; one object for all its calls."""
        settings, dossier = self.settings, msgspec.json.decode(about, type=Dossier)
        given = settings.temperature
        return Sampling(
            settings.aspect(aspect).temperature if isinstance(given, str) else given,
            settings.max_tokens,
            settings.top_p,
            schema=None if dossier.released else schema_of(dossier),
        )

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The judgement in the last reply, or an error where it holds none."""
        label = f"{trial.tags.get('aspect')}@{aspects.VERSION}"
        reply = exchange.final
        fault = fault_in(reply, partial(_judged, trial.stem))
        if fault is not None:
            return Verdict(
                "error", None, why=str(said("log-judge-error", why=str(fault))), policy=label
            )
        judged = _judged(trial.stem, reply.text)
        why = "judged; the stated sum was wrong, ours counts" if judged.mended else "judged"
        return Verdict("ungraded", None, why=why, policy=label, scores=judged.scores)

    def fingerprint(self) -> str:
        """SHA-256 over the prompts and rubric. What is judged is in the trials' ids."""
        total = sha256(self.wording.as_bytes())
        if self.language.language not in OURS or self.settings.protocol != "ours":
            total.update(self._points.encode())
        total.update(msgspec.json.encode(self.forms))
        if self.settings.declared:
            total.update(msgspec.json.encode(self.settings.declared))
        return total.hexdigest()

    @cached_property
    def _points(self) -> str:
        """The rubric in the language of the prompts."""
        used = self.settings.rules.rubric
        return rubric.list_points(self.language.wording(used.name, used.points), used)

    def remarks(self) -> list[Said]:
        """Texts that try to instruct the judge, and those that an aspect cannot judge."""
        remarks = [
            said("judge-instructed", case=case.id, words=repr(attempted[0][:80]))
            for case in self.cases
            if (attempted := attempts(case.text))
        ]
        data = (attempts("\n".join(map(_shown, case.details.values()))) for case in self.cases)
        if passages := [attempted[0][:80] for attempted in data if attempted]:
            remarks.append(said("judge-details", n=len(passages), words=repr(passages[0])))
        for aspect in self.settings.aspects:
            declared = self.settings.aspect(aspect)
            if bare := sum(not _known(declared, case) for case in self.cases):
                what = said(
                    "judge-without", needs=declared.needs, aspect=part_named(aspect), n=bare
                )
                remarks.append(what)
        ours = [aspect for aspect in self.settings.aspects if aspect not in self.forms]
        if self.settings.released and ours:
            remarks.append(said("judge-ours", released=self.settings.released, aspects=ours))
        ruled = sum(case.rule is not None for case in self.cases)
        if wrong := sum(not case.right for case in self.cases):
            remarks.append(said("judge-wrong", n=wrong, of=len(self.cases)))
        if ruled:
            remarks.append(said("judge-ruled", n=ruled, of=len(self.cases)))
        return remarks

    def trial_id(self, aspect: str, draw: int, case: JudgedCase) -> str:
        """The id of the trial of a judgement."""
        about: list[Any] = [case.text, case.details, case.question, case.key]
        if "heard" in self.settings.aspect(aspect).given and case.heard:
            about.append(case.heard)
        if case.criteria:
            about += [case.criteria, case.reference]
        what = msgspec.json.encode(about)
        digest = blake2b(what, digest_size=6).hexdigest()
        return f"{aspect}/{draw}/{case.id}#{digest}"

    def _trial(self, aspect: str, draw: int, case: JudgedCase) -> Trial:
        form = self.forms.get(aspect)
        declared = self.settings.aspect(aspect)
        measured = (case.heard if "heard" in declared.given else NOTHING) or NOTHING
        dossier = Dossier(
            aspect=aspect, text=case.text, details=case.details, language=self.language.language,
            kind=case.kind, heard=measured, protocol=self.settings.protocol,
            released=form is not None, criteria=len(case.criteria),
            scale=declared.scale if declared.prompt else None,
        )  # fmt: skip
        messages = (
            (say("user", self._words(aspect, case, measured)),)
            if form is None
            else (
                say("system", form.system),
                say("user", fill_released(form, aspect, case.text, case.details)),
            )
        )
        tags: dict[str, Tag] = {"aspect": aspect, "draw": draw, "case": case.id, "song": case.song}
        tags["kind"] = case.kind
        return Trial(
            self.trial_id(aspect, draw, case), messages, msgspec.json.encode(dossier).decode(),
            groups=(aspect,), cluster=case.song,
            tags={**tags, "injection": bool(attempts(case.text))}, item=case.id, condition=aspect,
        )  # fmt: skip

    @cached_property
    def shows_heard(self) -> bool:
        """Tell whether the prompts show a judge what was heard; a user's own may not."""
        if any("heard" in one.given for one in self.settings.declared):
            return True
        asked = self.wording.templates.get("precision")
        return asked is not None and "heard" in asked.placeholders and not self.forms

    def _words(self, aspect: str, case: JudgedCase, measured: HeardFacts) -> str:
        """Our own prompt about a text."""
        none = self.language.words.none
        details = "\n".join(f"{name}: {_shown(value)}" for name, value in case.details.items())
        declared = self.settings.aspect(aspect)
        if declared.prompt:
            given = {"text": fenced(case.text), "details": details or none}
            given["heard"] = heard.shown(measured) or none
            low, high = (f"{end:g}" for end in declared.scale)
            asked = Template(declared.prompt.rstrip()).fill(given)
            return f"{asked}\n\n{self.wording.fill('aspect', low=low, high=high)}"
        return self.wording.fill(
            aspect,
            text=fenced(case.text),
            details=details or none,
            heard=heard.shown(measured) or none,
            points=self._points if aspect == "completeness" else "",
            criteria=listed(case),
            reference=case.reference or none,
            modes=list_modes(case.kind or "read", self.language) if aspect == "failures" else "",
            question=case.question,
            key=case.key,
        )

    # About the benchmark, without data

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """A judging with `options`: parsed flags, or a judge run's manifest. Reads nothing yet.

        Raises
        ------
        InputError
            A value that no flag takes.
        """
        return Judging(read_settings(options))

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """The scores of a judge run by song."""
        from zhiyin.plugins.judges.judging import judged_sections

        return judged_sections(rows.folder)


def _known(aspect: Aspect, case: JudgedCase) -> bool:
    """Tell whether anything is known of a song that the aspect's judge is given."""
    return not aspect.given or any(getattr(case, kind) for kind in aspect.given)


def judgeable(aspect: Aspect, case: JudgedCase) -> bool:
    """Tell whether a case is to be judged for an aspect, as far as is known what that needs."""
    return case.right and case.rule is None and _known(aspect, case)


@lru_cache(maxsize=256)
def _judged(stem: str, reply: str) -> Judgement:
    """The judgement in a reply. Strategy and scoring ask for it one after the other."""
    return aspects.read(open_dossier(stem), reply)


def _shown(value: Any) -> str:
    """A detail on one line: with lines of its own it could pass for the words around it."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return " ".join(text.split()) if "\n" in text or "\r" in text else text
