"""Questions to patterns: a pure function of words, catalog and names."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

import pytest

from graphmem.catalog import Cardinality, Catalog, Relation, TemporalKind
from graphmem.index import name_key
from graphmem.retrieval import Hop, Plan, Wanted, plan
from graphmem.retrieval.naming import Mention, resembling

NOW = datetime(2025, 10, 20, tzinfo=UTC)
NAMES = [
    "Helios", "Helios rollout", "Helios budget", "Atlas", "Orbit", "Kestrel gateway", "event bus",
    "Tomas Lindqvist", "Priya Nair", "Lena Brandt", "Ruth Adeyemi", "Marco Ferri", "Kelpie Labs",
    "Northfern", "Lisbon", "dark theme", "陈薇", "何俊", "样机预算", "杭州", "Use Case Library",
    "C++", "O'Brien's", "a|b",
]  # fmt: skip
KNOWN = {name_key(name): name for name in NAMES}


def named(keys: Collection[str]) -> dict[str, list[str]]:
    return {key: [f"<{KNOWN[key]}>"] for key in keys if key in KNOWN}


def planned(question: str, catalog: Catalog | None = None) -> Plan:
    return plan(question, catalog=catalog or Catalog.builtin(), named=named, now=NOW)


def end(end: Mention | int | None) -> str:
    if end is None:
        return "?"
    return f"#{end}" if isinstance(end, int) else ",".join(sorted(end.ids)) or f"~{end.text}"


def shown(hop: Hop) -> str:
    """Write a hop in the relation's own direction: ``leads(?, <Atlas>)``."""
    ends = (hop.object, hop.subject) if hop.inverted else (hop.subject, hop.object)
    relation = "/".join(hop.stems) if hop.relation is None else hop.relation.name
    asked = hop.wanted is Wanted.SUBJECT or hop.wanted is Wanted.OBJECT
    wanted = "" if asked else f" {hop.wanted}"
    return f"{relation}({end(ends[0])}, {end(ends[1])}){wanted}{'' if hop.shown else ' hidden'}"


