"""A response model of several dimensions: answers to some items predict those to the others.

The logit of a right answer of a taker is the item's slope times the ability, less the item's
difficulty times how far the order of difficulty holds for the taker, plus what the taker has of
each part of the test, plus how far the taker's answers are like those of others:

    logit = a_i theta - a_i b_i order + part + likeness_i . z
    P(right) = c_i + (1 - c_i) / (1 + e^-logit)

All of these are normal, with variances that are learnt from takers whose answers had no part in the
items' slopes, difficulties and likenesses. So what these are not worth, because few takers stood
behind them, is in every interval: where the order of difficulty tells nothing of new takers, its
variance is large, and a prediction rests on the answers themselves.

Sources
-------
Bock and Aitkin 1981, Psychometrika 46, 443-459 (the fit of one dimension); Gibbons and Hedeker
1992, Psychometrika 57, 423-436 (parts beside an ability); Polo and others 2024, tinyBenchmarks
(ICML): the score on the whole from the answers given and those predicted; Tierney and Kadane 1986,
JASA 81, 82-86 (Laplace's approximation); Dempster, Laird and Rubin 1977, J. R. Stat. Soc. B 39,
1-38 (EM, by which variances are learnt).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.plugins.methods import items as response
from zhiyin.plugins.methods.ability import Ability, BankItem

Floats = NDArray[np.float64]

LIKENESSES = 6
"""Dimensions in which takers' answers may be alike beside ability, at most."""
_FOLDS = 6
_ROUNDS = 30
_KIN = 0.5
"""Correlation of what two takers get right beside the others, from which on they are kin."""
_MOST = 4.0
"""Variance of a likeness at most: with takers that answer as one it would grow without end."""
_ABILITIES = np.linspace(-5.0, 5.0, 201)
_WIDE = 16.0
"""Variance of an ability, where somebody is examined, at least: four times as wide as the takers
of a bank, so that nobody beyond them is drawn back among them (docs/how-to/exam.md)."""
_FAR = 0.1
"""Of an ability, what the errors of slopes add to its standard deviation: the further it is from
the middle of the bank, the more. From simulated exams 2 and 3 standard deviations away."""
_DRAWN = 600
_PROPOSED = 1200
_HEAVY = 12
_ALONE = 3.0
"""As many takers' worth of weight has what is held of a variance before any is seen."""
_FEW = 20.0
"""Over the square of the number of takers: what the errors of few takers' curves add to the
variance of an ability. From simulated exams by 12 takers, whose errors had a variance of 1.15."""
_STEPS = 25
_EXACT = 1e-5
"""Of the log density at a mode."""


class TakerSpread(msgspec.Struct, frozen=True):
    """Spread of takers: variances of the dimensions, in logits, and the mean of `order`.

    Attributes
    ----------
    ability : float
    order, order_spread : float
        How far the order of difficulty holds for a taker, 1 being wholly: mean and variance.
    part : float
        Of what a taker has of each part beside the ability.
    likeness : float
        Of each dimension in which answers are alike.
    takers : int
        From how many families this was learnt; copies of one model are one.
    centre, unit : float
        Mean and standard deviation of their abilities on the curves: the scale's 0 and 1.
    """

    ability: float = 1.0
    order: float = 1.0
    order_spread: float = 0.05
    part: float = 0.1
    likeness: float = 0.3
    takers: int = 1000
    centre: float = 0.0
    unit: float = 1.0


class Posterior(NamedTuple):
    """Posterior of takers: modes (takers, D), covariances (takers, D, D), log evidence.

    Of a mixture means and covariances, and `each` of what it is mixed.
    """

    mode: Floats
    covariance: Floats
    evidence: Floats
    each: tuple[Posterior, ...] = ()

    def of(self, row: int) -> Posterior:
        """Return the posterior of one of the takers."""
        one = slice(row, row + 1)
        each = tuple(part.of(row) for part in self.each)
        return Posterior(self.mode[one], self.covariance[one], self.evidence[one], each)


