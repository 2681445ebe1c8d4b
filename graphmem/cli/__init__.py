"""The command line: ``graphmem``."""

from graphmem.cli.app import app, run

__all__ = ["app", "run"]
