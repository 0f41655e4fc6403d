"""Statistics of benchmark results: intervals by bootstrap, paired differences, slopes, mixed-effects models.

Not handled here: what is compared (`epicurve`, `density`), and rank correlations with downstream errors (`downstream`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS = 2000
SEED = 20261
NINETY_FIVE = (2.5, 97.5)


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % bootstrap interval over `n` values; all None where there is none."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


def mean_interval(values: Sequence[float | None]) -> Interval:
    """Mean and percentile bootstrap interval of the values that are known (seeded: the same values, the same answer).

    >>> mean_interval([1.0, 1.0, None])
    Interval(mean=1.0, low=1.0, high=1.0, n=2)
    """
    known = np.array([v for v in values if v is not None and np.isfinite(v)], dtype=np.float64)
    if not len(known):
        return Interval(None, None, None, 0)
    means = _resampled(known)
    low, high = np.percentile(means, NINETY_FIVE)
    return Interval(float(known.mean()), float(low), float(high), len(known))


def _resampled(values: Floats) -> Floats:
    rng = np.random.default_rng(SEED)
    picks = rng.integers(0, len(values), (DRAWS, len(values)))
    return np.asarray(values[picks].mean(axis=1), dtype=np.float64)


@dataclass(frozen=True)
class Paired:
    """`other` minus `one` over the charts that both have: mean with its interval, and the share of charts that grew."""

    difference: Interval
    grew: float | None


def paired(one: Sequence[float | None], other: Sequence[float | None]) -> Paired:
    """Paired bootstrap of two methods or conditions on the same charts, in the same order."""
    gaps = [b - a for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return Paired(mean_interval(gaps), float(np.mean([gap > 0 for gap in gaps])) if gaps else None)


@dataclass(frozen=True)
class Slope:
    """Ordinary least squares of y on x: slope, its standard error and two-sided p; None below three points."""

    slope: float | None
    error: float | None
    p: float | None
    intercept: float | None
    n: int


def slope(x: Sequence[float], y: Sequence[float | None]) -> Slope:
    """The OLS slope of y on x (statsmodels), over the pairs that are known."""
    known = [(a, b) for a, b in zip(x, y, strict=True) if b is not None and np.isfinite(b)]
    if len(known) < 3 or len({a for a, _ in known}) < 2:
        return Slope(None, None, None, None, len(known))
    import statsmodels.api as sm

    a, b = np.array(known, dtype=np.float64).T
    if np.ptp(b) == 0:  # a flat line has no error to test against
        return Slope(0.0, 0.0, 1.0, float(b[0]), len(known))
    fit = sm.OLS(b, sm.add_constant(a)).fit()
    return Slope(float(fit.params[1]), float(fit.bse[1]), float(fit.pvalues[1]), float(fit.params[0]), len(known))


@dataclass(frozen=True)
class Term:
    """A fixed effect of a mixed model."""

    name: str
    coefficient: float
    error: float
    z: float
    p: float
    low: float
    high: float


def mixed_effects(
    values: Sequence[float], method: Sequence[str], density: Sequence[int], chart: Sequence[str]
) -> tuple[Term, ...]:
    """Fixed effects of `value ~ method * density + (1 | chart)`, method and density as factors (statsmodels MixedLM).

    The references are the first method met and the lowest density (ChartDensity-Bench, Table S2). Empty where the
    model cannot be fitted: fewer than two densities, or no chart that was seen twice.
    """
    if len(set(density)) < 2 or len(set(chart)) in (0, len(chart)):
        return ()
    import warnings

    import pandas as pd
    import statsmodels.formula.api as smf

    names = list(dict.fromkeys(method))  # coded, since a method's name may hold the formula's own signs
    coded = [f"m{names.index(name):03d}" for name in method]
    frame = pd.DataFrame({"value": values, "method": coded, "density": density, "chart": chart})
    formula = "value ~ C(method) * C(density)" if len(names) > 1 else "value ~ C(density)"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence notes: a term without a number is left out below
        try:
            fit = smf.mixedlm(formula, frame, groups=frame["chart"]).fit()
            ends = fit.conf_int()
        except (np.linalg.LinAlgError, ValueError):
            return ()
    terms = [_term(str(name), names, fit, ends) for name in fit.fe_params.index]
    return tuple(term for term in terms if np.isfinite(term.error))


def _term(name: str, methods: Sequence[str], fit: Any, ends: Any) -> Term:
    plain = re.sub(r"C\(method\)\[T\.m(\d+)\]", lambda found: methods[int(found[1])], name)
    plain = re.sub(r"C\(density\)\[T\.(\d+)\]", r"density \1", plain).replace(":density", " x density")
    return Term(
        plain, float(fit.fe_params[name]), float(fit.bse[name]), float(fit.tvalues[name]), float(fit.pvalues[name]),
        float(ends.loc[name, 0]), float(ends.loc[name, 1]),
    )  # fmt: skip
