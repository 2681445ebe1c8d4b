"""Plain sentences that the parser stumbles over: a name, the catalog's very words, a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmem.extraction.local.lexicon import Sense
from graphmem.extraction.local.names import Name, looks_proper
from graphmem.extraction.local.scene import Reading, Scene
from graphmem.extraction.local.stance import Stance
from graphmem.extraction.local.vocabulary import (
    ARTICLES,
    FIRST_PERSON,
    INDEFINITE,
    THIRD_PERSON,
)
from graphmem.temporal.words import find_times

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_ADVERBS: Final = ("now", "also", "currently", "still")
_LONGEST: Final = 4
_FOLLOWING: Final = ("IN", "CC", "RB", "TO", "DT")


class _Plain(NamedTuple):
    """A statement from a token on; ``after`` is the index of the first token that follows it."""

    subject: Name
    sense: Sense
    past: bool
    object: Name
    after: int


def read_surface(scene: Scene, sentence: Span) -> Iterator[Reading]:
    """Yield what stands as name - verb - name at the beginning, and again after each "and".

    Nothing may stand between but "now" and the like, so no "never" or "said that" is passed over.
    """
    tokens = [token for token in sentence if not token.is_space]
    at = _after_times(scene, sentence, tokens)
    while (plain := _plain(scene, tokens, at)) is not None:
        rest = range(plain.after, len(tokens))
        at = next((i + 1 for i in rest if tokens[i].lower_ == "and"), len(tokens))
        end = tokens[at].idx if at < len(tokens) else sentence.end_char
        stance = Stance(tense="past" if plain.past else "present", trust=0.7)
        clause = (sentence.start_char, end)
        yield from scene.pair(clause, plain.sense, plain.subject, plain.object, stance)


def _after_times(scene: Scene, sentence: Span, tokens: Sequence[Token]) -> int:
    """Return the index of the first token after leading time words ("Yesterday, Ann ...")."""
    leading = [span.end for span in find_times(sentence.text, scene.said) if span.start == 0]
    start = sentence.start_char + max(leading, default=0)
    after = (i for i, t in enumerate(tokens) if t.idx >= start and not t.is_punct)
    return next(after, len(tokens))


def _plain(scene: Scene, tokens: Sequence[Token], at: int) -> _Plain | None:
    subject, after = _name(scene, tokens, at)
    if subject is None:
        return None
    while after < len(tokens) and tokens[after].lower_ in _ADVERBS:
        after += 1
    for length in range(_LONGEST, 0, -1):
        found = scene.lexicon.surface([token.lower_ for token in tokens[after : after + length]])
        if found and found[0].relation.object_kind != "value":
            object, end = _name(scene, tokens, after + length)
            is_last = end >= len(tokens) or tokens[end].is_punct or tokens[end].tag_ in _FOLLOWING
            return _Plain(subject, *found, object, end) if object and is_last else None
    return None


def _name(scene: Scene, tokens: Sequence[Token], at: int) -> tuple[Name | None, int]:
    """Return the run of capitalised words at an index, and the index after it."""
    if at < len(tokens) and tokens[at].lower_ in ARTICLES:
        at += 1
    if at < len(tokens) and tokens[at].lower_ in FIRST_PERSON:
        return scene.namer.name(tokens[at]), at + 1
    end = at
    while end < len(tokens) and (
        looks_proper(tokens[end].text) or (end > at and tokens[end].is_digit)
    ):
        end += 1
    if end == at or tokens[at].is_stop or tokens[at].lower_ in INDEFINITE | THIRD_PERSON:
        return None, at
    first, last = tokens[at], tokens[end - 1]
    start, stop = first.idx, last.idx + len(last)
    text = scene.namer.text[start:stop].rstrip(".,;:!")
    return Name(text, start, start + len(text), proper=True, label=first.ent_type_), end
