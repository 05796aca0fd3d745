"""Results as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .standings import Result

INK, BAR, FAIR = "#2b2b33", "#c8553d", "#8a8a96"


def plot_results(results: Sequence[Result], title: str, file: Path) -> None:
    """Each bot's share of wins with its likely range, against the share that equal players would have."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams["svg.hashsalt"] = title  # the same results draw the same file
    from matplotlib import pyplot as plt

    height = 1.2 + 0.45 * len(results)
    figure, axes = plt.subplots(figsize=(7.5, height), layout="constrained")
    for row, result in enumerate(reversed(results)):
        axes.barh(row, 100 * result.win_rate, color=BAR, height=0.6)
        axes.plot([100 * result.low, 100 * result.high], [row, row], color=INK, linewidth=2, solid_capstyle="butt")
        axes.text(100 * result.high + 1, row, f"{result.win_rate:.0%}", va="center", color=INK)
    for fair in {result.fair for result in results}:
        axes.axvline(100 * fair, color=FAIR, linestyle=":", label=f"fair share {fair:.0%}")
    axes.set_yticks(range(len(results)), [result.bot for result in reversed(results)])
    axes.set_xlim(0, 108)
    axes.set_xlabel("games won, % (line: 95 % interval)")
    axes.set_title(title, color=INK, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False)
    metadata = {"Date": None} if file.suffix == ".svg" else None
    figure.savefig(file, dpi=150, metadata=metadata)
    plt.close(figure)
