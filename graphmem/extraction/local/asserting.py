"""Which words of a turn may become its speaker's statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.model import Episode, EpisodeKind

_OTHER_ROLES: Final = frozenset({"tool", "system", "developer", "function"})

_NOT_MEANT: Final = re.compile(
    # jokes
    r"\b(?:just|only|i'?m|was) (?:kidding|joking)\b|\bjk\b|\bkidding!|(?:^|\s)/s\s*$|开玩笑|開玩笑"
    # attempts to instruct whoever reads this later
    r"|\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?)\b"
    r"|\bsystem prompt\b|\byou are now\b|\bnew instructions?:|<\|?/?(?:system|im_start|im_end)\b"
    r"|\bfrom now on,? (?:you|act|respond|treat)\b|忽略.{0,12}(?:指令|提示|规则)",
    re.IGNORECASE | re.MULTILINE,
)
_FOREIGN: Final = re.compile(
    r"^[ \t]*[>|][^\n]*"  # quoted mail
    r"|^(?:On\b[^\n]{0,200}\bwrote|[^\n]{0,80}写道|[^\n]{0,80}wrote)\s*[:：][ \t]*$"
    r"|^-{2,}\s*(?:original message|forwarded message).*\Z|^Begin forwarded message:.*\Z"
    r"|^(?P<fence>```|~~~).*?(?:^(?P=fence)|\Z)|```.*?```"
    r"|^(?: {4,}|\t)\S[^\n]*"  # indented code
    r"|https?://\S+",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_NOT_LINE_END: Final = re.compile(r"[^\n]")
_MARKUP: Final = re.compile(
    r"[`*~]|(?<!\w)_+|_+(?!\w)|^\s*(?:[-+•#]+|\d{1,2}[.)])(?=\s)", re.MULTILINE
)
_OPENERS: Final = re.compile(
    r"(?:^|(?<=[.!?]\s))\s*(?:(?:FYI|BTW|PSA|NB|Heads[ -]up|TL;DR)\b[:,]?"
    r"|(?:Update|Note|News)\s*:)",
    re.IGNORECASE | re.MULTILINE,
)
_MARKS: Final = '"“”„«»「」『』'
_DIRECT_SPEECH: Final = re.compile(rf"[{_MARKS}]([^{_MARKS}\n]+)[{_MARKS}]")

_LONG: Final = re.compile("[\u4e00-\u9fff]{6}")
_UNSURE: Final = re.compile(
    r"\b(?:if|unless|whether|maybe|perhaps|possibly|probably|presumably|supposedly|allegedly"
    r"|apparently|hypothetically|hopefully|ideally|suppose|supposing|imagine|assuming|pretend"
    r"|i (?:guess|think|believe|assume|suspect|wish|hope|doubt)|not sure|unsure|no idea|iirc|afaik"
    r"|rumou?rs?|in case|otherwise|let'?s say|as though|what about|how about|wish|might"
    r"|wonder(?:ing)?|could have|would have|should have|supposed to|likely)\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(r"[?？][\s\"'”’)\]!]*$")
_ASKING: Final = re.compile(
    r"^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|also|well),?\s+)?(?:who|whom|whose|what|which|why|how"
    r"|(?:do|does|did|is|are|was|were|am|has|have|had|can|could|will|would|shall|should|may|isn'?t"
    r"|aren'?t|doesn'?t|don'?t|didn'?t|wasn'?t|haven'?t|hasn'?t|won'?t)\s+(?:i|you|he|she|it|we|they"
    r"|the|an?|my|your|our|his|her|their|this|that|there|any|some|[A-Z]\w*))\b"
    r"|^\W*(?:when|where)\s+(?:do|does|did|is|are|was|were|will|can|has|have)\b"
    r"|\b(?:anyone|anybody|does someone) know\b",
)


def may_assert(episode: Episode) -> bool:
    """Tell whether anything this turn says may become a statement of its speaker.

    Only a message of a person or an assistant can; not one that jokes, or that reads like an
    instruction to whoever is given it later.
    """
    return (
        episode.kind is EpisodeKind.MESSAGE
        and episode.role not in _OTHER_ROLES
        and not _NOT_MEANT.search(episode.text)
    )


def own_words(text: str) -> str:
    """Return ``text`` with quoted mail, code, links, markup and "FYI" blanked; the length stays."""
    for pattern in (_FOREIGN, _MARKUP, _OPENERS):
        text = pattern.sub(lambda match: _NOT_LINE_END.sub(" ", match[0]), text)
    return text


def is_statement(sentence: str) -> bool:
    """Tell whether a sentence is put forward as so: no question, condition, guess or wish."""
    return not (
        _QUESTION.search(sentence)
        or _UNSURE.search(sentence)
        or _ASKING.search(sentence[:1].lower() + sentence[1:])
    )


def direct_speech(sentence: str) -> list[tuple[int, int]]:
    """Return the spans between quotation marks that hold more than a name: words of others."""
    return [
        match.span()
        for match in _DIRECT_SPEECH.finditer(sentence)
        if len(match[1].split()) > 2 or _LONG.search(match[1])
    ]


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, text) of stretches that sentences do not cross, line ends inside as spaces.

    A line end parts them, unless the line is long or its sentence goes on in lower case: then it
    was only wrapped.
    """
    start = end = 0
    for match in re.finditer(r"[^\n]*(?:\n|\Z)", text):
        line = match[0]
        if not (text[start:end].strip() and _goes_on(text[start:end], line)):
            if text[start:end].strip():
                yield start, text[start:end].replace("\n", " ")
            start = match.start()
        end = match.end()
    if text[start:end].strip():
        yield start, text[start:end].replace("\n", " ")


def _goes_on(before: str, line: str) -> bool:
    last, first = before.rstrip()[-1:], line.lstrip()[:1]
    return bool(first) and last not in ".!?。！？:：;" and first.islower() and before.endswith("\n")
