"""How much of a result fits into an agent's prompt."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.model import Hit


def within_budget(found: Sequence[Hit], max_tokens: int) -> list[Hit]:
    """Return the hits before the one whose text would pass the budget; the first always stays.

    A token is taken as four characters of ASCII, or one of any other: an estimate that is high
    rather than low.
    """
    kept: list[Hit] = []
    used = 0
    for hit in found:
        used += _tokens(hit.text)
        if kept and used > max_tokens:
            break
        kept.append(hit)
    return kept


def _tokens(text: str) -> int:
    plain = sum(map(str.isascii, text))
    return len(text) - plain + -(-plain // 4)
