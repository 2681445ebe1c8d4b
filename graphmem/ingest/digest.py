"""One hash for ids and for content."""

from __future__ import annotations

import hashlib
import json
import unicodedata

from graphmem.model import Json


def digest(*parts: Json) -> str:
    """Return 32 hexadecimal digits (128 bits) of SHA-256 over ``parts``.

    Equal up to NFC, so the same words typed on another machine are the same; the borders of the
    parts count.
    """
    text = unicodedata.normalize("NFC", json.dumps(parts, ensure_ascii=False))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