def hops(question: str) -> list[str]:
    return list(map(shown, planned(question).hops))


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("Who approved the Helios budget?", "approved(?, <Helios budget>)"),
        ("Who has approved the helios BUDGET", "approved(?, <Helios budget>)"),
        ("Who signed off on the Helios budget?", "approved(?, <Helios budget>)"),
        ("By whom was the Helios budget approved?", "approved(?, <Helios budget>)"),
        ("Who was the Helios budget approved by?", "approved(?, <Helios budget>)"),
        ("Who is the approver of the Helios budget?", "approved(?, <Helios budget>)"),
        ("Who leads Atlas?", "leads(?, <Atlas>)"),
        ("Who leads the Atlas project?", "leads(?, <Atlas>)"),
        ("Who led Atlas?", "leads(?, <Atlas>)"),
        ("Who is the lead of Atlas?", "leads(?, <Atlas>)"),
        ("Who's Atlas's lead?", "leads(?, <Atlas>)"),
        ("Who is Atlas led by?", "leads(?, <Atlas>)"),
        ("Who is in charge of Atlas?", "leads(?, <Atlas>)"),
        ("Fern, who leads Atlas right now?", "leads(?, <Atlas>)"),
        ("Please tell me who currently leads Atlas", "leads(?, <Atlas>)"),
        ("Which projects does Lena Brandt lead?", "leads(<Lena Brandt>, ?)"),
        ("Where does Tomas Lindqvist work?", "works at(<Tomas Lindqvist>, ?)"),
        ("Who works at Northfern?", "works at(?, <Northfern>)"),
        ("Which people work for Northfern?", "works at(?, <Northfern>)"),
        ("Where does Priya Nair live?", "lives in(<Priya Nair>, ?)"),
        ("In which city does Priya Nair live?", "lives in(<Priya Nair>, ?)"),
        ("Where is Northfern headquartered?", "headquartered in(<Northfern>, ?)"),
        ("Where was Lena Brandt born?", "born in(<Lena Brandt>, ?)"),
        ("When was Lena Brandt born?", "born on(<Lena Brandt>, ?)"),
        ("Where is Lena Brandt from?", "comes from(<Lena Brandt>, ?)"),
        ("Who is from Lisbon?", "comes from(?, <Lisbon>)"),
        ("What does Priya Nair like?", "likes(<Priya Nair>, ?)"),
        ("Who does not like the dark theme?", "dislikes(?, <dark theme>)"),
        ("Who does Ruth Adeyemi report to?", "manages(?, <Ruth Adeyemi>)"),
        ("To whom does Ruth Adeyemi report?", "manages(?, <Ruth Adeyemi>)"),
        ("Who is Ruth Adeyemi's manager?", "manages(?, <Ruth Adeyemi>)"),
        ("Who reports to Lena Brandt?", "manages(<Lena Brandt>, ?)"),
        ("What does Atlas depend on?", "depends on(<Atlas>, ?)"),
        ("What depends on the Kestrel gateway?", "depends on(?, <Kestrel gateway>)"),
        ("What is the deadline for Helios?", "has deadline(<Helios>, ?)"),
        ("When is Helios due?", "has deadline(<Helios>, ?)"),
        ("What is the Atlas budget?", "has budget(<Atlas>, ?)"),
        ("Who maintains the Use Case Library?", "develops(?, <Use Case Library>)"),
        ("Who leads Atlas and Orbit?", "leads(?, <Atlas>,<Orbit>)"),
        ("Where do 陈薇 and 何俊 live?", "lives in(<何俊>,<陈薇>, ?)"),
        ("Who works at Northfern Inc.?", "works at(?, <Northfern>)"),
        ("Is Atlas using C++?", "uses(<Atlas>, <C++>) whether"),
        ("Who likes C++?", "likes(?, <C++>)"),
        ("Who works at O'Brien's?", "works at(?, <O'Brien's>)"),
        ("Who leads a|b?", "leads(?, <a|b>)"),
        ("How long has Marco Ferri led Orbit?", "leads(<Marco Ferri>, <Orbit>) time"),
        ("When was the Helios budget approved?", "approved(?, <Helios budget>) time"),
        ("When did 陈薇 join Kelpie Labs?", "joined(<陈薇>, <Kelpie Labs>) time"),
        ("Is 陈薇 the manager of 何俊?", "manages(<陈薇>, <何俊>) whether"),
        ("Does 何俊 report to 陈薇?", "manages(<陈薇>, <何俊>) whether"),
        ("How do we know that 陈薇 leads Atlas?", "leads(<陈薇>, <Atlas>) whether"),
        ("What was decided about the event bus, and why?", "decided(?, ~event bus)"),
        ("What did the team decide on the event bus?", "decided(?, ~event bus)"),
        ("What did we decide on the event bus?", "decided(?, ~event bus)"),
        ("Who sponsors Atlas?", "sponsor(?, <Atlas>)"),
        ("What does Marco Ferri sponsor?", "sponsor(<Marco Ferri>, ?)"),
        ("How are Priya Nair and Atlas related?", "(<Priya Nair>, <Atlas>) relation"),
        ("What does Priya Nair think of the dark theme?", "(<Priya Nair>, <dark theme>) relation"),
    ],
)  # fmt: skip
def test_an_english_question_is_one_pattern(question: str, pattern: str) -> None:
    assert hops(question) == [pattern]


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        ("谁批准了样机预算？", "approved(?, <样机预算>)"),
        ("样机预算是谁批准的？", "approved(?, <样机预算>)"),
        ("请问，谁批准了样机预算", "approved(?, <样机预算>)"),
        ("event bus由谁负责？", "responsible for(?, <event bus>)"),
        ("现在谁负责 event bus？", "responsible for(?, <event bus>)"),
        ("谁领导 Atlas？", "leads(?, <Atlas>)"),
        ("Atlas 的负责人是谁？", "leads(?, <Atlas>)"),
        ("谁是 Atlas 的负责人？", "leads(?, <Atlas>)"),
        ("陈薇在哪里工作？", "works at(<陈薇>, ?)"),
        ("谁在Northfern工作？", "works at(?, <Northfern>)"),
        ("陈薇住在哪里？", "lives in(<陈薇>, ?)"),
        ("陈薇住哪儿？", "lives in(<陈薇>, ?)"),
        ("陈薇搬到了哪里", "moved to(<陈薇>, ?)"),
        ("陈薇喜欢什么？", "likes(<陈薇>, ?)"),
        ("Atlas 用什么？", "uses(<Atlas>, ?)"),
        ("何俊向谁汇报？", "manages(?, <何俊>)"),
        ("何俊的经理是谁？", "manages(?, <何俊>)"),
        ("Helios 的截止日期是什么时候？", "has deadline(<Helios>, ?)"),
        ("陈薇什么时候搬到杭州的？", "moved to(<陈薇>, <杭州>) time"),
        ("样机预算是什么时候批准的？", "approved(?, <样机预算>) time"),
        ("陈薇在Northfern工作吗？", "works at(<陈薇>, <Northfern>) whether"),
    ],
)
def test_a_chinese_question_is_one_pattern(question: str, pattern: str) -> None:
    assert hops(question) == [pattern]


