"""Benchmarks of one plan: their trials are made once, and let go of for the next benchmark."""

from zhiyin.plugins.composed.bodies.benchmark import Bodies
from zhiyin.session.sharing import fingerprint_of, sharing_benchmarks, with_options

SMALL = {"body": ["abc"], "n": 1, "skill": ["pitch", "key"]}


def test_trials_are_made_once_and_are_what_they_were(monkeypatch):
    alone = Bodies.from_options(SMALL)
    wanted, digest = list(alone.trials()), alone.fingerprint()
    made = []
    own = Bodies._trial
    monkeypatch.setattr(Bodies, "_trial", lambda self, *item: made.append(item) or own(self, *item))
    with sharing_benchmarks():
        one = with_options(Bodies, SMALL)
        next(iter(one.trials()))  # who stops early keeps nothing
        assert fingerprint_of(one) == digest
        assert list(one.trials()) == list(with_options(Bodies, SMALL).trials()) == wanted
        assert len(made) == 1 + len(wanted)
        other = with_options(Bodies, SMALL | {"n": 2})
        assert other is not one
        assert len(list(other.trials())) == 2 * len(wanted)
        assert list(one.trials()) == wanted  # let go of, and made again
    assert len(made) == 1 + 4 * len(wanted)
    assert with_options(Bodies, SMALL) is not with_options(Bodies, SMALL)
