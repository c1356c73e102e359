"""`zhiyin doctor`: a model before a run."""

from __future__ import annotations

import asyncio
import itertools
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from zhiyin.cli.functions import COSTS
from zhiyin.cli.output import languages_of, open_console, print_json
from zhiyin.contract.declared import HEARD
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.budget import BudgetAccount, spending_from
from zhiyin.cost.prices import Usage
from zhiyin.cost.request_queue import Spending, find_price, open_request_queue, price_for
from zhiyin.engine.runner import Limits
from zhiyin.models import is_heavy, open_model
from zhiyin.models.capabilities import SETTINGS
from zhiyin.models.joined_clips import joined
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.plugins.lab.diagnosis import Diagnosis, Pricer, ProbeFinding, ProbeUsage, about
from zhiyin.plugins.lab.doctor import LIMIT, Doctor, Examination, diagnose
from zhiyin.plugins.lab.dot_lines import in_terminal
from zhiyin.record import Model
from zhiyin.session.running import MEDIA
from zhiyin.shown.table import Column, Row, Table
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.lab.suite.file import SuiteCell
    from zhiyin.plugins.lab.suite.running import FirstLook


def doctor(
    model: str, *, examination: Examination = Examination(), data: tuple[str, ...] = (),
    out: Path | None = None,
    limits: Annotated[Limits, {"concurrency": "calls at once"}] = Limits(0, retries=2),
    sound: Annotated[SoundPolicy, "sound, as it is sent to a model"] = AS_IT_IS,
    spending: Annotated[Spending, COSTS, {"cache": "", "batch": ""}] = Spending(),
    json: bool = False,
) -> int:  # fmt: skip
    """Ask a model some dozens of short questions, and ten of each skill.

    Does it answer, hear and see, what is cut, which settings are honoured, how fast is it, what
    would a thousand questions cost, and what can it do? Its answers are on a page, with their
    sounds. Status 1 where something does not work.

    Parameters
    ----------
    model : MODEL
        as after -m of `zhiyin run`, e.g. openai:gpt-4o
    data : BENCHMARK=DIR
        where the data of a benchmark lie, for skills that need them (docs/doctor.md); may be
        repeated
    out : DIR
        the folder of the page and its runs (default: a new one in doctor/)
    """
    from zhiyin.plugins.lab.suite.running import FirstLook, SharedModel, SlotPace
    from zhiyin.plugins.lab.suite_command import order_of, suite_flags

    opened = open_model(
        model, timeout=limits.timeout_s, seed=examination.seed,
        concurrency=limits.concurrency or None, sound=sound,
    )  # fmt: skip
    opened = joined(opened, sound.join)
    price_for(opened, spending)
    limit = examination.max_tokens or (LIMIT if is_heavy(model) else None)
    flags = suite_flags(data) | ({"max-tokens": limit} if limit else {})
    account = BudgetAccount(spending.budget) if spending.budget.bounded else None

    async def visit() -> bool:
        slots = limits.concurrency or opened.concurrency
        shared = SharedModel(opened, SlotPace(slots, spending.rpm, spending.tpm))

        def order(cell: SuiteCell) -> RunSettings:
            return msgspec.structs.replace(
                order_of(cell), model=shared, limits=limits, sound=sound, spending=spending.beside
            )

        with spending_from(account):
            queue = open_request_queue(shared, spending.beside, sound)
            price = _pricer(shared)
            seed, seconds = examination.seed, examination.seconds
            examiner = Doctor(shared, seed, limits, seconds, price, queue, limit)
            asks = not examination.quick and not hasattr(opened, "bind")
            try:
                look = FirstLook(model, order, flags, out) if asks else None
                total = (await look.plan()).total if look else None
                own = examiner.expects(quick=examination.quick)
                usd = [price(own) if price else None, total.usd if total else 0.0]
                whole = None if None in usd else sum(filter(None, usd))
                facts = {"calls": own.calls, "trials": total.asked if total else 0, "usd": whole}
                facts |= {"spends": queue is not None and not is_heavy(model), "limit": limit}
                if not json:  # before anything is paid for
                    open_console(stderr=True).say(said("doctor-plan", **facts))
                diagnosis = await diagnose(examiner, quick=examination.quick)
                if not json:
                    _print_diagnosis(diagnosis)
                for medium in MEDIA:
                    if (heard := diagnosis.canary.get(medium)) and heard.state != "passed":
                        shared.refuse(medium)
                done, page = True, ""
                if look and diagnosis.answers:
                    deaf = shared.capabilities.sound is False
                    done, page = await _look(look, quiet=json, deaf=deaf)
                if diagnosis.answers and shared.capabilities.sound is False and not json:
                    text = ["zhiyin", "suite", "music-text", "-m", model, "--out", "text"]
                    open_console().say_command(said("doctor-suite"), shlex.join(text), style="")
                unused = [about(medium) for medium in diagnosis.unused]
                for failing, each in ((True, diagnosis.failing), (False, unused)):
                    if each and not json:
                        why = said("doctor-why", each=each, failing=failing)
                        open_console(stderr=True).say(why)
                if json:
                    print_json({**msgspec.structs.asdict(diagnosis.in_english()), "page": page})
                return done and diagnosis.works
            finally:
                await shared.end()

    return 0 if asyncio.run(visit()) else 1


