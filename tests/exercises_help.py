"""What tests of exercises share: guessing, untaught and taught."""

import re
from collections import defaultdict

from scipy.stats import binom

from zhiyin.models.baselines import RULES, Draw

BLIND = ("random", "first", "longest", "overlap")


def tail(right, n, chance=0.25):
    """The two-sided probability of a count as far from chance, by doubling the smaller tail."""
    return min(1.0, 2 * min(binom.cdf(right, n, chance), binom.sf(right - 1, n, chance)))


def guessed(trials, rule):
    """By group: how many are guessed, of how many (each cluster of repeats once)."""
    found = defaultdict(lambda: [0, 0])
    for trial in trials:
        picked = RULES[rule](Draw(0), trial).key == trial.target
        found[trial.tags["kind"]][0] += picked
        found[trial.tags["kind"]][1] += 1
    return found


def words(text):
    """A bag of words: words, single characters and the length."""
    return [*re.findall(r"\S+", text), *(f"char {c}" for c in text), f"long {len(text) // 4}"]


def learnt(trials, folds=5):
    """How many keys a classifier of bags of words finds, with cross-validation over clusters.

    It sees each option with its place and length, and how often its words stand in the question
    and in the other options.
    """
    import numpy as np
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    rows, keys, groups = [], [], []
    for trial in trials:
        bags = [words(option.text) for option in trial.options]
        stem = set(words(trial.stem))
        lengths = [len(option.text) for option in trial.options]
        for place, (option, bag) in enumerate(zip(trial.options, bags, strict=True)):
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
            keys.append(option.key == trial.target)
            groups.append(trial.cluster)
    x = FeatureHasher(2**16).transform(rows)
    y, groups = np.array(keys), np.array(groups)
    right = 0
    for train, test in GroupKFold(folds).split(x, y, groups):
        model = LogisticRegression(C=0.3, max_iter=200, solver="liblinear").fit(x[train], y[train])
        scores = model.predict_proba(x[test])[:, 1].reshape(-1, 4)
        right += int((y[test].reshape(-1, 4)[np.arange(len(scores)), scores.argmax(axis=1)]).sum())
    return right, len(trials)
