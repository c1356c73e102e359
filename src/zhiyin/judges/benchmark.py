"""Judging as a benchmark: trials made from a run's records, and judgements from the replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.errors import InputError
from zhiyin.judges import aspects, cases, failures, rubric
from zhiyin.judges.aspects import (
    ASPECTS,
    MAX_TOKENS,
    OWN,
    Dossier,
    open_dossier,
    read_aspects,
    sampling_of,
)
from zhiyin.judges.cases import Case
from zhiyin.judges.injection import attempts
from zhiyin.judges.judgement import Judgement
from zhiyin.judges.reading import Unreadable
from zhiyin.judges.wording import PLACES, fenced
from zhiyin.prompts import Language, Prompts, read_language
from zhiyin.record import Ask, Exchange, Reply, Sampling, Strategy, Turn, Verdict
from zhiyin.trial import Tag, Trial, say

NO_DETAILS = {"zh": "（没有资料）", "en": "(none)"}


class Settings(msgspec.Struct, frozen=True):
    """What the user chose.

    Attributes
    ----------
    run : str
        The folder of the run to be judged.
    aspects : tuple of str
        Out of `ASPECTS`.
    draws : int
        Judgements of each text.
    language : {"zh", "en"}
        Of the judge's prompts.
    prompts : str or None
        Folder whose files replace our prompts.
    temperature : float, str or None
        A number, "own" for each aspect's own, or None to leave it to the model.
    max_tokens : int or None
        Of a judge's reply.
    """

    run: str
    aspects: tuple[str, ...]
    draws: int = 1
    language: Language = "zh"
    prompts: str | None = None
    temperature: float | str | None = OWN
    max_tokens: int | None = MAX_TOKENS


def read_settings(options: Mapping[str, Any]) -> Settings:
    """The settings in `options`, as flags or a manifest give them. Other keys are ignored.

    Raises
    ------
    InputError
        No run is named, or a value is none that a flag takes.
    """
    run = options.get("run")
    if not run:
        raise InputError("no run to judge: write `zhiyin judge RUN -m JUDGE`")
    language = read_language(options.get("language"))
    draws = options.get("draws", 1)
    if draws < 1:
        raise InputError(f"--draws {draws}: give at least 1")
    return Settings(
        run=str(run),
        aspects=read_aspects(options.get("aspects")),
        draws=draws,
        language=language,
        prompts=options.get("prompts"),
        temperature=options.get("temperature", OWN),
        max_tokens=options.get("max_tokens", MAX_TOKENS),
    )


class Judging:
    """The judging of one run: aspect after aspect, each text `draws` times.

    A trial's id holds a hash of what is judged, so that a text (or its song's details) that has
    changed since is judged anew and an old judgement is never taken for one of it.

    Parameters
    ----------
    settings : Settings
    """

    name = "judge"
    version = str(aspects.VERSION)

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def cases(self) -> list[Case]:
        """What of the run is to be judged."""
        run = Path(self.settings.run)
        failing = "failures" in self.settings.aspects
        return cases.wrong_choices(run) if failing else cases.reviews(run)

    @cached_property
    def wording(self) -> Prompts:
        """The prompts."""
        settings = self.settings
        return Prompts("zhiyin.judges", PLACES, language=settings.language, folder=settings.prompts)

    def planned(self) -> Iterator[tuple[str, int, Case]]:
        """Aspect, draw and case of every judgement that is to be made."""
        for aspect in self.settings.aspects:
            for draw in range(1, self.settings.draws + 1):
                for case in self.cases:
                    if (case.details or not ASPECTS[aspect].needs_details) and not case.rule:
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
        aspect, kind = str(trial.tags["aspect"]), str(trial.tags["kind"])
        first = await ask(trial.messages, self._sampling(aspect, kind))
        fault = _fault(trial.stem, first)
        if fault is None:
            return Exchange((Turn(first),))
        messages = (
            *trial.messages,
            say("assistant", first.text.strip() or "..."),
            say("user", self.wording.fill("again", fault=fault)),
        )
        second = await ask(messages, self._sampling(aspect, kind))
        notes = {"fault": fault}
        return Exchange((Turn(first), Turn(second, messages, "re-ask")), notes)

    @cache  # noqa: B019 - a judging lives as long as its run
    def _sampling(self, aspect: str, kind: str) -> Sampling:
        """How the judge of an aspect is to generate; one object for all its calls."""
        return sampling_of(aspect, kind, self.settings.temperature, self.settings.max_tokens)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The judgement in the last reply, or an error where there is none."""
        label = f"{trial.tags.get('aspect')}@{aspects.VERSION}"
        reply = exchange.final
        fault = _fault(trial.stem, reply)
        if fault is not None:
            return Verdict("error", None, why=f"judge_error: {fault}", policy=label)
        judged = _judged(trial.stem, reply.text)
        why = "judged; the stated sum was wrong, ours counts" if judged.mended else "judged"
        return Verdict(cases.DONE, None, why=why, policy=label, scores=judged.scores)

    def fingerprint(self) -> str:
        """SHA-256 over the prompts. What is judged is in the trials' ids."""
        return self.wording.fingerprint()

    def remarks(self) -> list[str]:
        """Texts that speak to the judge, and those that an aspect cannot judge."""
        remarks = [
            f"{case.id}: seems to instruct the judge ({found[0][:80]!r}): delimited, judged, look "
            "at it"
            for case in self.cases
            if (found := attempts(case.text))
        ]
        bare = sum(not case.details for case in self.cases)
        needing = [a for a in self.settings.aspects if ASPECTS[a].needs_details]
        if bare and needing:
            remarks.append(f"without song details, and so without {', '.join(needing)}: {bare}")
        ruled = sum(case.rule is not None for case in self.cases)
        if ruled:
            remarks.append(f"named by rule, without a judge: {ruled} of {len(self.cases)}")
        return remarks

    def trial_id(self, aspect: str, draw: int, case: Case) -> str:
        """The id of the trial of a judgement."""
        what = msgspec.json.encode([case.text, case.details, case.question, case.key])
        digest = blake2b(what, digest_size=6).hexdigest()
        return f"{aspect}/{draw}/{case.id}#{digest}"

    def _trial(self, aspect: str, draw: int, case: Case) -> Trial:
        language = self.settings.language
        dossier = Dossier(aspect, case.text, case.details, language, case.kind)
        details = "\n".join(f"{name}: {_shown(value)}" for name, value in case.details.items())
        values = {
            "text": fenced(case.text),
            "details": details or NO_DETAILS[language],
            "points": rubric.list_points(language),
            "modes": failures.list_modes(case.kind or "read", language),
            "question": case.question,
            "key": case.key,
        }
        tags: dict[str, Tag] = {"aspect": aspect, "draw": draw, "case": case.id, "song": case.song}
        tags["kind"] = case.kind
        return Trial(
            self.trial_id(aspect, draw, case),
            (say("user", self.wording.fill(aspect, **values)),),
            msgspec.json.encode(dossier).decode(),
            groups=(aspect,),
            cluster=case.song,
            tags={**tags, "injection": bool(attempts(case.text))},
            item=case.id,
            condition=aspect,
        )


@lru_cache(maxsize=256)
def _judged(stem: str, reply: str) -> Judgement:
    """The judgement in a reply. Strategy and scoring ask for it one after the other."""
    return aspects.read(open_dossier(stem), reply)


def _fault(stem: str, reply: Reply) -> str | None:
    """What is wrong with a judge's reply; None where it is a judgement."""
    try:
        _judged(stem, reply.text)
    except Unreadable as fault:
        cut = " (the reply reached its length limit)" if reply.finish == "length" else ""
        return f"{fault}{cut}"
    return None


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