async def _look(look: FirstLook, *, quiet: bool, deaf: bool) -> tuple[bool, str]:
    """Ask the questions of each skill, and print what came of them: if all was asked, the page."""
    from zhiyin.plugins.lab.suite.folder import OVER
    from zhiyin.plugins.lab.suite.matrix import skill_pictures
    from zhiyin.plugins.methods.skills import skill_name

    state, interrupted = await look.ask(quiet=quiet)
    if interrupted:
        raise KeyboardInterrupt
    page, cards = look.write(state, languages_of(""))
    if not quiet:
        console = open_console()
        for picture in skill_pictures(cards, state):
            console.print_table(in_terminal(picture))
        lines = [line for each in cards for card in each.cards for line in card.lines]
        asked = [
            said("doctor-asked", skill=skill_name(one.skill, one.sense), of=p.benchmark, n=p.items)
            for one in lines for p in one.parts if p.items
        ]  # fmt: skip
        if asked:
            console.say(said("doctor-over", each=asked))
        absent = {run.benchmark for run in state.runs if run.state == "missing"}
        lacking = [one.skill for one in lines if absent & {*one.missing} and not one.parts]
        if unasked := [each for each in lacking if not (deaf and each in HEARD)]:
            console.say(said("doctor-not-asked", skills=[*map(skill_name, unasked)]))
        failed = [f"{run.name}: {run.told}" for run in state.runs if run.state not in OVER]
        console.say_all(failed, label=said("doctor-failed"))
        if page:
            console.say(said("doctor-page", page=page, deaf=deaf))
    return all(run.state in OVER for run in state.runs), page


def _pricer(model: Model) -> Pricer | None:
    """Return a function for the cost of a model's calls, by the user's table of prices."""
    price = find_price(model)
    if price is None:
        return None

    def cost(used: ProbeUsage) -> float:
        # Of one call: some prices are others for long ones.
        every = (used.input, used.output, used.audio_input)
        sent, came, heard = (round(tokens / used.calls) for tokens in every)
        seconds = used.seconds / used.calls
        one = Usage(calls=1, input=sent, output=came, audio_input=heard, seconds=seconds)
        return used.calls * price.of(one)

    return cost


def _print_diagnosis(diagnosis: Diagnosis) -> None:
    console = open_console()
    console.say(diagnosis.model, 0, style="bold")
    rows = tuple(
        Row((one.about, said("doctor-state", state=one.state), one.told))
        for one in _shortened(diagnosis.found)
    )
    console.print_table(Table("found", "", (Column(""), Column(""), Column("")), rows))
    for line in _lines(diagnosis):
        console.say(line)


def _shortened(found: list[ProbeFinding]) -> Iterator[ProbeFinding]:
    """The findings, with one line for lengths that were heard, and for settings that are alike."""

    def kind(one: ProbeFinding) -> str:
        name = str(one.about.facts["about"]) if isinstance(one.about, Said) else ""
        return "setting" if name in SETTINGS else name

    def alike(one: ProbeFinding) -> tuple[str, ...]:
        return kind(one), one.state, "" if one.state == "yes" else str(one.told)

    for (name, *_), group in itertools.groupby(found, alike):
        first, *others = group
        if others:
            facts = [one.about.facts for one in (first, *others) if isinstance(one.about, Said)]
            each = [fact["each"][0] if name == "end" else fact["about"] for fact in facts]
            what = name if first.state == "yes" else "other"
            told = said("doctor-each", what=what, each=each, told=first.told)
            first = ProbeFinding(about(f"{name}s"), first.state, told)
        yield first


def _lines(diagnosis: Diagnosis) -> Iterator[Said]:
    used = diagnosis.used
    tokens = used.input + used.output
    if diagnosis.stopped:
        yield said("doctor-stopped", why=diagnosis.stopped)
    if "sound" in diagnosis.canary and diagnosis.heard_tokens is not None:
        yield said("doctor-minute", tokens=diagnosis.heard_tokens)
    for at, usd in enumerate(diagnosis.thousand.values()):
        if usd is not None:
            yield said("doctor-thousand", sound=bool(at), usd=usd)
    facts = {"tokens": tokens or None, "sound": used.seconds or None, "rate": diagnosis.rate}
    yield said("doctor-used", calls=used.calls, seconds=diagnosis.latency_s, **facts)
