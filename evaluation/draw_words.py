"""Names, labels and months for drawn figures; everything is made up. Not handled here: numbers (`draw_ticks`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

GROUPS = (
    ("North", "Coast", "Islands", "Highlands", "Lake", "Capital", "Delta", "Border"),
    ("Arden", "Belmont", "Corvo", "Dunmore", "Estrela", "Falun", "Gorska", "Helmond"),
    ("Placebo", "Low dose", "Medium dose", "High dose", "Combination", "Standard care", "Switch", "Delayed"),
    ("Wild type", "K417N", "E484K", "N501Y", "D614G", "P681H", "L452R", "T478K"),
    ("Baseline", "Random forest", "Transformer", "Ridge", "Boosting", "Nearest neighbours", "Perceptron", "Ensemble"),
    ("0–4 years", "5–14 years", "15–44 years", "45–64 years", "65–79 years", "80+ years", "Unknown", "Staff"),
    ("PMMA", "PEDOT", "Graphene", "MoS2", "Sapphire", "Quartz", "Teflon", "Kapton"),
    ("Männer", "Frauen", "Kinder", "Ältere", "Gesamt", "Stadt", "Land", "Küste"),
)  # fmt: skip
CATEGORIES = (
    ("Abbey", "Bridge", "Castle", "Dale", "Elm", "Forge", "Grange", "Harbour", "Inn", "Jetty", "Kiln", "Lodge"),
    ("Stroke", "Hip fracture", "Pneumonia", "Heart failure", "Sepsis", "Asthma", "Burns", "Migraine", "Gout",
     "Anaemia", "Shingles", "Measles"),
    ("2011", "2012", "2013", "2014", "2015", "2016", "2017", "2018", "2019", "2020", "2021", "2022"),
    ("Oats", "Barley", "Rye", "Wheat", "Maize", "Rice", "Millet", "Sorghum", "Spelt", "Teff", "Quinoa", "Fonio"),
    ("Very satisfied", "Satisfied", "Neutral", "Dissatisfied", "Very dissatisfied", "No answer", "Refused", "Unsure",
     "Not asked", "Other", "Missing", "Withdrawn"),
    ("Kα", "Lβ", "Mγ", "Nδ", "Oε", "Pζ", "Qη", "Rθ", "Sι", "Tκ", "Uλ", "Vμ"),
    ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12"),
)  # fmt: skip
MEASURES = (
    ("Yield", "t/ha"), ("Concentration", "µg/ml"), ("Waiting time", "min"), ("Balance", "Mt"), ("Stay", "days"),
    ("Pressure", "kPa"), ("Signal", "a.u."), ("Score", ""), ("Mass", "g"), ("Velocity", "m/s"), ("Flux", "W/m²"),
    ("Expression", ""), ("Viscosity", "mPa s"), ("Attendance", ""), ("Rate per 100,000", ""), ("Umsatz", "Mio. €"),
    ("Température", "°C"), ("Accuracy", ""), ("Current density", "mA/cm²"), ("Depth", "m"),
)  # fmt: skip
ACROSS = (
    ("Time", "h"), ("Distance", "km"), ("Dose", "mg/kg"), ("Temperature", "°C"), ("Wavelength", "nm"), ("Age", "years"),
    ("Voltage", "V"), ("Epoch", ""), ("Cycle", ""), ("Length", "cm"), ("Frequency", "Hz"), ("Zeit", "s"), ("Index", ""),
)  # fmt: skip
COUNTS = ("Cases", "Reported cases", "New cases", "Number of cases", "Admissions", "Deaths", "Fälle", "Casos", "Cas")
WHEN = ("Date of onset", "Date of report", "Week of onset", "Date", "Datum", "Fecha", "")
TITLES = (
    "", "", "", "Main results", "Outbreak by region", "Trial arm comparison", "Seasonal pattern",
    "Sensitivity analysis",
    "Yearly survey", "Model comparison", "(a) Primary outcome", "Figure 2", "Field measurements", "Verlauf",
)  # fmt: skip
MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "de": ("Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"),
    "fr": ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."),
    "es": ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    "pt": ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),
}


def pick(rng: np.random.Generator, options: Sequence[T]) -> T:
    """One of some options, all alike."""
    return options[int(rng.integers(len(options)))]


def some_names(rng: np.random.Generator, count: int, pools: tuple[tuple[str, ...], ...] = GROUPS) -> tuple[str, ...]:
    """`count` different names of one pool, in the pool's order from a random start."""
    pool = pick(rng, pools)
    first = int(rng.integers(len(pool) - count + 1)) if count <= len(pool) else 0
    named = pool[first : first + count]
    return named + tuple(f"Group {k + 1}" for k in range(len(named), count))