class Takers:
    """The model of a bank's items.

    Parameters
    ----------
    curves : list of BankItem
    parts : list of str
        To which each item belongs.
    likeness : array of float, items by at most `LIKENESSES`
    spread : TakerSpread
    strangers : TakerSpread, optional
        How those differ who have no kin among the takers of the bank, where some of these are kin.
        A taker is held to be one or the other, by its answers.

    Attributes
    ----------
    loadings : array of float, items by D
    floor : array of float
        What guessing gets, by item.
    part : array of int
    share : array of float
        Of the items, by part.
    """

    def __init__(
        self, curves: list[BankItem], parts: list[str], likeness: Floats, spread: TakerSpread,
        strangers: TakerSpread | None = None,
    ) -> None:  # fmt: skip
        a, b, c = np.array([(x.a, x.b, x.c) for x in curves], dtype=float).reshape(-1, 3).T
        names = {name: number for number, name in enumerate(dict.fromkeys(parts))}
        self.part = np.array([names[name] for name in parts])
        self.share = np.bincount(self.part) / len(parts)
        within = np.eye(len(names))[self.part] if len(names) > 1 else np.zeros((len(a), 0))
        self.loadings = np.column_stack([a, -a * b, within, likeness])
        self.floor, self.place = c, b
        self.kind = np.repeat([0, 1, 2, 3], [1, 1, within.shape[1], likeness.shape[1]])
        self.spread, self.strangers = spread, strangers

    def __len__(self) -> int:
        return len(self.floor)

    def prior(self, spread: TakerSpread | None = None) -> tuple[Floats, Floats]:
        """Means and variances of the dimensions."""
        one = spread or self.spread
        mean = np.where(self.kind == 1, one.order, 0.0)
        every = np.array([one.ability, one.order_spread, one.part, one.likeness])
        return mean, every[self.kind]

    def chances(self, at: Floats, items: NDArray[np.bool_] | slice = slice(None)) -> Floats:
        """P(right) of these items: takers (..., D) to takers by items (..., N)."""
        floor = self.floor[items]
        logits = np.clip(at @ self.loadings[items].T, -30, 30)
        return np.asarray(floor + (1 - floor) / (1 + np.exp(-logits)))

    def posterior(self, answers: Floats, near: Posterior | None = None) -> Posterior:
        """Compute the posterior of those who gave some answers.

        Parameters
        ----------
        answers : array of float, takers by items
            1 right, 0 wrong, shares between; NaN where not asked.
        near : Posterior, optional
            What was known of them a few answers before, from which it is found faster.
        """
        if self.strangers is None:
            return self._posterior(answers, self.spread, near)
        spreads = self.spread, self.strangers
        before = near.each if near is not None else (None, None)
        each = tuple(
            self._posterior(answers, one, then) for one, then in zip(spreads, before, strict=True)
        )
        evidence = np.logaddexp(each[0].evidence, each[1].evidence) - np.log(2)
        share = np.array([np.exp(one.evidence - evidence) / 2 for one in each])[:, :, None]
        modes = np.array([one.mode for one in each])
        mode = (share * modes).sum(axis=0)
        off = modes - mode
        wide = np.array([one.covariance for one in each]) + off[..., None] * off[..., None, :]
        return Posterior(mode, (share[..., None] * wide).sum(axis=0), evidence, each)

    def _posterior(self, answers: Floats, spread: TakerSpread, near: Posterior | None) -> Posterior:
        mean, variance = self.prior(spread)
        seen = ~np.isnan(answers).all(axis=0)
        x, c, y = self.loadings[seen], self.floor[seen], answers[:, seen]
        asked = (~np.isnan(y)).astype(float)
        y = np.nan_to_num(y)
        pairs = (x[:, :, None] * x[:, None, :]).reshape(len(x), x.shape[1] ** 2)
        width = len(mean)

        def chance(z: Floats) -> tuple[Floats, Floats]:
            rise = 1 / (1 + np.exp(-np.clip(z @ x.T, -30, 30)))
            return np.clip(c + (1 - c) * rise, 1e-9, 1 - 1e-9), (1 - c) * rise * (1 - rise)

        def height(z: Floats) -> Floats:
            p, _ = chance(z)
            told = (asked * (y * np.log(p) + (1 - y) * np.log1p(-p))).sum(axis=1)
            return np.asarray(told - ((z - mean) ** 2 / variance).sum(axis=1) / 2)

        def curvature(p: Floats, slope: Floats) -> Floats:
            weight = asked * slope**2 / (p * (1 - p))
            bent: Floats = (weight @ pairs).reshape(-1, width, width) + np.diag(1 / variance)
            return bent

        z = np.repeat(mean[None], len(y), axis=0) if near is None else near.mode
        now = height(z)
        for _ in range(_STEPS):
            p, slope = chance(z)
            uphill = (asked * (y - p) * slope / (p * (1 - p))) @ x - (z - mean) / variance
            step = np.linalg.solve(curvature(p, slope), uphill[:, :, None])[:, :, 0]
            size = np.ones((len(y), 1))
            for _ in range(8):
                then = height(z + size * step)
                worse = then < now - 1e-9
                if not worse.any():
                    break
                size[worse] /= 2
            gained = then - now
            z = np.where((gained >= 0)[:, None], z + size * step, z)
            now = np.maximum(then, now)
            if float(gained.max(initial=0.0)) < _EXACT:
                break
        p, slope = chance(z)
        bent = curvature(p, slope)
        evidence = now - (np.linalg.slogdet(bent)[1] + np.log(variance).sum()) / 2
        return Posterior(z, np.asarray(np.linalg.inv(bent), dtype=np.float64), evidence)

    def drawn(self, answers: Floats, known: Posterior, seed: int = 0) -> Floats:
        """P(right) of all items for takers drawn from what is known of one: draws by items.

        Drawn from a multivariate t about the mode, and again from these by how likely they are
        (Rubin 1988, Bayesian Statistics 3, 395-402). Takers have a t distribution too, for their
        variances were learnt from few.

        Parameters
        ----------
        answers : array of float, by item
            NaN where not asked.
        known : Posterior
            What they say of the one who gave them.
        """
        draw = np.random.default_rng(seed)
        asked = ~np.isnan(answers)
        spreads = [self.spread, self.strangers] if self.strangers is not None else [self.spread]
        proposed = [
            self._proposed(answers, asked, one, spread, draw)
            for one, spread in zip(known.each or (known,), spreads, strict=True)
        ]
        at, weight = (np.concatenate(part) for part in zip(*proposed, strict=True))
        along = np.argsort(at @ self.loadings.sum(axis=0))  # by which they are drawn evenly
        at, weight = at[along], np.exp(weight - weight.max())[along]
        places = (np.arange(_DRAWN) + draw.random()) / _DRAWN * weight.sum()
        chosen = np.minimum(np.searchsorted(np.cumsum(weight), places), len(at) - 1)
        at = at[chosen]
        at[:, 0] += _FAR * at[:, 0].mean() * draw.standard_normal(len(at))
        return self.chances(at)

    def _proposed(
        self, answers: Floats, asked: NDArray[np.bool_], known: Posterior, spread: TakerSpread,
        draw: np.random.Generator,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Dimensions drawn about a mode, and the logarithms of how likely they are to how drawn."""
        from scipy import special  # which takes a while to load

        mean, variance = self.prior(spread)
        width, free = len(mean), max(spread.takers - 1, 3)
        heavy = min(free, _HEAVY)
        root = np.linalg.cholesky(known.covariance[0])
        way = root.T @ self.loadings.sum(axis=0)
        way /= np.linalg.norm(way)
        # Evenly along the way in which the score on all changes: few draws then have its quantiles.
        even = special.ndtri((np.arange(_PROPOSED) + 0.5) / _PROPOSED)
        normal = draw.standard_normal((_PROPOSED, width))
        normal += np.outer(even - normal @ way, way)
        normal /= np.sqrt(draw.chisquare(heavy, (_PROPOSED, 1)) / heavy)
        at = known.mode[0] + normal @ root.T
        p = np.clip(self.chances(at, asked), 1e-9, 1 - 1e-9)
        told = np.log(p) @ answers[asked] + np.log1p(-p) @ (1 - answers[asked])
        held = (free + width) * np.log1p(((at - mean) ** 2 / variance).sum(axis=1) / free)
        drawn = (heavy + width) * np.log1p((normal**2).sum(axis=1) / heavy)
        scale = np.log(np.diag(root)).sum() - np.log(variance).sum() / 2
        return at, told - held / 2 + drawn / 2 + scale

    def placed(self, chances: Floats) -> Floats:
        """The abilities at which the curves let expect as much as these chances (..., items)."""
        slope, hard = self.loadings[:, 0], self.loadings[:, 1]
        logits = np.outer(_ABILITIES, slope) + self.spread.order * hard
        rise = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        curve = (self.floor + (1 - self.floor) * rise) @ slope
        at = np.interp(chances @ slope, curve, _ABILITIES)
        return np.asarray((at - self.spread.centre) / self.spread.unit)

    def ability(self, answers: Floats, drawn: Floats) -> Ability:
        """The ability that one taker's answers show.

        It is the one at which the curves let expect as much over all items, each weighed by its
        slope, as is expected of the taker with all dimensions: of one for whom the curves hold, the
        ability of these. The bank's takers have mean 0 and variance 1.

        Parameters
        ----------
        answers : array of float, by item
            NaN where not asked.
        drawn : array of float
            Of `drawn`.
        """
        placed = self.placed(drawn)
        wide = np.sqrt(1 + _FEW / self.spread.takers**2)
        placed = placed.mean() + (placed - placed.mean()) * wide
        mean, (low, high) = placed.mean(), np.quantile(placed, [0.025, 0.975])
        if not low <= mean <= high:  # nearly all draws lie where the scale of the bank ends
            low, high = mean - 1.96 * placed.std(), mean + 1.96 * placed.std()
        asked = ~np.isnan(answers)
        return Ability(
            float(placed.mean()), float(placed.std()), float(low), float(high),
            int((answers[asked] > 0.5).sum()), int(asked.sum()),
        )  # fmt: skip


class LearntBank(NamedTuple):
    """A bank's model learnt from answers: its curves, likenesses by item, how takers differ."""

    curves: list[BankItem]
    errors: Floats
    likeness: Floats
    spread: TakerSpread
    strangers: TakerSpread | None

    def model(self, parts: list[str]) -> Takers:
        """Return the takers' response model of its items, which are of these parts."""
        return examining(
            _flat(self.curves, self.errors), parts, self.likeness, self.spread, self.strangers
        )


def examining(
    curves: list[BankItem], parts: list[str], likeness: Floats, spread: TakerSpread,
    strangers: TakerSpread | None,
) -> Takers:  # fmt: skip
    """The model by which somebody is examined who may be beyond the takers of the bank."""
    wide = {"ability": max(spread.ability, _WIDE)}
    return Takers(
        curves, parts, likeness, msgspec.structs.replace(spread, **wide),
        None if strangers is None else msgspec.structs.replace(strangers, **wide),
    )  # fmt: skip


def flattened(a: Floats, b: Floats, c: Floats, se: Floats) -> list[BankItem]:
    """Response curves in which what is not known of a difficulty makes the slope less.

    The mean of logistic curves whose places are normal is near a logistic one with the slope over
    sqrt(1 + pi a^2 se^2 / 8) (MacKay 1992, Neural Computation 4, 720-736).
    """
    flat = a / np.sqrt(1 + np.pi * (a * se) ** 2 / 8)
    return [BankItem(float(x), float(y), float(z), 1.0) for x, y, z in zip(flat, b, c, strict=True)]


def learn(
    scores: Floats, guess: Floats, parts: list[str], kin: NDArray[np.intp] | None = None
) -> LearntBank:
    """The model of a bank from its answers.

    What guessing gets is taken as the floor of the curves, or 0, by which of them predicts better
    what takers left out answered: many models do not guess, but fall for the same wrong option.

    Parameters
    ----------
    scores : array of float, takers by items
        Right answers as shares in [0, 1], NaN where not asked.
    guess : array of float
        By item.
    parts : list of str
    kin : array of int, optional
        The family of each taker; default by `kin_of`. Takers of one family are one in all counts.
    """
    kin = kin_of(scores) if kin is None else kin
    best: tuple[float, Floats, TakerSpread] | None = None
    alone = np.arange(len(scores))
    for floor in (guess, np.zeros_like(guess)) if guess.any() else (guess,):
        spread, evidence = _spread(_parted(scores, floor, alone), parts)
        if best is None or evidence > best[0]:
            best = evidence, floor, spread
    assert best is not None
    strangers, families = None, int(kin.max()) + 1
    if 1 < families < len(scores):
        spread, _ = _spread(_parted(scores, best[1], kin), parts)
        strangers = msgspec.structs.replace(spread, takers=families)
    own = msgspec.structs.replace(best[2], takers=families)
    curves, errors, likeness = _learnt(scores, best[1])
    found = LearntBank(curves, errors, likeness, own, strangers)
    model = found.model(parts)
    placed = model.placed(model.chances(model.posterior(scores).mode))
    scale = {"centre": float(placed.mean()), "unit": max(float(placed.std()), 0.1)}
    return found._replace(spread=msgspec.structs.replace(own, **scale))


def kin_of(scores: Floats, names: Sequence[str] = ()) -> NDArray[np.intp]:
    """The family of each taker: repeats of one model answer alike beside what all answer.

    Parameters
    ----------
    scores : array of float, takers by items
    names : sequence of str
        What the takers are: those of one name are kin, however they answer.

    Returns
    -------
    array of int
        Numbers from 0 on, in the order of the families' first takers.
    """
    over = np.nan_to_num(scores - response.difficulty(scores))
    over = over - over.mean(axis=1, keepdims=True)
    over /= np.maximum(np.linalg.norm(over, axis=1, keepdims=True), 1e-12)
    alike = over @ over.T >= max(_KIN, 4 / np.sqrt(scores.shape[1]))
    copies = np.unique(np.nan_to_num(scores, nan=-1.0), axis=0, return_inverse=True)[1].ravel()
    called = np.unique(list(names), return_inverse=True)[1] if names else copies
    alike |= (copies[:, None] == copies) | (called[:, None] == called)
    family = np.arange(len(scores))
    for one in range(len(scores)):
        near = np.unique(family[alike[one]])
        family[np.isin(family, near)] = near.min(initial=one)
    return np.unique(family, return_inverse=True)[1]


def _parted(
    scores: Floats, floor: Floats, family: NDArray[np.intp]
) -> list[tuple[list[BankItem], Floats, Floats, Floats]]:
    """Learn items from all but some families, for each fold, with the answers of these."""
    folds = family % min(_FOLDS, int(family.max()) + 1)
    return [
        (*_learnt(scores[folds != fold], floor), scores[folds == fold])
        for fold in range(folds.max() + 1)
    ]


def _learnt(scores: Floats, floor: Floats) -> tuple[list[BankItem], Floats, Floats]:
    """Curves, their errors, and likenesses: the main directions of what the curves leave over."""
    fitted = response.fit(scores, "2PL", floor, pooled=True)
    errors = np.array(fitted.errors)
    a, b = np.array(fitted.slopes), np.array(fitted.places)
    sharp = flattened(a, b, floor, np.zeros(len(a)))
    tight = Takers(
        flattened(a, b, floor, errors), [""] * len(floor), np.zeros((len(floor), 0)),
        TakerSpread(order_spread=1e-4),
    )  # fmt: skip
    p = np.clip(tight.chances(tight.posterior(scores).mode), 1e-3, 1 - 1e-3)
    over = np.nan_to_num((scores - p) / np.sqrt(p * (1 - p)))
    _, size, way = np.linalg.svd(over, full_matrices=False)
    count = min(LIKENESSES, len(size))
    likeness = np.zeros((len(floor), LIKENESSES))
    likeness[:, :count] = (size[:count, None] * way[:count]).T / np.sqrt(len(scores))
    return sharp, errors, likeness


def _flat(curves: list[BankItem], errors: Floats) -> list[BankItem]:
    a, b, c = np.array([(curve.a, curve.b, curve.c) for curve in curves]).T
    return flattened(a, b, c, errors)


def _spread(
    parted: list[tuple[list[BankItem], Floats, Floats, Floats]], parts: list[str]
) -> tuple[TakerSpread, float]:
    """Estimate the spread by takers whom the items were not learnt from, and the log evidence."""
    models = [
        (Takers(_flat(curves, errors), parts, likeness, TakerSpread()), rest)
        for curves, errors, likeness, rest in parted
    ]
    start, spread, evidence = TakerSpread(), TakerSpread(), -np.inf
    before: list[Posterior | None] = [None] * len(models)
    for _ in range(_ROUNDS):
        sums, counts, order, takers, found = np.zeros(4), np.zeros(4), 0.0, 0, 0.0
        for at, (model, rest) in enumerate(models):
            model.spread = spread
            known = before[at] = model.posterior(rest, before[at])
            mean, held = model.prior()
            told = 1 - np.diagonal(known.covariance, axis1=1, axis2=2) / held
            square = ((known.mode - mean) ** 2).sum(axis=0)
            sums += np.bincount(model.kind, weights=square, minlength=4)
            counts += np.bincount(model.kind, weights=told.sum(axis=0), minlength=4)
            each = np.bincount(model.kind, minlength=4)
            order += float(known.mode[:, 1].sum())
            takers += len(rest)
            found += float(known.evidence.sum())
        given = np.array([start.ability, start.order_spread, start.part, start.likeness])
        variance = (sums + _ALONE * each * given) / np.maximum(counts + _ALONE * each, 1e-9)
        ability, order_spread, part, likeness = np.minimum(variance, _MOST).tolist()
        holds = (order + _ALONE) / (takers + _ALONE)
        spread = TakerSpread(ability, holds, order_spread, part, likeness, takers)
        if abs(found - evidence) < 1e-2:
            break
        evidence = found
    return spread, found
