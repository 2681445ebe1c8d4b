"""An extractor that says what it was told to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.catalog import Catalog
from graphmem.model import Episode
from graphmem.ports import Claim, Failure


class ScriptedExtractor:
    """``ports.Extractor`` that reads prepared claims out of known texts.

    Args:
        script: What a turn with exactly this text states, in order; their ``episode_id`` is
            replaced by the turn's. Other texts state nothing.
        run_id: Name of this run.
    """

    def __init__(
        self, script: Mapping[str, Sequence[Claim | Failure]], *, run_id: str = "scripted"
    ) -> None:
        self.script = script
        self.run_id = run_id

    def extract(
        self, turns: Sequence[Episode], context: Mapping[str, Sequence[Episode]], catalog: Catalog
    ) -> Iterator[Claim | Failure]:
        """Yield the script's claims and failures for each turn; context is not needed."""
        del context, catalog
        for turn in turns:
            for said in self.script.get(turn.text, ()):
                yield replace(said, episode_id=turn.id)
