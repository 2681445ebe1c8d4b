"""Rows to a table, with paired differences."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import numpy as np

_SAMPLES = 2000
_SEED = 20240101


def table(file: Path) -> str:
    """Return a Markdown table: each system's means by category, then differences to graphmem.

    A difference is the mean over cases of (graphmem - peer), with its 95 % bootstrap interval
    over cases. Source: Efron & Tibshirani, An Introduction to the Bootstrap, 1993.
    """
    cases: defaultdict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    groups: dict[str, str] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        cases[row["system"]][row["case_id"]] = row["figures"]
        groups[row["case_id"]] = row["group"]
    figures = list(dict.fromkeys(f for row in cases["graphmem"].values() for f in row))
    lines = [f"## {file.name}: {len(groups)} cases", "", f"| | {' | '.join(figures)} |"]
    lines.append(f"| --- |{' ---: |' * len(figures)}")
    for group in ("", *sorted(set(groups.values()))):
        for system, rows in cases.items():
            chosen = [rows[id] for id in rows if groups[id] == group or not group]
            means = (_cell([row[f] for row in chosen if f in row]) for f in figures)
            lines.append(f"| {system} {group} | {' | '.join(means)} |")
    for system in sorted(cases.keys() - {"graphmem"}):
        cells = (_difference(cases["graphmem"], cases[system], f) for f in figures)
        lines.append(f"| graphmem - {system} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: list[float]) -> str:
    return f"{fmean(values):.3f}" if values else ""


def _difference(
    ours: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]], figure: str
) -> str:
    shared = [id for id in ours if figure in ours[id] and figure in theirs.get(id, {})]
    if not shared:
        return ""
    gaps = np.array([ours[id][figure] - theirs[id][figure] for id in shared])
    draws = np.random.default_rng(_SEED).integers(0, len(gaps), (_SAMPLES, len(gaps)))
    low, high = np.percentile(gaps[draws].mean(axis=1), [2.5, 97.5])
    return f"{gaps.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
