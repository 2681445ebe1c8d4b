"""Acceptance A: time and change, as statements and as turns, through the public API."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import permutations

import pytest

from graphmem import UNKNOWN, AsOf, InvalidInput, Memory
from graphmem.model import Extraction
from graphmem.temporal import FOREVER
from graphmem.testing import FakeClock

Open = Callable[..., Memory]


def on(month: int, day: int = 1, year: int = 2024) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def held(memory: Memory, relation: str) -> list[tuple[str, datetime, datetime]]:
    """Return every value's subject, object and interval of a relation, at any time."""
    names = {entity.name for entity in memory.entities()}
    rows = [row for name in sorted(names) for row in memory.history(name, relation)]
    return sorted(
        (f"{row.subject}-{row.object}", row.valid.start, row.valid.end)
        for row in rows
        if not row.contested
    )


LEADS = [("Ann", on(3)), ("Ben", on(4)), ("Ann", on(5))]
A_B_A = [
    ("Ann-Atlas", on(3), on(4)),
    ("Ann-Atlas", on(5), FOREVER),
    ("Ben-Atlas", on(4), on(5)),
]


def test_a1_a_value_that_comes_back_has_an_interval_of_its_own(
    memory: Memory, clock: FakeClock
) -> None:
    clock.now = on(6)
    for name, said in LEADS:
        memory.add(f"{name} leads Atlas.", speaker="Cyd", occurred_at=said)

    assert held(memory, "leads") == A_B_A
    (april,) = memory.match(None, "leads", "Atlas", as_of="2024-04-15")
    assert april.subject == "Ben"
    assert [c.quote for c in april.citations] == ["Ben leads Atlas."]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a2_arrival_order_batching_and_a_restart_change_nothing(
    opener: Open, clock: FakeClock, order: tuple[int, ...]
) -> None:
    clock.now = on(6)
    memory = opener("whole")
    told = [LEADS[i] for i in order]
    memory.add_many(
        [{"text": f"{n} leads Atlas.", "speaker": "Cyd", "occurred_at": t} for n, t in told]
    )
    whole = held(memory, "leads")

    memory = opener("apart")
    for name, said in told:
        memory.add(f"{name} leads Atlas.", speaker="Cyd", occurred_at=said)
        memory = opener.restarted(memory, "apart")  # type: ignore[attr-defined]
    assert whole == held(memory, "leads") == A_B_A


def test_a3_values_of_a_relation_with_many_stay_beside_each_other(memory: Memory) -> None:
    memory.assert_fact("benchmark", "tested with", "model A", occurred_at=on(1))
    memory.assert_fact("benchmark", "tested with", "model B", occurred_at=on(2))

    assert [edge.object for edge in memory.edges(as_of="2024-03")] == ["model A", "model B"]


def test_a4_of_ten_values_only_the_current_one_is_found(memory: Memory, clock: FakeClock) -> None:
    clock.now = on(12)
    for number in range(10):
        memory.assert_fact("Ann", "lives in", f"Town {number}", occurred_at=on(1 + number))

    hits = memory.search("Where does Ann live?", kinds=("edge",))
    assert [hit.text for hit in hits] == ["Ann lives in Town 9"]
    assert hits[0].rank == 1
    assert len(memory.history("Ann", "lives in")) == 10


def test_a5_old_logs_keep_their_own_clock(memory: Memory, clock: FakeClock) -> None:
    clock.now = on(6)
    memory.add("Ann leads Atlas.", speaker="Cyd", occurred_at=on(2, year=2023))

    (edge,) = memory.edges()
    assert edge.valid.start == on(2, year=2023)
    assert edge.recorded.start >= on(6)
    assert memory.edges(as_of=AsOf(recorded=on(5))) == []


def test_a7_an_end_closes_the_edge_and_leaves_no_negation(memory: Memory, clock: FakeClock) -> None:
    clock.now = on(6)
    memory.add("Nick drinks tea.", speaker="Cyd", occurred_at=on(2))
    memory.add("Nick stopped drinking tea.", speaker="Cyd", occurred_at=on(4))

    assert memory.edges() == []
    (row,) = memory.history("Nick")
    assert (row.object, row.valid.start, row.valid.end) == ("tea", on(2), on(4))
    assert row.ended_by is not None
    assert row.ended_by.quote == "Nick stopped drinking tea."


@pytest.mark.parametrize("argument", ["valid_from", "valid_to", "occurred_at", "expires_at"])
def test_a8_a_naive_time_is_refused_by_name(memory: Memory, argument: str) -> None:
    naive = datetime(2024, 5, 1, 10)

    with pytest.raises(InvalidInput, match=f"{argument}.*2024-05-01T10:00:00.*time zone"):
        memory.assert_fact("Ann", "lives in", "Rome", **{argument: naive})  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="time zone"):
        memory.edges(as_of=naive)
    with pytest.raises(InvalidInput, match="time zone"):
        memory.add("hello", occurred_at=naive)
    assert memory.groups() == []


