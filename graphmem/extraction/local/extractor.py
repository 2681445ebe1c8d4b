"""The deterministic extractor: rules over a dependency parse, no model service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from graphmem.catalog import Catalog
from graphmem.extraction.local.asserting import may_assert, own_words, paragraphs
from graphmem.extraction.local.characters import Characters
from graphmem.extraction.local.lexicon import Lexicon
from graphmem.extraction.local.model import English, find_model
from graphmem.extraction.local.names import People
from graphmem.extraction.local.turn import Paragraph, TurnReader
from graphmem.extraction.local.vocabulary import THIRD_PERSON
from graphmem.model import Episode
from graphmem.ports import Claim, Failure

_BATCH: Final = 128
_SPACED: Final = re.compile(r"[A-Za-z]\W{0,3}\s+\W{0,3}[^\W\d_]")


class LocalExtractor:
    """Reads statements by rules over spaCy's parse (English) and by patterns (Chinese).

    The same turns always give the same claims. It prefers to miss a statement rather than to
    invent one. The model is loaded at the first turn.

    Raises:
        MissingExtra: spaCy is not installed.
        ModelUnavailable: No English model is.
    """

    def __init__(self) -> None:
        self._model = find_model()
        self._english: English | None = None
        self._reader: TurnReader | None = None
        self._catalog: Catalog | None = None

    @property
    def run_id(self) -> str:
        """Version of the rules, and the model they read with."""
        return f"local-1/{self._model.name}"

    def extract(
        self, turns: Sequence[Episode], context: Mapping[str, Sequence[Episode]], catalog: Catalog
    ) -> Iterable[Claim | Failure]:
        """Yield what ``turns`` state, in their order; see ``Extractor.extract``."""
        english, reader = self._ready(catalog)
        known: dict[str, People] = {}
        for start in range(0, len(turns), _BATCH):
            batch = turns[start : start + _BATCH]
            parsed = _parsed(english, batch)
            for turn in batch:
                before = context.get(turn.id, ())[-1:] if _refers_back(turn.text) else ()
                earlier = People()
                for episode in before:
                    if episode.id not in known:
                        _, known[episode.id] = reader.read(
                            episode, _parsed(english, [episode])[episode.id], People()
                        )
                    earlier = known[episode.id]
                claims, known[turn.id] = reader.read(turn, parsed[turn.id], earlier)
                yield from claims

    def _ready(self, catalog: Catalog) -> tuple[English, TurnReader]:
        if self._english is None:
            self._english = self._model.load()
        if self._reader is None or self._catalog is not catalog:
            lexicon = Lexicon(catalog, self._english.verbs)
            self._reader = TurnReader(lexicon, Characters(catalog))
            self._catalog = catalog
        return self._english, self._reader


def _refers_back(text: str) -> bool:
    return bool(THIRD_PERSON.intersection(text.lower().split())) or "他" in text or "她" in text


def _parsed(english: English, turns: Sequence[Episode]) -> dict[str, list[Paragraph]]:
    """Return the paragraphs of each turn; none for one that may assert nothing."""
    found: dict[str, list[Paragraph]] = {turn.id: [] for turn in turns}
    texts = [
        (text, (turn.id, offset))
        for turn in turns
        if may_assert(turn)
        for offset, text in paragraphs(own_words(turn.text))
    ]
    docs = english.docs([text for text, _ in texts if _is_english(text)])
    for text, (id, offset) in texts:
        doc = next(docs) if _is_english(text) else None
        found[id].append(Paragraph(offset, text, doc))
    return found


def _is_english(text: str) -> bool:
    return _SPACED.search(text) is not None
