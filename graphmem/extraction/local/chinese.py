"""Chinese sentences to claims, by the catalog's words: subject, words, object."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from graphmem.catalog import Relation, TemporalKind
from graphmem.extraction.local.asserting import direct_speech
from graphmem.extraction.local.characters import IDEOGRAPH, Characters, Match, Pattern
from graphmem.extraction.local.claims import Claims, Triple
from graphmem.extraction.local.names import Name, Namer
from graphmem.extraction.local.scene import End, Value, plain_value
from graphmem.extraction.local.stance import Stance
from graphmem.model import AssertionKind
from graphmem.ports import Claim
from graphmem.temporal.words import TimeSpan, find_times

_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")
_CLAUSE: Final = re.compile(r"[^，,：:]+")
_NOT_SO: Final = re.compile(
    r"[吗嘛呢？?]|谁|什么|哪|几时|是否|是不是|有没有|多少|怎么|为何|为什么|如果|要是|假如|假设"
    r"|万一|如若|否则|可能|也许|或许|大概|应该|希望|但愿|想必|好像|似乎|听说|据说|传言|估计|猜|觉得|认为"
    r"|以为|不知道|不确定|建议我|请(?!假)(?<!申请)"
)
_SAID: Final = re.compile(r"^(?P<who>.{1,12}?)(?:告诉(?:我们?|大家)|说|表示|宣布|提到)(?:过|了)?")
_LEAD: Final = re.compile(
    r"^(?:因为|所以|但是|但|不过|而且|而|然后|另外|并且|同时|顺便说一下|大家好|你好|其实|目前|现在|如今)"
)
_ADVERBS: Final = (
    "从来没有", "从来没", "从未", "从没", "没有", "没", "未", "不再", "再也不", "不用", "不",
    "停止", "曾经", "曾", "以前", "之前", "从前", "过去", "将要", "将", "会", "要",
    "准备", "开始", "现在", "目前", "如今", "已经", "已", "正在", "正", "刚刚", "刚",
    "终于", "正式", "一直", "仍然", "仍", "还", "也", "都", "又", "继续", "才", "就",
    "起", "在", "是", "于", "的", "这个",
)  # fmt: skip
_ENDS: Final = {"不再", "再也不", "不用", "停止"}
_DENIES: Final = {"从来没有", "从来没", "从未", "从没", "没有", "没", "未", "不"}
_OVER: Final = {"曾经", "曾", "以前", "之前", "从前", "过去"}
_AHEAD: Final = {"将要", "将", "会", "要", "准备"}
_SPEAKER: Final = {"我", "我们", "本人", "咱们", "咱", "俺"}
_THIRD: Final = {"他", "她", "他们", "她们"}
_VAGUE: Final = {
    "公司",
    "项目",
    "团队",
    "部门",
    "家",
    "学校",
    "用户",
    "客户",
    "老板",
    "同事",
    "事情",
    "东西",
}
_NOBODY: Final = re.compile(r"^(?:你|您|它|这|那|大家|有人|没人|别人|自己|所有|每|某)|[。！？的了]")
_TAIL: Final = re.compile(r"(?:[了过着的吧啊呢哦啦哈呀]|而已|\s|[。！!；;.~～])+$")
_AND: Final = re.compile(r"、|(?<=\S{2})\s*(?:以及|和|与|及)\s*(?=\S{2})")
_AGENT: Final = re.compile(r"^(?P<theme>.+?)(?:被|由)(?P<agent>.+)$")
_GENERIC: Final = re.compile(r"^(?P<name>[\w.+-]*[A-Za-z0-9])\s*(?:项目|团队|公司|小组)$")
_SUFFIX: Final = re.compile(r"[人者员们性的率量费力部层]")
_LONGEST: Final = 20
_SHORT: Final = 4


class _Clause(NamedTuple):
    """A clause at an offset, its time words blanked; ``times`` count from its beginning."""

    text: str
    start: int
    times: list[TimeSpan]


class _Subject(NamedTuple):
    text: str
    adverbs: frozenset[str]


def read_chinese(
    characters: Characters, claims: Claims, namer: Namer, text: str
) -> Iterator[Claim]:
    """Yield what the Chinese sentences of a paragraph put forward as so."""
    if not IDEOGRAPH.search(text):
        return
    for sentence in _SENTENCE.finditer(text):
        is_meant = not (_NOT_SO.search(sentence[0]) or direct_speech(sentence[0]))
        if is_meant and IDEOGRAPH.search(sentence[0]):
            yield from _Reader(characters, claims, namer, sentence).read()


@dataclass(slots=True)
class _Reader:
    """Reads one sentence, clause by clause; a clause without a subject has that of the last."""

    characters: Characters
    claims: Claims
    namer: Namer
    sentence: re.Match[str]
    subjects: list[Name] = field(default_factory=list[Name])
    times: list[TimeSpan] = field(default_factory=list[TimeSpan])

    def read(self) -> Iterator[Claim]:
        said = self.claims.episode.occurred_at
        for match in _CLAUSE.finditer(self.sentence[0]):
            times = find_times(match[0], said)
            text = match[0]
            for span in times:
                text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
            if not text.strip():
                self.times = times  # "从三月起，..." belongs to what follows
                continue
            clause = _Clause(text, self.sentence.start() + match.start(), times + self.times)
            yield from self._clause(clause)

    def _clause(self, clause: _Clause) -> Iterator[Claim]:
        reported = _SAID.match(clause.text)
        skipped = reported.end() if reported else 0
        body = clause.text[skipped:]
        found = self.characters.find(body) or self._called(body)
        if found is None:
            return
        clause = _Clause(body, clause.start + skipped, clause.times)
        subject, adverbs = _split(body[: found.start])
        for one, other in self._ends(clause, found, subject):
            stance = _stance(found.pattern.sense.relation, adverbs, body)
            if self._lies_ahead(clause.times) and stance.tense == "past":
                stance = replace(stance, tense="future")
            if reported:
                stance = replace(stance, trust=0.6)
            yield from self._claim(clause, found, one, other, stance)

    def _lies_ahead(self, times: Sequence[TimeSpan]) -> bool:
        said = self.claims.episode.occurred_at
        return said is not None and any(span.at.instant > said for span in times)

    def _called(self, body: str) -> Match | None:
        """Read "我叫王芳", which no catalog name says."""
        sense, at = self.characters.sense("名叫"), body.find("叫")
        if sense is None or body[:at].strip() not in _SPEAKER | _THIRD:
            return None
        return Match(Pattern("叫", "", sense), at, at + 1, len(body))

    def _ends(self, clause: _Clause, found: Match, subject: str) -> Iterator[tuple[Name, End]]:
        """Yield the name before the words with each name, or the value, after them."""
        passive = _AGENT.match(subject)
        words = clause.text[found.object_start : found.object_end]
        if passive and not _cleaned(words):
            agent = self._name(passive["agent"], clause.start)
            theme = self._name(passive["theme"], clause.start)
            if agent and theme:
                yield agent, theme
            return
        if subject:
            parts = (self._name(part, clause.start) for part in _AND.split(subject))
            self.subjects = [name for name in parts if name]
        for who in self.subjects if _is_plain(found, subject, words) else ():
            for end in self._objects(clause, found, words):
                yield who, end

    def _objects(self, clause: _Clause, found: Match, words: str) -> Iterator[End]:
        start, sense = found.object_start, found.pattern.sense
        if sense.relation.object_kind == "value" and not sense.inverted:
            dated = [t for t in clause.times if start <= t.start < found.object_end]
            for span in dated[:1]:
                clause.times.remove(span)
                text = self.claims.episode.text  # the time words themselves were blanked
                at = self.namer.offset + clause.start
                shown = text[at + span.start : at + span.end]
                yield Value(
                    span.at.instant, shown, clause.start + span.start, clause.start + span.end
                )
            value = plain_value(_cleaned(words), 0, len(_cleaned(words)))
            if value and not dated:
                yield value
            return
        for part in _AND.split(_cleaned(words)):
            if name := self._name(part, clause.start + start):
                yield name

    def _name(self, text: str, at: int) -> Name | None:
        text = text.strip(" 　")
        if text in _SPEAKER:
            speaker = self.namer.speaker
            return Name(speaker, at, at, True, "PERSON", first=True) if speaker else None
        if text in _THIRD:
            known = self.namer.antecedent(at)
            return Name(known, at, at, True, "PERSON", resolved=True) if known else None
        if generic := _GENERIC.match(text):
            text = generic["name"]
        if not text or len(text) > _LONGEST or text in _VAGUE or _NOBODY.search(text):
            return None
        return Name(text, at, at + len(text), proper=True)

    def _claim(
        self, clause: _Clause, found: Match, one: Name, other: End, stance: Stance
    ) -> Iterator[Claim]:
        sense = found.pattern.sense
        subject, object = (other, one) if sense.inverted else (one, other)
        if not isinstance(subject, Name) or subject.text == object.text:
            return
        self.namer.learn(sense.relation, subject, object if isinstance(object, Name) else None)
        claim = self.claims.claim(
            Triple(subject, sense.relation, sense.relation.name, object),
            stance,
            clause.times,
            self.namer.offset + self.sentence.start(),
            self.namer.offset + self.sentence.end(),
            fact=_fact(found.pattern, one, other, stance.kind),
        )
        if claim is not None:
            yield claim


def _split(text: str) -> _Subject:
    """Part a subject from the adverbs after it: "Ann已经不再" is Ann, no longer."""
    text, adverbs = _LEAD.sub("", text.strip()).strip(), set[str]()
    while found := next((word for word in _ADVERBS if text.endswith(word)), None):
        adverbs.add(found)
        text = text.removesuffix(found).strip()
    return _Subject(text, frozenset(adverbs))


def _cleaned(words: str) -> str:
    return _TAIL.sub("", words.strip().lstrip("了过着: ")).strip()


def _is_plain(found: Match, subject: str, words: str) -> bool:
    """Tell whether the words are the verb itself and not part of a longer word ("负责人")."""
    after = words.strip()
    if _SUFFIX.match(words) and not found.pattern.closing:
        return False
    if len(found.pattern.opening) > 1 or found.pattern.closing:
        return True
    is_known = not subject or subject in _SPEAKER | _THIRD or not IDEOGRAPH.search(subject)
    return is_known and (after[:1].isascii() or len(_cleaned(words)) <= _SHORT)


def _stance(relation: Relation, adverbs: frozenset[str], body: str) -> Stance:
    kind = AssertionKind.AFFIRMS
    if adverbs & _ENDS:
        kind = AssertionKind.ENDS
    elif adverbs & _DENIES:
        is_over = "不" in adverbs and body.rstrip("。！!.；; ").endswith("了")
        kind = AssertionKind.ENDS if is_over else AssertionKind.DENIES
    over = bool(adverbs & _OVER)
    past = over or relation.temporal is TemporalKind.EVENT
    return Stance(
        kind=kind,
        tense="future" if adverbs & _AHEAD else "past" if past else "present",
        begins="开始" in adverbs,
        over=over,
        trust=0.8,
    )


def _fact(pattern: Pattern, one: Name, other: End, kind: AssertionKind) -> str:
    before = {
        AssertionKind.AFFIRMS: "",
        AssertionKind.ENDS: "不再",
        AssertionKind.DENIES: "没有",
    }[kind]
    of = "的" if len(pattern.opening) > 1 and pattern.opening.endswith(("是", "为")) else ""
    return f"{one.text}{of}{before}{pattern.opening}{other.text}{pattern.closing}"
