"""A bar chart on a logarithmic scale, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from math import floor, log10

WIDTH, LABELS, VALUES, ROW, TOP = 880, 290, 110, 26, 34
OURS, OTHER = "#b4432e", "#8a8f98"
STYLE = "text{font:13px system-ui,sans-serif;fill:#222}.axis{fill:#666;font-size:11px}line{stroke:#ddd}"


def chart(values: Mapping[str, float], ours: str, written: Callable[[float], str]) -> str:
    """One bar per value, the largest first; those whose name starts with `ours` stand out."""
    ranked = sorted(values.items(), key=lambda item: -item[1])
    low, high = floor(log10(ranked[-1][1])), log10(ranked[0][1])
    scale = (WIDTH - LABELS - VALUES) / (high - low)
    height = TOP + ROW * len(ranked) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>Decisions per second, on a logarithmic scale</title><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for power in range(low, floor(high) + 1):
        x = LABELS + (power - low) * scale
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 8}"/>')
        parts.append(f'<text class="axis" x="{x:.1f}" y="{TOP - 14}" text-anchor="middle">{10.0**power:,.0f}</text>')
    for i, (name, value) in enumerate(ranked):
        y, length = TOP + ROW * i, (log10(value) - low) * scale
        colour = OURS if name.startswith(ours) else OTHER
        parts.append(f'<text x="{LABELS - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{LABELS}" y="{y}" width="{length:.1f}" height="{ROW - 8}" fill="{colour}"/>')
        parts.append(f'<text x="{LABELS + length + 6:.1f}" y="{y + 14}">{written(value)}</text>')
    return "\n".join([*parts, "</svg>", ""])
