"""The cases drawn by ggplot2 and by base R, each as PDF and SVG, by one Rscript for all of them.

Not handled here: machines without R (nothing is drawn there).
"""
# ruff: noqa: E501 (the long lines are R)

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.tools.vector_cases import Case, write_data

HEAD = """
colours <- c("#D55E00", "#0072B2", "#009E73")
read <- function(name, dated) {
  d <- read.csv(paste0(name, ".csv"), check.names = FALSE, na.strings = "")
  if (dated) d$x <- as.Date(d$x)
  d
}
"""
GGPLOT = """
suppressMessages(library(ggplot2))
long <- function(d, names) do.call(rbind, lapply(names, function(n) data.frame(
  x = d$x, y = d[[n]], series = factor(n, levels = names),
  sd = if (paste(n, "sd") %in% colnames(d)) d[[paste(n, "sd")]] else 0)))
gg <- function(name, style, names, dated, log, device) {
  d <- read(name, dated)
  l <- long(d, names)
  if (style %in% c("bars", "stack", "sideways") && !dated) l$x <- factor(l$x, levels = unique(as.character(d$x)))
  p <- ggplot(l, aes(x, y)) + labs(x = "time", y = "value", colour = NULL, fill = NULL, linetype = NULL)
  one <- length(names) == 1
  p <- switch(style,
    lines = p + geom_line(aes(colour = series)),
    markers = p + geom_line(aes(colour = series)) + geom_point(aes(colour = series, shape = series)) + labs(shape = NULL),
    dashes = p + geom_line(aes(linetype = series)),
    step = p + geom_step(aes(colour = series)),
    bars = if (one) p + geom_col(fill = "#4477AA") else p + geom_col(aes(fill = series), position = "dodge"),
    stack = p + geom_col(aes(fill = series), width = 6),
    sideways = p + geom_col(fill = "#4477AA") + coord_flip() + scale_x_discrete(limits = rev),
    points = p + geom_point(aes(colour = series)),
    area = p + geom_area(aes(fill = series)),
    errors = p + geom_errorbar(aes(ymin = y - sd, ymax = y + sd, colour = series), width = 0.2) +
      geom_line(aes(colour = series)) + geom_point(aes(colour = series)),
    band = p + geom_ribbon(aes(ymin = y - sd, ymax = y + sd), fill = "grey70") + geom_line() + scale_x_log10(),
    bins = ggplot(l, aes(x, y)) + geom_col(width = diff(d$x)[1], fill = "grey60", colour = "white") +
      labs(x = "z", y = "count"),
    NULL)
  if (is.null(p)) return(invisible())
  if (dated) p <- p + scale_x_date(date_labels = "%d %b %Y")
  if (log) p <- p + scale_y_log10()
  if (style == "dashes") p <- p + theme_bw()
  if (style == "step") p <- p + theme_classic()
  if (style == "markers") p <- p + theme_bw() + theme(legend.position = "bottom")
  out <- paste0("ggplot2-", name, ".", device)
  if (device == "pdf") pdf(out, 6, 4) else if (requireNamespace("svglite", quietly = TRUE) && nchar(name) %% 2 == 0)
    svglite::svglite(out, 6, 4) else svg(out, 6, 4)
  print(p); invisible(dev.off())
}
"""
BASE = """
base <- function(name, style, names, dated, log, device) {
  if (style %in% c("band", "area", "bins")) return(invisible())
  d <- read(name, dated)
  out <- paste0("base-", name, ".", device)
  if (device == "pdf") pdf(out, 6, 4.5) else svg(out, 6, 4.5)
  y <- as.matrix(d[names]); n <- seq_along(names); one <- length(names) == 1
  if (style %in% c("bars", "stack", "sideways")) {
    if (style == "sideways") { par(mar = c(4, 6, 2, 1)); barplot(rev(y[, 1]), names.arg = rev(d$x), horiz = TRUE, las = 1, xlab = "value") }
    else if (style == "stack") {
      at <- barplot(t(y), col = colours, border = NA, names.arg = d$x, ylab = "value", legend.text = names,
                    args.legend = list(x = "topright", bty = "n"), las = 2, cex.names = 0.6)
    } else if (one) barplot(y[, 1], names.arg = d$x, col = "grey40", ylab = "value", las = if (dated) 2 else 1, cex.names = if (dated) 0.4 else 1)
    else barplot(t(y), beside = TRUE, col = colours[n], names.arg = d$x, ylab = "value", legend.text = names)
  } else if (style == "twin") {
    par(mar = c(4, 4, 2, 4))
    plot(d$x, y[, 1], type = "l", col = colours[1], xlab = "time", ylab = names[1])
    par(new = TRUE)
    plot(d$x, y[, 2], type = "l", col = colours[2], axes = FALSE, xlab = "", ylab = "")
    axis(4); mtext(names[2], 4, 2.5)
    legend("topleft", names, col = colours[1:2], lty = 1)
  } else {
    lim <- range(y, y - if (style == "errors") as.matrix(d[paste(names, "sd")]) else 0,
                 y + if (style == "errors") as.matrix(d[paste(names, "sd")]) else 0)
    plot(range(d$x), lim, type = "n", xlab = "time", ylab = "value", log = if (log) "y" else "",
         xaxt = if (dated) "n" else "s",
         ylim = if (style %in% c("lines", "dashes", "points")) lim + c(0, 0.3 * diff(lim)) else lim)
    if (dated) axis.Date(1, d$x, format = "%d %b %Y")
    for (k in n) {
      if (style == "points") points(d$x, y[, k], col = colours[k], pch = 15 + k)
      else if (style == "step") lines(d$x, y[, k], type = "s", col = colours[k])
      else if (style == "dashes") lines(d$x, y[, k], lty = k)
      else if (style == "lines") lines(d$x, y[, k], col = colours[k], lwd = 2)
      else lines(d$x, y[, k], type = "o", col = colours[k], pch = k)
      if (style == "errors") { s <- d[[paste(names[k], "sd")]]
        arrows(d$x, y[, k] - s, d$x, y[, k] + s, angle = 90, code = 3, length = 0.04, col = colours[k]) }
    }
    if (!one) { if (style == "points") legend("topright", names, col = colours[n], pch = 15 + n)
      else if (style == "dashes") legend("topright", names, lty = n, bty = "n")
      else if (style %in% c("markers", "errors")) legend("topright", names, col = colours[n], pch = n, lty = 1, inset = 0.02)
      else legend("topright", names, col = colours[n], lty = 1, lwd = 2) }
  }
  invisible(dev.off())
}
"""


def draw(folder: Path, chosen: Sequence[Case]) -> list[Path]:
    """The files `ggplot2-<case>.pdf`, `.svg` and `base-<case>...` in `folder`; none without Rscript."""
    if shutil.which("Rscript") is None:
        return []
    calls = []
    for case in chosen:
        write_data(case, folder / f"{case.name}.csv")
        names = ", ".join(f'"{name}"' for name in case.series)
        for function in ("gg", "base"):
            for device in ("pdf", "svg"):
                flags = f"{str(case.dated).upper()}, {str(case.log).upper()}"
                calls.append(f'try({function}("{case.name}", "{case.style}", c({names}), {flags}, "{device}"))')
    (folder / "all.R").write_text("\n".join([HEAD, GGPLOT, BASE, *calls]), encoding="utf-8")
    before = set(folder.iterdir())
    subprocess.run(["Rscript", "all.R"], cwd=folder, check=False, capture_output=True, timeout=300)
    return sorted(path for path in set(folder.iterdir()) - before if path.suffix in (".pdf", ".svg"))