@pytest.mark.parametrize(
    ("question", "patterns"),
    [
        (
            "Who approved the Helios budget, and who is that person's manager?",
            ["approved(?, <Helios budget>)", "manages(?, #0)"],
        ),
        (
            "who approved the Helios budget and who manages them",
            ["approved(?, <Helios budget>)", "manages(?, #0)"],
        ),
        (
            "Who is the manager of the person who approved the Helios budget?",
            ["approved(?, <Helios budget>) hidden", "manages(?, #0)"],
        ),
        (
            "Where does the person who leads Atlas live?",
            ["leads(?, <Atlas>) hidden", "lives in(#0, ?)"],
        ),
        (
            "Who manages whoever approved the Helios budget?",
            ["approved(?, <Helios budget>) hidden", "manages(?, #0)"],
        ),
        (
            "Who is the manager of the lead of Atlas?",
            ["leads(?, <Atlas>) hidden", "manages(?, #0)"],
        ),
        (
            "Who does the person who leads Atlas report to?",
            ["leads(?, <Atlas>) hidden", "manages(?, #0)"],
        ),
        (
            "Does the lead of Atlas report to Ruth Adeyemi?",
            ["leads(?, <Atlas>) hidden", "manages(<Ruth Adeyemi>, #0) whether"],
        ),
        (
            "Who is 陈薇's manager's manager?",
            ["manages(?, <陈薇>) hidden", "manages(?, #0)"],
        ),
        ("Where does Atlas's lead live?", ["leads(?, <Atlas>) hidden", "lives in(#0, ?)"]),
        ("谁批准了样机预算？他的经理是谁？", ["approved(?, <样机预算>)", "manages(?, #0)"]),
        ("批准样机预算的人住在哪里？", ["approved(?, <样机预算>) hidden", "lives in(#0, ?)"]),
        ("Atlas的负责人的经理是谁？", ["leads(?, <Atlas>) hidden", "manages(?, #0)"]),
        ("Marco Ferri 领导的项目使用什么？", ["leads(<Marco Ferri>, ?) hidden", "uses(#0, ?)"]),
        ("Who leads Atlas? Who leads Orbit?", ["leads(?, <Atlas>)", "leads(?, <Orbit>)"]),
    ],
)
def test_a_question_in_parts_is_a_chain(question: str, patterns: list[str]) -> None:
    assert hops(question) == patterns


@pytest.mark.parametrize(
    "question",
    [
        "?",
        "谁",
        "Who?",
        "Who approved?",
        "Who is Tomas Lindqvist?",
        "Who approved it?",
        "Who used to lead Atlas?",
        "Where did Marco Ferri live before Lisbon?",
        "Who does not sponsor Atlas?",
        "What do Lena Brandt and Ruth Adeyemi both like?",
        "Why does Atlas use Kafka?",
        "How many people work at Northfern?",
        "陈薇为什么搬到杭州？",
        "The weather is fine.",
        "Wo wohnt sie?",
        "who leads Atlas " * 100,
    ],
)
def test_what_is_not_understood_is_no_pattern(question: str) -> None:
    assert hops(question) == []


