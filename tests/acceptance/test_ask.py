"""Acceptance F7 and A through plain questions: who, where, when, and how do we know."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from graphmem import AsOf, InvalidInput, Memory, Precision
from graphmem.store.sqlite.view import SqliteView


def on(month: int, day: int = 1) -> datetime:
    return datetime(2024, month, day, tzinfo=UTC)


def values(memory: Memory, question: str, as_of: AsOf | datetime | str | None = None) -> list[str]:
    return [answer.value for answer in memory.ask(question, as_of=as_of)]


@pytest.fixture
def memory(opener: Callable[..., Memory]) -> Memory:
    return opener(extractor="none")


@pytest.fixture
def office(memory: Memory) -> Memory:
    """A small office in 2024, told by a record and by two people."""
    for episode, speaker, text, at in (
        ("e1", "Ruth Adeyemi", "I approved the Helios rollout plan.", on(5, 19)),
        ("e2", "Ruth Adeyemi", "I report to Lena Brandt.", on(2)),
    ):
        memory.add(text, episode_id=episode, speaker=speaker, thread_id="ops", occurred_at=at)
    memory.assert_fact(
        "Ruth Adeyemi",
        "approved",
        "Helios rollout plan",
        episode_id="e1",
        quote="I approved the Helios rollout plan.",
    )
    memory.assert_fact(
        "Ruth Adeyemi",
        "reports to",
        "Lena Brandt",
        episode_id="e2",
        quote="I report to Lena Brandt.",
    )
    memory.assert_many(
        [
            {"subject": "Ann", "relation": "leads", "object": "Atlas", "occurred_at": on(3)},
            {"subject": "Ben", "relation": "leads", "object": "Atlas", "occurred_at": on(4)},
            {"subject": "Ann", "relation": "leads", "object": "Atlas", "occurred_at": on(5)},
            {"subject": "Lena Brandt", "relation": "lives in", "object": "Lisbon"},
            {"subject": "the board", "relation": "approved", "object": "Atlas budget"},
            {"subject": "Ruth Adeyemi", "relation": "audits", "object": "Atlas"},
            {"subject": "Ann", "relation": "married to", "object": "Cem"},
        ]
    )
    return memory


def test_f7_who_approved_it_with_interval_and_quote(office: Memory) -> None:
    (answer,) = office.ask("Who approved the Helios rollout plan?")

    assert (answer.value, answer.relation) == ("Ruth Adeyemi", "approved")
    assert answer.edge.valid.start == on(5, 19)
    assert [(c.quote, c.speaker, c.episode_id) for c in answer.citations] == [
        ("I approved the Helios rollout plan.", "Ruth Adeyemi", "e1")
    ]


def test_f7_an_answer_in_two_hops_names_its_path(office: Memory) -> None:
    question = "Who approved the Helios rollout plan, and who is that person's manager?"

    first, second = office.ask(question)

    assert [first.value, second.value] == ["Ruth Adeyemi", "Lena Brandt"]
    assert [(s.subject, s.relation, s.object) for s in second.path] == [
        ("Ruth Adeyemi", "approved", "Helios rollout plan"),
        ("Ruth Adeyemi", "reports to", "Lena Brandt"),
    ]
    assert [c.quote for s in second.path for c in s.citations] == [
        "I approved the Helios rollout plan.",
        "I report to Lena Brandt.",
    ]


def test_f7_a_nested_question_has_only_the_last_answer(office: Memory) -> None:
    (answer,) = office.ask("Where does the manager of the person who approved the rollout live?")

    assert answer.value == "Lisbon"
    assert [step.value for step in answer.path] == ["Ruth Adeyemi", "Lena Brandt", "Lisbon"]


def test_f7_how_do_we_know(office: Memory) -> None:
    (answer,) = office.ask("How do we know that Ruth approved the Helios rollout plan?")

    assert answer.citations[0].quote == "I approved the Helios rollout plan."
    assert office.ask("How do we know that Lena approved the Helios rollout plan?") == []


def test_f7_what_superseded_it(memory: Memory) -> None:
    memory.assert_fact("NATS", "replaced", "Kafka", occurred_at=on(6))

    assert values(memory, "What superseded Kafka?") == ["NATS"]
    assert values(memory, "What was Kafka replaced by?") == ["NATS"]


def test_a1_who_leads_depends_on_when(office: Memory) -> None:
    assert values(office, "Who leads Atlas?") == ["Ann"]
    assert values(office, "Who leads Atlas?", on(4, 10)) == ["Ben"]
    assert values(office, "Who led Atlas on 10 April 2024?") == ["Ben"]
    assert values(office, "Who led Atlas in 2024?") == ["Ann", "Ben", "Ann"]
    assert values(office, "When did Ann lead Atlas?") == [
        "2024-05-01T00:00:00Z",
        "2024-03-01T00:00:00Z",
    ]


def test_an_explicit_time_wins_over_the_words(office: Memory) -> None:
    assert values(office, "Who led Atlas on 10 April 2024?", on(5, 10)) == ["Ann"]


def test_what_was_not_yet_believed_is_no_answer(office: Memory) -> None:
    before = AsOf(valid=on(6), recorded=datetime(2024, 1, 1, tzinfo=UTC))

    assert values(office, "Who leads Atlas?", before) == []


def test_a_time_is_told_as_exactly_as_it_is_known(memory: Memory) -> None:
    memory.assert_fact("Ann", "joined", "Acme", valid_from="2024-05", occurred_at=on(6))

    (answer,) = memory.ask("When did Ann join Acme?")

    assert (answer.value, answer.edge.start_precision) == ("2024-05", Precision.MONTH)


def test_what_nobody_said_has_no_answer(office: Memory) -> None:
    for question in (
        "Who approved the purchase of a submarine?",
        "Who approved the Borealis rollout plan?",
        "Who leads Helios?",
        "Who does Cem report to, and where does that person live?",
        "What is the meaning of life?",
    ):
        assert office.ask(question) == [], question


def test_the_first_part_is_answered_when_the_second_cannot_be(office: Memory) -> None:
    assert values(office, "Who leads Atlas, and who is their manager?") == ["Ann"]


def test_a_name_in_part_names_all_that_it_may_mean(office: Memory) -> None:
    office.assert_fact("Priya", "approved", "Helios budget", occurred_at=on(6))

    assert values(office, "Who approved the budget?") == ["the board", "Priya"]
    assert values(office, "Who approved the rollout?") == ["Ruth Adeyemi"]


def test_a_relation_that_nobody_declared_is_understood(office: Memory) -> None:
    assert values(office, "Who audits Atlas?") == ["Ruth Adeyemi"]
    assert values(office, "What does Ruth Adeyemi audit?") == ["Atlas"]


def test_a_symmetric_relation_is_read_either_way(office: Memory) -> None:
    assert values(office, "Who is Cem married to?") == ["Ann"]
    assert values(office, "Who is married to Ann?") == ["Cem"]


def test_how_two_things_hang_together(office: Memory) -> None:
    assert values(office, "How are Atlas and Ruth Adeyemi related?") == ["audits"]


def test_chinese_and_english_ask_the_same_facts(office: Memory) -> None:
    office.assert_fact("陈薇", "批准", "样机预算", occurred_at=on(6))

    assert values(office, "谁批准了样机预算？") == ["陈薇"]
    assert values(office, "Who approved 样机预算?") == ["陈薇"]
    assert values(office, "谁领导 Atlas？") == ["Ann"]


@pytest.mark.parametrize("name", ['O"Brien', "x' OR 1=1; --", "a|b|c", "🚀 Rocket", "(x AND y)~2"])
def test_b8_odd_names_are_found(memory: Memory, name: str) -> None:
    memory.assert_fact(name, "leads", "Atlas", occurred_at=on(3))

    assert values(memory, f"What does {name} lead?") == ["Atlas"]


def test_groups_never_answer_for_each_other(office: Memory) -> None:
    office.assert_fact("Mallory", "leads", "Zeus", group_id="other", occurred_at=on(3))

    assert values(office, "Who leads Zeus?") == []
    assert [a.value for a in office.ask("Who leads Zeus?", group_id="other")] == ["Mallory"]
    assert office.ask("Who leads Atlas?", group_id="other") == []


def test_settings_do_not_leak_between_questions(office: Memory) -> None:
    office.ask("Who led Atlas in 2024?", as_of="2024-04", limit=1)

    assert values(office, "Who leads Atlas?") == ["Ann"]


def test_a_question_must_ask_something(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="nothing is asked"):
        memory.ask(" \n")
    with pytest.raises(InvalidInput, match="limit 0"):
        memory.ask("Who leads Atlas?", limit=0)


def test_a_hop_is_one_read_however_many_answers(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [f"Person {number}" for number in range(30)]
    memory.assert_many(
        {"subject": p, "relation": "works at", "object": "Acme", "occurred_at": on(3)}
        for p in people
    )
    memory.assert_many(
        {"subject": p, "relation": "lives in", "object": f"City {p}", "occurred_at": on(3)}
        for p in people
    )
    reads: list[str] = []
    for name in ("edges", "evidence", "named"):
        method = getattr(SqliteView, name)

        def counted(
            self: object, *args: object, name: str = name, method: object = method
        ) -> object:
            reads.append(name)
            assert callable(method)
            return method(self, *args)

        monkeypatch.setattr(SqliteView, name, counted)

    found = memory.ask("Who works at Acme, and where do they live?", limit=100)

    assert len(found) == 60
    assert reads in ([], ["named", "edges", "edges", "evidence"])  # none: not this kind of store
