"""The public names of every metric."""

from __future__ import annotations

from evaluation.ecs import EcsOptions, ecs, ecs_dataset, ecs_series
from evaluation.elastic import dtw, dtw_score, erp
from evaluation.nls import anls, anls_score, indel_ratio, nls

__all__ = [
    "EcsOptions",
    "anls",
    "anls_score",
    "dtw",
    "dtw_score",
    "ecs",
    "ecs_dataset",
    "ecs_series",
    "erp",
    "indel_ratio",
    "nls",
]
