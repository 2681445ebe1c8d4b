"""What a search finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graphmem.model.records import Edge, Episode


class HitKind(StrEnum):
    """What a hit is."""

    EDGE = "edge"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence behind a hit: whose words, which, where and when."""

    episode_id: str | None
    thread_id: str
    speaker: str | None
    quote: str
    occurred_at: datetime | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result, best first; carries no vectors.

    ``rank`` starts at 1 and ties share it. ``channels`` gives the rank in each channel that found
    it; ``parts`` what each feature added to ``score``. A score means something only within its
    own result list. ``valid`` is None for an episode.
    """

    id: str
    kind: HitKind
    text: str
    rank: int
    score: float
    channels: Mapping[str, int]
    parts: Mapping[str, float]
    group_id: str
    edge: Edge | None
    episode: Episode | None
    citations: tuple[Citation, ...]