def test_names_in_part_are_left_to_the_facts() -> None:
    assert hops("Who approved the Atlas budget?") == ["approved(?, ~Atlas budget)"]
    assert hops("What does Priya like?") == ["likes(~Priya, ?)"]


def test_the_longest_name_counts() -> None:
    assert hops("Who approved Helios?") == ["approved(?, <Helios>)"]
    assert hops("Who approved the Helios rollout?") == ["approved(?, <Helios rollout>)"]
    assert hops("Who approved the Helios rollout plan?") == ["approved(?, <Helios rollout>)"]


def test_time_words_say_when_and_are_no_names() -> None:
    may = planned("Who led Atlas in May 2025?")
    day = planned("2025年7月1日谁领导 Atlas？")
    as_of = planned("Who leads Atlas as of 2025-04-10?")
    before = planned("Who led Atlas before 2025-05-05?")
    since = planned("Who has led Atlas since September?")

    assert [shown(hop) for p in (may, day, as_of, before, since) for hop in p.hops] == [
        "leads(?, <Atlas>)"
    ] * 5
    assert may.during is not None
    assert (may.during.start.month, may.during.end.month) == (5, 6)
    assert day.during is not None
    assert day.during.contains(datetime(2025, 7, 1, 12, tzinfo=UTC))
    assert as_of.valid is not None
    assert as_of.valid.date().isoformat() == "2025-04-10"
    assert before.valid is not None
    assert before.valid < datetime(2025, 5, 5, tzinfo=UTC)
    assert (since.valid, since.during) == (None, None)


def test_a_relation_of_ones_own_is_understood_in_any_form() -> None:
    audits = Relation(
        name="audits",
        aliases=("审计",),
        inverse="audited by",
        inverse_aliases=(),
        cardinality=Cardinality.MANY_TO_MANY,
        temporal=TemporalKind.STATE,
        symmetric=False,
        excludes=(),
        begins=(),
        ends=(),
        subject_kind="person",
        object_kind="",
    )
    catalog = Catalog.builtin().extended([audits])

    for question in ("Who audits Atlas?", "Who is auditing Atlas?", "谁审计Atlas？"):
        assert [shown(h) for h in planned(question, catalog).hops] == ["audits(?, <Atlas>)"]
    for question in ("Who is Atlas audited by?", "Who is Atlas's auditor?"):
        assert [shown(h) for h in planned(question, catalog).hops] == ["audits(?, <Atlas>)"]


def test_names_are_looked_up_once() -> None:
    calls: list[int] = []

    def counted(keys: Collection[str]) -> dict[str, list[str]]:
        calls.append(len(keys))
        return named(keys)

    question = "Who approved the Helios budget, and who is that person's manager?"
    plan(question, catalog=Catalog.builtin(), named=counted, now=NOW)

    assert len(calls) == 1


@pytest.mark.parametrize(
    ("mention", "names", "meant"),
    [
        ("Tomas", ["Tomas Lindqvist", "Priya Nair"], ["Tomas Lindqvist"]),
        ("Tomas", ["Tomas Lindqvist", "Tomas Berg"], ["Tomas Berg", "Tomas Lindqvist"]),
        ("rollout", ["Helios rollout plan", "Helios budget"], ["Helios rollout plan"]),
        ("the Helios rollout plan", ["Helios rollout", "Helios budget"], ["Helios rollout"]),
        ("new purchase of sensors", ["purchase of sensors"], ["purchase of sensors"]),
        ("purchase of a submarine", ["purchase of sensors", "purchase"], []),
        ("launch checklist of Borealis", ["launch checklist", "Orbit launch checklist"], []),
        ("SR-2023-052", ["SR-2023-053"], []),
        ("Room 101", ["Room 102", "Room"], []),
        ("Rev A", ["Rev B"], []),
        ("传感器采购", ["新传感器的采购", "样机预算"], ["新传感器的采购"]),
        ("", ["Atlas"], []),
    ],
)
def test_a_name_in_part_means_what_it_may_mean_and_no_more(
    mention: str, names: list[str], meant: list[str]
) -> None:
    found = resembling(Mention(mention), {name: name for name in names})

    assert sorted(found) == meant