def test_a9_the_last_turns_come_by_sequence_at_equal_times(memory: Memory) -> None:
    for number in range(8):
        memory.add(f"note {number}", thread_id="t", occurred_at=on(1))

    last = memory.episodes(threads=["t"], last=5)
    assert [episode.text for episode in last] == [f"note {n}" for n in range(3, 8)]
    assert last == memory.episodes(threads=["t"], last=5)


def test_a10_a_new_name_replaces_the_old_one_and_both_keep_their_words(
    memory: Memory, clock: FakeClock
) -> None:
    clock.now = on(6)
    memory.add("My name is Ada.", speaker="user-1", occurred_at=on(2))
    memory.add("My name is Bea.", speaker="user-1", occurred_at=on(3))

    assert [edge.object for edge in memory.edges()] == ["Bea"]
    rows = memory.history("user-1", "named")
    assert [(row.object, row.citations[0].quote) for row in rows] == [
        ("Ada", "My name is Ada."),
        ("Bea", "My name is Bea."),
    ]


def test_a14_a_plan_holds_from_its_start_and_a_planned_end_until_then(
    memory: Memory, clock: FakeClock
) -> None:
    clock.now = on(2)
    memory.assert_fact("Ann", "lives in", "Rome", occurred_at=on(1))
    memory.assert_fact("Ann", "lives in", "Oslo", occurred_at=on(1, 2), valid_from=on(9))
    memory.end_fact("Ann", "works at", "Acme", occurred_at=on(1, 3), valid_to=on(8))
    memory.assert_fact("Ann", "works at", "Acme", occurred_at=on(1, 1))

    def at(month: int) -> list[str]:
        return [edge.object for edge in memory.edges(as_of=on(month))]

    assert at(3) == ["Rome", "Acme"]
    assert at(8) == ["Rome"]
    assert at(9) == ["Oslo"]


def test_a15_at_the_same_instant_one_wins_and_the_other_is_kept_as_contested(
    opener: Open,
) -> None:
    winners: set[str] = set()
    for number, order in enumerate((("Rome", "Oslo"), ("Oslo", "Rome"))):
        memory = opener(f"m{number}")
        for thread, town in sorted(enumerate(order), key=lambda pair: pair[1]):
            memory.assert_fact(
                "Ann", "lives in", town, occurred_at=on(1), speaker="Ann", thread_id=f"t{town}"
            )
            del thread
        current = [edge.object for edge in memory.edges(as_of=on(2))]
        everything = memory.edges(as_of=on(2), include_contested=True)
        assert len(current) == 1
        assert {(e.object, e.contested) for e in everything} == {
            (current[0], False),
            ("Rome" if current[0] == "Oslo" else "Oslo", True),
        }
        winners.add(current[0])
    assert len(winners) == 1


def test_a16_news_that_comes_late_is_cut_in_and_both_clocks_tell_the_truth(
    memory: Memory, clock: FakeClock
) -> None:
    clock.now = on(6)
    memory.assert_fact("Ann", "leads", "Atlas", occurred_at=on(3))
    memory.assert_fact("Cyd", "leads", "Atlas", occurred_at=on(5))
    clock.now = on(8)
    memory.assert_fact("Ben", "leads", "Atlas", occurred_at=on(4))

    def leader(valid: datetime, recorded: datetime) -> list[str]:
        return [edge.subject for edge in memory.edges(as_of=AsOf(valid, recorded))]

    assert held(memory, "leads") == [
        ("Ann-Atlas", on(3), on(4)),
        ("Ben-Atlas", on(4), on(5)),
        ("Cyd-Atlas", on(5), FOREVER),
    ]
    assert leader(on(4, 15), on(7)) == ["Ann"]
    assert leader(on(4, 15), on(9)) == ["Ben"]
    assert [edge.subject for edge in memory.edges(as_of=AsOf(recorded=on(7)))] == ["Cyd"]


def test_an_undated_turn_never_becomes_now(memory: Memory) -> None:
    receipt = memory.add("Ann leads Atlas.", speaker="Cyd", occurred_at=UNKNOWN)
    memory.assert_fact("Ben", "leads", "Orbit", occurred_at=UNKNOWN)

    assert receipt.extraction is Extraction.DONE
    (episode,) = memory.episodes()
    assert episode.occurred_at is None
    starts = {edge.valid.start.year for edge in memory.edges()}
    assert starts == {1}
