"""The public names of every metric, and for which of them higher is better."""

from __future__ import annotations

from evaluation.chartab_metrics import (
    color_alignment,
    color_l2,
    data_alignment,
    data_grounding,
    legend_alignment,
    legend_confusion,
    robustness,
    text_alignment,
    text_grounding,
)
from evaluation.chartdensity_metrics import chartdensity_bench, chartdensity_chart, degradation
from evaluation.chartinfo import chart_info
from evaluation.chartparse_metrics import chartparse
from evaluation.downstream import downstream, spearman_table
from evaluation.ecs import EcsOptions, ecs, ecs_dataset, ecs_series
from evaluation.elastic import dtw, dtw_score, erp
from evaluation.fpc_nrmse import fpc_nrmse
from evaluation.nls import anls, anls_score, indel_ratio, nls
from evaluation.relaxed import relaxed_accuracy, relaxed_correct
from evaluation.rms import RmsOptions, rms
from evaluation.rnss import rnss
from evaluation.scrm import scrm, scrm_iou
from evaluation.sweeps import sweep_ecs

LOWER_IS_BETTER = frozenset({"color_l2", "degradation", "dtw", "erp", "fpc_nrmse"})
"""Functions whose (main) value is an error or a distance; of `chartdensity_*` and `downstream` the fields named mae,
rmse, total, peak_time and peak_size are errors too. For everything else higher is better."""

__all__ = [
    "LOWER_IS_BETTER",
    "EcsOptions",
    "RmsOptions",
    "anls",
    "anls_score",
    "chart_info",
    "chartdensity_bench",
    "chartdensity_chart",
    "chartparse",
    "color_alignment",
    "color_l2",
    "data_alignment",
    "data_grounding",
    "degradation",
    "downstream",
    "dtw",
    "dtw_score",
    "ecs",
    "ecs_dataset",
    "ecs_series",
    "erp",
    "fpc_nrmse",
    "indel_ratio",
    "legend_alignment",
    "legend_confusion",
    "nls",
    "relaxed_accuracy",
    "relaxed_correct",
    "rms",
    "rnss",
    "robustness",
    "scrm",
    "scrm_iou",
    "spearman_table",
    "sweep_ecs",
    "text_alignment",
    "text_grounding",
]
