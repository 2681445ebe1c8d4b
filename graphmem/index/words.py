"""Text to words and terms, for every script; and the key that names are compared by."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from threading import Lock
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

_STOP_WORDS = """
    a about after again all also am an and any are aren as at be because been before being but by
    can cannot cant could couldnt d did didnt do does doesnt doing dont during each for from further
    had hadnt has hasnt have havent having he her here hers herself him himself his how i if in into
    is isnt it its itself just ll m me my myself no nor not of on once only or other our ours
    ourselves out own re s same she should shouldnt so some such t than that the their theirs them
    themselves then there these they this those through to too until up ve very was wasnt we were
    werent what when where which while who whom why will with wont would wouldnt you your yours
    yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that say too little to search by."""

_LONGEST = 128
_JOINERS = "-_./:@+#&"
_PART = re.compile(rf"[^{re.escape(_JOINERS)}]+")
# Scripts written without spaces between words (Korean has them, but glues particles on).
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]+"
)
_CONTRACTION = re.compile(r"'(?:s|d|m|ll|re|ve)\b")


class _Letters(dict[int, str]):
    """Maps each character to itself, to nothing, or to a space; a symbol to a word of its own."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = unicodedata.category(char)
        if kind in ("Cf", "Sk") or "\ufe00" <= char <= "\ufe0f":
            kept = ""  # joins and styles letters or emoji without being one
        elif kind[0] in "LNM" or char in _JOINERS or char == "'":
            kept = char
        else:
            kept = f" {char} " if kind == "So" else " "
        self[code] = kept
        return kept


_LETTERS = _Letters()
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u201b", "'"))


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


_stemmer = cast(_Stemmer, snowballstemmer.stemmer("english"))  # pyright: ignore[reportUnknownMemberType]
_stemming = Lock()  # a Snowball stemmer works in place on one word of its own


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in order, compatibility forms and case folded.

    A word is a run of letters, marks and digits of any script; an emoji is one too. A run of a
    script without spaces (Chinese, Japanese, Korean, Thai and their like) gives its pairs of
    neighbouring characters, or itself if it is one character. Runs joined by ``-_./:@+#&`` give
    the whole and then its parts ("SR-2023-052": that, "sr", "2023", "052"). "Ann's" gives "ann",
    "don't" "dont", "l'eau" "l", "eau". A word is cut after 128 characters.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    plain = folded.translate(_APOSTROPHES).translate(_LETTERS)
    if "'" in plain:
        plain = _CONTRACTION.sub(" ", plain.replace("n't", "nt")).replace("'", " ")
    found: list[str] = []
    for chunk in plain.split():
        if chunk.isascii() and chunk.isalnum():
            found.append(chunk[:_LONGEST])
        else:
            found.extend(_split(chunk))
    return tuple(found)


def _split(chunk: str) -> list[str]:
    whole = chunk.strip("-_./:@&").lstrip(_JOINERS)
    parts = [word for part in _PART.findall(whole) for word in _spaced(part)]
    if _PART.fullmatch(whole) is None and parts:
        return [whole[:_LONGEST], *parts]
    return parts


def _spaced(run: str) -> list[str]:
    found: list[str] = []
    at = 0
    for match in _UNSPACED.finditer(run):
        found.extend([run[at : match.start()][:_LONGEST]] if at < match.start() else [])
        found.extend(_pairs(match[0]))
        at = match.end()
    return [*found, run[at:][:_LONGEST]] if at < len(run) else found


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=1 << 16)
def _term(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        return word
    with _stemming:
        return _stemmer.stemWord(word)


def terms(text: str) -> tuple[str, ...]:
    """Return the words of a text that search weighs: stop words dropped, English stems.

    If all are stop words they stay, unstemmed ("The Who").
    """
    found = words(text)
    return tuple(_term(word) for word in found if word not in STOP_WORDS) or found


def name_key(name: str) -> str:
    """Return the key that an entity's name is compared by.

    NFC, full and half width forms folded, case folded, white space collapsed. Names that differ
    in a digit, a version, an accent or a script keep different keys ("x²" is not "x2").
    """
    narrow = "".join(map(_narrow, unicodedata.normalize("NFC", name)))
    return " ".join(unicodedata.normalize("NFC", narrow.casefold()).split())


def _narrow(char: str) -> str:
    return unicodedata.normalize("NFKC", char) if "\uff00" <= char <= "\uffef" else char
