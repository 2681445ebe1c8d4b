"""A turn to claims, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from graphmem.extraction.local.characters import Characters
from graphmem.extraction.local.chinese import read_chinese
from graphmem.extraction.local.claims import Claims, Triple
from graphmem.extraction.local.lexicon import Lexicon
from graphmem.extraction.local.names import Name, Namer, People, people_in
from graphmem.extraction.local.scene import Scene
from graphmem.extraction.local.sentence import read_sentence, times_of
from graphmem.model import Episode
from graphmem.ports import Claim
from graphmem.temporal.words import find_times

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""Anchor for turns of unknown time, only to see where time words stand."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A stretch of a turn at an offset; ``doc`` is its parse if it has English words."""

    offset: int
    text: str
    doc: Doc | None


@dataclass(frozen=True, slots=True)
class TurnReader:
    """Reads turns with the words of one catalog."""

    lexicon: Lexicon
    characters: Characters

    def read(
        self, episode: Episode, paragraphs: Sequence[Paragraph], earlier: People
    ) -> tuple[list[Claim], People]:
        """Return what a turn states, each statement once, and whom it speaks of.

        Args:
            episode: The turn.
            paragraphs: Its own words.
            earlier: Whom the turn before speaks of.
        """
        people = People()
        claims = Claims(episode, self.lexicon)
        found: dict[tuple[object, ...], Claim] = {}
        for paragraph in paragraphs:
            times = find_times(paragraph.text, episode.occurred_at or _ANY_DAY)
            spans = [(span.start, span.end) for span in times]
            namer = Namer(paragraph.offset, episode.speaker, people, earlier, paragraph.text, spans)
            read = list(read_chinese(self.characters, claims, namer, paragraph.text))
            if not read and paragraph.doc is not None:
                scene = Scene(self.lexicon, namer, episode.occurred_at)
                read = list(_read_english(claims, scene, paragraph.doc))
            for claim in read:
                stated = (claim.subject, claim.relation, claim.object, claim.object_value)
                found.setdefault((*stated, claim.kind), claim)
        return list(found.values()), people


def _read_english(claims: Claims, scene: Scene, doc: Doc) -> Iterator[Claim]:
    offset = scene.namer.offset
    people_in(doc, scene.namer.text, offset, scene.namer.people)
    for sentence in doc.sents:
        start, end = (offset + at for at in (sentence.start_char, sentence.end_char))
        for reading in read_sentence(scene, sentence):
            object = reading.object if isinstance(reading.object, Name) else None
            if reading.relation is not None:
                scene.namer.learn(reading.relation, reading.subject, object)
            times = times_of(scene, sentence, reading)
            triple = Triple(reading.subject, reading.relation, reading.words, reading.object)
            claim = claims.claim(triple, reading.stance, times, start, end)
            if claim is not None:
                yield claim
