"""``python -m benchmarks run NAME --data DIR --out FILE``, and ``… report FILE…``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

# Before numpy comes in: figures are of one thread.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from benchmarks.case import wrongs  # noqa: E402
from benchmarks.report import table  # noqa: E402
from benchmarks.run import SUITES, run, summary  # noqa: E402

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("run")
def run_suite(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(SUITES)}.")],
    data: Annotated[Path, typer.Option(help="Folder with the data sets.", envvar="GRAPHMEM_DATA")],
    out: Annotated[Path, typer.Option(help="Rows as JSON lines; a manifest lies beside them.")],
    all_right: Annotated[
        bool, typer.Option(help="Fail unless all that is `right` or the `same` is so in every row.")
    ] = False,
) -> None:
    """Run a suite; the last line printed is one JSON object."""
    if name not in SUITES:
        raise typer.BadParameter(f"no suite {name!r}; there are {', '.join(SUITES)}")
    rows = run(name, data, out)
    wrong = wrongs(rows) if all_right else []
    for row in wrong[:20]:
        typer.echo(f"wrong: {row.case_id} ({row.group})", err=True)
    typer.echo(json.dumps(summary(name, rows), ensure_ascii=False))
    if wrong:
        raise typer.Exit(1)


@app.command("report")
def report(
    files: Annotated[list[Path], typer.Argument(help="What `run` wrote.", exists=True)],
) -> None:
    """Print each system's figures, and the differences to graphmem with their 95 % interval."""
    for file in files:
        typer.echo(table(file))


if __name__ == "__main__":
    app()
