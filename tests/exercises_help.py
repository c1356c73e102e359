"""What tests of exercises share: guessing, untaught and taught."""

import re
from collections import defaultdict

from scipy.stats import binom

from zhiyin.models.baselines import RULES, SeededDraw

BLIND = ("random", "first", "longest", "overlap")


def tail(right, n, chance=0.25):
    """The two-sided probability of a count as far from chance, by doubling the smaller tail."""
    return min(1.0, 2 * min(binom.cdf(right, n, chance), binom.sf(right - 1, n, chance)))


def guessed(trials, rule):
    """By group: how many are guessed, of how many (each cluster of repeats once)."""
    found = defaultdict(lambda: [0, 0])
    for trial in trials:
        picked = RULES[rule](SeededDraw(0), trial).key == trial.target
        found[trial.tags["kind"]][0] += picked
        found[trial.tags["kind"]][1] += 1
    return found


def words(text):
    """A bag of words: words, single characters and the length."""
    return [*re.findall(r"\S+", text), *(f"char {c}" for c in text), f"long {len(text) // 4}"]


def described(trial):
    """What a classifier sees of each option: its words, place and length, and what it shares."""
    bags = [words(option.text) for option in trial.options]
    stem = set(words(trial.stem))
    lengths = [len(option.text) for option in trial.options]
    rows = []
    for place, bag in enumerate(bags):
        others = [set(b) for b in bags if b is not bag]
        row = defaultdict(float)
        for word in bag:
            row[f"{trial.tags['kind']} {word}"] += 1
        row[f"place {place}"] = 1
        row["shared with the question"] = sum(w in stem for w in set(bag)) / len(set(bag))
        row["shared with others"] = sum(len(set(bag) & o) for o in others) / len(set(bag))
        row["longest"] = lengths[place] == max(lengths)
        row["shortest"] = lengths[place] == min(lengths)
        rows.append(row)
    return rows


def learnt(first, second):
    """How many keys a classifier of bags of words finds that is taught on other exercises.

    The two sets are drawn independently, of different tunes, and each is taught on and asked once.
    Folds of one set would not do. Places of the key are balanced in a set, and a tune whose own
    continuation is asked in one fold stands in the others only as a wrong one: what is left out is
    the opposite of what is taught, and the classifier falls below chance.
    """
    import numpy as np
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.linear_model import LogisticRegression

    sets = []
    for trials in (first, second):
        rows = [row for trial in trials for row in described(trial)]
        keys = [option.key == trial.target for trial in trials for option in trial.options]
        sets.append((FeatureHasher(2**16).transform(rows), np.array(keys)))
    right = 0
    for (x, y), (asked, keys) in (sets, sets[::-1]):
        model = LogisticRegression(C=0.3, max_iter=200, solver="liblinear").fit(x, y)
        scores = model.predict_proba(asked)[:, 1].reshape(-1, 4)
        right += int(keys.reshape(-1, 4)[np.arange(len(scores)), scores.argmax(axis=1)].sum())
    return right, len(first) + len(second)
