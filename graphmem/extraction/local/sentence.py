"""Which pairs of ends an English sentence relates, and the time words of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extraction.local.asserting import direct_speech, is_statement
from graphmem.extraction.local.nouns import read_apposition, read_label, read_nouns
from graphmem.extraction.local.scene import Reading, Scene
from graphmem.extraction.local.stance import stance_of
from graphmem.extraction.local.surface import read_surface
from graphmem.extraction.local.verbs import read_exchange, read_negated, read_verb
from graphmem.temporal.words import TimeRole, TimeSpan, find_times

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_CLAUSES = frozenset({"ROOT", "conj", "relcl", "ccomp", "advcl", "acl", "parataxis"})


def read_sentence(scene: Scene, sentence: Span) -> Iterator[Reading]:
    """Yield what a sentence puts forward as so; nothing for a question, a guess or a wish."""
    if not is_statement(sentence.text):
        return
    quoted = direct_speech(sentence.text)
    found = False
    for token in sentence:
        at = token.idx - sentence.start_char
        if not any(start <= at < end for start, end in quoted):
            for reading in _read_token(scene, token):
                found = True
                yield reading
    if not found and not quoted:
        yield from read_surface(scene, sentence)


def _read_token(scene: Scene, token: Token) -> Iterator[Reading]:
    yield from read_apposition(scene, token)
    yield from read_label(scene, token)
    if not _is_verb(token):
        return
    special = list(read_negated(scene, token))
    stance = None if special else stance_of(token)
    if stance is not None:
        special = list(read_exchange(scene, token, stance))
    yield from special
    if stance is not None and not special:
        by_noun = list(read_nouns(scene, token, stance))
        yield from by_noun
        yield from read_verb(scene, token, stance, by_noun=bool(by_noun))


def times_of(scene: Scene, sentence: Span, reading: Reading) -> list[TimeSpan]:
    """Return the time words that belong to a reading's clause and to neither of its ends."""
    found = find_times(sentence.text, scene.said, lean=reading.stance.lean)
    return [span for span in found if _belongs(span, sentence, reading)]


def _belongs(span: TimeSpan, sentence: Span, reading: Reading) -> bool:
    start, end = (sentence.start_char + at for at in (span.start, span.end))
    for other in (reading.subject, reading.object):
        if other.start < end and start < other.end:
            return False
    clause = reading.clause
    if isinstance(clause, tuple):
        return clause[0] <= start < clause[1]
    if not _is_verb(clause):
        return False
    inside = [token for token in sentence if start <= token.idx < end]
    top = next((token for token in inside if token.head not in inside), None)
    if top is None or (span.role is TimeRole.SINCE and _is_origin(top)):
        return False
    return _clause(top.head) in (clause, _clause(clause))


def _is_origin(token: Token) -> bool:
    """Tell "the notes from March", which do not begin in March."""
    return token.lower_ == "from" and token.head.pos_ == "NOUN"


def _clause(token: Token) -> Token:
    while token.head != token and not (_is_verb(token) and token.dep_ in _CLAUSES):
        token = token.head
    return token


def _is_verb(token: Token) -> bool:
    # "I live in Oslo and work at Acme": a verb joined to a verb is often tagged as a noun
    is_joined = token.tag_ == "NN" and token.dep_ == "conj" and token.head.pos_ == "VERB"
    return is_joined or (token.pos_ in ("VERB", "AUX") and not token.dep_.startswith("aux"))
