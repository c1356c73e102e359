"""Whose answers are set aside: rules from a file, declared before the answers are looked at."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

import msgspec

from zhiyin.errors import InputError
from zhiyin.human.answers import Answer, Person, Study
from zhiyin.trial import right_keys


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules, named as in a study file. None or False: no such rule.

    Attributes
    ----------
    attention_wrong : int or None
        Excluded with at least so many attention questions wrong.
    gold_right : float or None
        Excluded with a smaller share of the gold questions right, in [0, 1].
    median_seconds : float or None
        Excluded where the median time on a question is shorter.
    same_place : float or None
        Excluded where more than this share of the choices stands at one place of the list.
    least_answers : int or None
        Excluded with fewer answers that count.
    headphones, unfinished : bool
        Excluded where the headphone check was not passed; where the study was not completed.
    """

    attention_wrong: int | None = None
    gold_right: float | None = None
    median_seconds: float | None = None
    same_place: float | None = None
    least_answers: int | None = None
    headphones: bool = False
    unfinished: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exclude: Rules


def read_rules(path: Path) -> Rules:
    """Rules from the table [exclude] of a TOML file. Raises `InputError`."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File).exclude
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct --rules") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error}); mend that line") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}; see `Exclusions` in docs/people.md") from None


def exclude(study: Study, rules: Rules) -> None:
    """Mark the people of a study whom the rules exclude.

    Raises
    ------
    InputError
        A rule asks about what no answer says: it would exclude nobody.
    """
    _refuse_unanswerable(study, rules)
    given: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in study.answers:
        if answer.role != "practice":
            given[answer.person].append(answer)
    for name, person in study.people.items():
        person.excluded += [
            why for why in _reasons(study, person, given[name], rules) if why not in person.excluded
        ]


def is_right(study: Study, answer: Answer) -> bool:
    """Whether exactly the expected options were chosen."""
    trial = study.trials.get(answer.trial)
    target = right_keys(trial) if trial else ()
    return not answer.flag and sorted(answer.keys) == sorted(answer.expected or target)


def _reasons(study: Study, person: Person, given: list[Answer], rules: Rules) -> list[str]:
    reasons: list[str] = []
    attention = [is_right(study, one) for one in given if one.role == "attention"]
    wrong = len(attention) - sum(attention)
    if rules.attention_wrong is not None and wrong >= rules.attention_wrong:
        reasons.append("attention_wrong")
    gold = [is_right(study, one) for one in given if one.role == "gold"]
    if rules.gold_right is not None and gold and sum(gold) / len(gold) < rules.gold_right:
        reasons.append("gold_right")
    asked = [one for one in given if one.role != "attention"]
    times = [one.seconds for one in asked if one.seconds is not None]
    if rules.median_seconds is not None and times and median(times) < rules.median_seconds:
        reasons.append("median_seconds")
    if rules.same_place is not None and _same_place(study, asked) > rules.same_place:
        reasons.append("same_place")
    if rules.least_answers is not None and len(asked) < rules.least_answers:
        reasons.append("least_answers")
    if rules.headphones and person.headphones is False:
        reasons.append("headphones")
    if rules.unfinished and person.outcome != "complete":
        reasons.append("unfinished")
    return reasons


def _same_place(study: Study, given: list[Answer]) -> float:
    """The share of single choices that stand at the most used place of the list as shown."""
    places: Counter[int] = Counter()
    for one in given:
        trial = study.trials.get(one.trial)  # what is judged is an item of the study, and no trial
        order = one.order or tuple(option.key for option in (trial.options if trial else ()))
        if len(one.keys) == 1 and one.keys[0] in order:
            places[order.index(one.keys[0])] += 1
    return max(places.values()) / places.total() if places else 0.0


def _refuse_unanswerable(study: Study, rules: Rules) -> None:
    roles = {answer.role for answer in study.answers}
    people = study.people.values()
    lacks = {
        "attention_wrong": rules.attention_wrong is not None and "attention" not in roles,
        "gold_right": rules.gold_right is not None and "gold" not in roles,
        "median_seconds": rules.median_seconds is not None
        and all(answer.seconds is None for answer in study.answers),
        "same_place": rules.same_place is not None
        and all(len(answer.keys) != 1 or answer.role == "attention" for answer in study.answers),
        "headphones": rules.headphones and all(one.headphones is None for one in people),
        "unfinished": rules.unfinished and not any(one.outcome for one in people),
    }
    for name, lacking in lacks.items():
        if lacking:
            raise InputError(
                f"rule {name}: no answer says what it asks about: name the column, or leave the "
                "rule out"
            )
