"""Chinese questions: the question word stands where the answer would."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.retrieval.clause import Clause, Span
from graphmem.retrieval.naming import Known
from graphmem.retrieval.phrases import Phrase, Phrasebook, Sense

ASKS: Final = re.compile(
    "谁|哪一?位|哪个人|哪些人|什么地方|什么(?!时候)|啥|哪里|哪儿|哪家公司|哪个城市|哪家|哪个|哪些"
    "|多少钱?|哪(?!一?天|年|个?月)"
)
_WHEN: Final = re.compile("什么时候|何时|哪一?天|哪个?月|哪年|几号|多久")
_WHETHER: Final = re.compile("吗|是不是|是否|有没有")
_EDGES: Final = (
    "是不是", "有没有", "现在", "目前", "请问", "那个", "这个", "是否", "当前", "如今", "已经",
    "的", "了", "是", "在", "都", "也", "还", "就", "和", "到", "于", "过", "呢", "呀", "啊", "吗",
    "向", "给", "又", "会", "将", "要", "为", "由", "被",
)  # fmt: skip
"""Particles around a name, the longest first."""
_SPACE: Final = " \t\n?？!！。，,、；;：:"
_AGENT: Final = re.compile(r"(?:是|由|被|让|给)\s*$")
_OF_PERSON: Final = re.compile(r"^(?P<said>.+)的(?:那个|那位)?(?:人|同事|公司|团队|项目)$")
_BEYOND: Final = re.compile("为什么|为何|怎么|如何|几个|多少个|以前|之前|曾经|不再|没有?(?!有)")


@dataclass(frozen=True, slots=True)
class _Match:
    """A phrase in a text: where it begins and ends, and what it encloses."""

    start: int
    end: int
    inner: Span | None
    sense: Sense


def read_chinese(
    text: str, start: int, end: int, book: Phrasebook, known: Sequence[Known]
) -> Clause | None:
    """Return what a clause of a Chinese question asks, or None if that cannot be told.

    Args:
        text: The whole question, time words blanked out; offsets stay.
        start: Where the clause begins.
        end: Where it ends, exclusive.
        book: The catalog's phrases.
        known: Names in the text: words inside them are no relation's.
    """
    return _Question(text, start, end, book, known).read()


class _Question:
    def __init__(
        self, text: str, start: int, end: int, book: Phrasebook, known: Sequence[Known]
    ) -> None:
        self._when = _WHEN.search(text, start, end) is not None
        self._text = _WHEN.sub(lambda match: " " * len(match[0]), text)
        self._start, self._end = start, end
        self._book = book
        self._known = known
        self._asks = _asked(self._text, start, end)

    def read(self) -> Clause | None:
        whether = _WHETHER.search(self._text, self._start, self._end)
        if not (self._asks or self._when or whether):
            return None
        return None if self._is_beyond() else self._held() or self.related()

    def _is_beyond(self) -> bool:
        found = _BEYOND.finditer(self._text, self._start, self._end)
        return any(not self._in_name(match.start()) for match in found)

    def _in_name(self, at: int) -> bool:
        return any(known.start <= at < known.end for known in self._known)

    def _held(self) -> Clause | None:
        """Read "谁是 Atlas 的负责人": the question word holds what the owner has."""
        if self._asks is None or self._trimmed(self._start, self._asks.start):
            return None
        rest = self._text[self._asks.end : self._end]
        if not rest.lstrip(_SPACE).startswith("是"):
            return None
        return self._role(Span(self._asks.end + rest.index("是") + 1, self._end))

    def _role(self, span: Span) -> Clause | None:
        """Read "Atlas 的负责人" as who that is."""
        said = self._text[span.start : span.end].rstrip(_SPACE)
        for noun, sense in self._book.holders.items():
            if said.endswith(noun) and sense.relation.object_kind != "value":
                owner = self._trimmed(span.start, span.start + len(said) - len(noun))
                return None if owner is None else Clause(sense, self._noted(owner), None)
        return None

    def related(self) -> Clause | None:
        """Read the clause by the words of a relation; the end that is missing is asked for."""
        found = list(self._matches())
        if not found:
            return None
        chosen = min(found, key=self._preference)
        right = chosen.inner or Span(chosen.end, self._end)
        object = None if self._asked_in(right) else self._trimmed(right.start, right.end)
        subject = self._trimmed(self._start, chosen.start)
        if self._asked_in(Span(self._start, chosen.start)) and self._asks is not None:
            subject, before = None, self._trimmed(self._start, self._asks.start)
            if before is not None:
                if object is not None or not _AGENT.search(
                    self._text, before.end, self._asks.start
                ):
                    return None
                object = before
        elif self._is_passive(chosen.sense, object):
            subject, object = None, subject
        return self._clause(chosen.sense, subject, object)

    def _is_passive(self, sense: Sense, object: Span | None) -> bool:
        """Tell whether "预算是什么时候批准的" leaves out who did it."""
        relation = sense.relation
        asks_time = self._asks is None and self._when and object is None
        return asks_time and not (relation.subject_kind == "person" or relation.object_kind)

    def _clause(self, sense: Sense, subject: Span | None, object: Span | None) -> Clause | None:
        if subject is None and object is None:
            return None
        ends = [None if end is None else self._noted(end) for end in (subject, object)]
        timed = self._when and sense.relation.object_kind != "value"
        return Clause(sense, ends[0], ends[1], timed)

    def _matches(self) -> Iterator[_Match]:
        for phrase in self._book.chinese:
            at = self._text.find(phrase.before, self._start, self._end)
            while at >= 0:
                if (match := self._match(phrase, at)) is not None:
                    yield match
                at = self._text.find(phrase.before, at + 1, self._end)

    def _match(self, phrase: Phrase, at: int) -> _Match | None:
        end = at + len(phrase.before)
        inner = None
        if phrase.after:
            tail = self._text.find(phrase.after, end + 1, self._end)
            if tail < 0:
                return None
            inner, end = Span(end, tail), tail + len(phrase.after)
        match = _Match(at, end, inner, phrase.sense)
        asks = self._asks
        overlaps = inner is None and asks and asks.start < end and at < asks.end
        lone = inner is None and end - at == 1 and not self._is_beside(match)
        return None if overlaps or lone else match

    def _preference(self, match: _Match) -> tuple[bool, bool, int, int]:
        size = match.end - match.start
        size -= match.inner.end - match.inner.start if match.inner else 0
        return self._in_name(match.start), not self._is_beside(match), -size, match.start

    def _is_beside(self, match: _Match) -> bool:
        """Tell whether nothing but particles lies between a phrase and the question word."""
        if self._asks is None:
            return True
        if match.inner is not None:
            return self._asked_in(match.inner)
        first, last = sorted([(match.start, match.end), (self._asks.start, self._asks.end)])
        return self._trimmed(first[1], last[0]) is None

    def _asked_in(self, span: Span) -> bool:
        return self._asks is not None and span.start <= self._asks.start < span.end

    def _trimmed(self, start: int, end: int) -> Span | None:
        """Return a stretch without particles at its edges, but for those of a name."""
        moved = True
        while moved and start < end:
            moved = False
            said = self._text[start:end]
            for edge in (*_EDGES, *_SPACE):
                if said.startswith(edge) and not self._in_name(start):
                    start, moved = start + len(edge), True
                elif said.endswith(edge) and not self._in_name(end - 1):
                    end, moved = end - len(edge), True
                if moved:
                    break
        return Span(start, end) if start < end else None

    def _noted(self, span: Span) -> Span | Clause:
        """Return a stretch, or the question that it holds: "批准预算的人"."""
        if any(k.start <= span.start and span.end <= k.end for k in self._known):
            return span
        if match := _OF_PERSON.match(self._text[span.start : span.end]):
            end = span.start + match.end("said")
            inner = _Question(self._text, span.start, end, self._book, self._known)
            return inner.related() or span
        return self._role(span) or span


def _asked(text: str, start: int, end: int) -> Span | None:
    match = ASKS.search(text, start, end)
    return Span(match.start(), match.end()) if match else None
