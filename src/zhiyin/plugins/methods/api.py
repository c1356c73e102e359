"""Statistics as plain functions of arrays, and of runs where they are named so.

All take sequences or NumPy arrays and return small objects with named fields; a mean comes with
its interval. Shapes, units, errors and sources are in the help of each.
"""

from zhiyin.plugins.methods.agreement import cohen_kappa, intraclass, krippendorff_alpha
from zhiyin.plugins.methods.audit import clopper_pearson, corrected_accuracy
from zhiyin.plugins.methods.calibration import brier, calibration
from zhiyin.plugins.methods.choice import above_chance, best_constant, chance_corrected
from zhiyin.plugins.methods.health import health
from zhiyin.plugins.methods.planning import (
    design_effect,
    detectable_difference,
    items_needed,
    margin,
)
from zhiyin.plugins.methods.table import fit_glmm, read_csv, read_runs
from zhiyin.statistics.choice import letter_bias
from zhiyin.statistics.intervals import Interval, interval, wilson
from zhiyin.statistics.paired import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    minimum_detectable,
    paired_difference,
    rank,
    sign_flip,
)

__all__ = [
    "Interval",
    "above_chance",
    "benjamini_hochberg",
    "best_constant",
    "brier",
    "calibration",
    "chance_corrected",
    "clopper_pearson",
    "cohen_kappa",
    "corrected_accuracy",
    "design_effect",
    "detectable_difference",
    "fit_glmm",
    "health",
    "holm",
    "interval",
    "intraclass",
    "items_needed",
    "krippendorff_alpha",
    "letter_bias",
    "margin",
    "mcnemar_exact",
    "minimum_detectable",
    "paired_difference",
    "rank",
    "read_csv",
    "read_runs",
    "sign_flip",
    "wilson",
]
