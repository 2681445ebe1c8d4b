"""The program: its commands, and what its exit codes mean."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from graphmem.cli.output import guarded
from graphmem.cli.reads import ask, check, edges, history, search, status
from graphmem.cli.writes import add, ingest

_HELP = """A memory that knows what was said, by whom, and what holds when because of it.

Data goes to stdout, progress and messages to stderr. Times without a zone are not accepted; dates
are days in UTC.

Exit codes: 0 all went well; 1 an error, told on stderr, or `check` found something; 2 the command
was not understood; 3 some records or their facts could not be read; 4 `ask` has no answer; 130
interrupted, what was stored stays.
"""


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        with guarded():
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    help=_HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _command in (ingest, add, search, ask, history, edges, status, check):
    app.command()(_command)


def run() -> None:
    """Run the program, and exit."""
    app(prog_name="graphmem")
