"""Opening, closing, a second handle on the same file, snapshots, and records as they come back."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from threading import Thread

import pytest

from graphmem.catalog import to_json
from graphmem.errors import ReadOnlyStore, StoreClosed
from graphmem.model import (
    Alias,
    Assertion,
    AssertionKind,
    Authority,
    Edge,
    Entity,
    Episode,
    EpisodeKind,
    Evidence,
    Extraction,
    ExtractionState,
    Quote,
    RelationRow,
    Ruling,
    RulingKind,
    Source,
    Support,
    Told,
)
from graphmem.ports import EdgeFilter, EpisodeFilter, Page, SlotQuery, Store
from graphmem.temporal import ALWAYS, FOREVER, Interval, Precision
from graphmem.testing import FakeClock
from graphmem.testing.records import (
    assertion,
    day,
    edge,
    entity,
    episode,
    put,
    request,
    ruling,
)

LIVES_IN = SlotQuery(("lives in",), None, None)


def test_records_come_back_as_they_were_written(store: Store, clock: FakeClock) -> None:
    clock.now = day(5)
    now = Interval(day(5))
    last = datetime(9999, 12, 30, 23, 59, 59, 999999, tzinfo=UTC)
    turn = Episode(
        "e", "g", "t", -(2**40), None, "assistant", EpisodeKind.TOOL_RESULT, "1\r\n\n 2 ", ALWAYS,
        Precision.YEAR, "d", ("Ann", "Ben"), Source("slack", "x/y.json", "17.2"), 3, day(4), "#",
        last, now,
    )  # fmt: skip
    thing = Entity(
        "n", "g", "Ann", "value", (Alias("A", "e"), Alias("", "user")),
        {"type": "number", "value": 0.1, "list": [1, True, None, {"a": "ü"}]}, now,
    )  # fmt: skip
    statement = Assertion(
        "a", "g", "e", "t", 7, "Ann", Quote("q", 2, 3), "n", "r", None, "f", AssertionKind.DENIES,
        ALWAYS, Precision.YEAR, FOREVER, Precision.MONTH, day(1), Authority.EDIT, 1 / 3,
        (Support("s", "r", "o", day(2)), Support("s", "r", "o", None)), "x", last, now,
        Told("s", "t", None),
    )  # fmt: skip
    decision = Ruling(
        "r", "g", RulingKind.ADMIT, ("b", "a"), "why", "who", Authority.PINNED, day(5)
    )
    fact = Edge(
        "d", "g", "n", "r", "o", "Ann", "o", "f", Interval(ALWAYS, last), Precision.DAY,
        Precision.MINUTE, True, Interval(day(5), last),
    )  # fmt: skip
    put(store, turn, thing, statement, decision, fact)
    view = store.view("g")

    assert view.episodes(["e"]) == {"e": turn}
    assert view.entities(["n"]) == {"n": thing}
    assert view.assertions(["a"]) == {"a": statement}
    assert view.rulings(["a"]) == [decision]
    assert view.concluded([SlotQuery(("r",), "n", "o")]) == [fact]


def test_relations_that_a_group_adds_are_in_its_catalog_only(store: Store) -> None:
    builtin = store.view("g").catalog()
    mentors = replace(builtin.resolve("mentors")[0], aliases=("coaches",))
    put(store, RelationRow("mentors", "{}"))
    put(store, RelationRow("mentors", to_json(mentors)))

    assert store.view("g").catalog().resolve("coaches") == (mentors, False)
    assert store.view("h").catalog().relations == builtin.relations


def test_a_view_does_not_see_later_writes(store: Store, clock: FakeClock) -> None:
    clock.step = timedelta(0)
    put(
        store,
        *(episode("e", text="old"), entity("ann", "Ann"), entity("rome"), assertion("a")),
        *(edge("d"), Evidence("d", "a"), ruling("r", "a")),
    )
    view = store.view("g")

    def read() -> list[object]:
        return [
            [e.text for e in view.find_episodes(EpisodeFilter(FOREVER), Page(9))],
            [e.text for e in view.latest(EpisodeFilter(FOREVER), 9)],
            [e.text for e in (*view.thread("t"), *view.episodes(["e", "f"]).values())],
            view.threads(Page(9)),
            [e.name for e in view.find_entities(Page(9))],
            [a.id for a in view.stated([LIVES_IN])],
            sorted(view.assertions(["a", "b"])),
            [e.id for e in view.concluded([LIVES_IN])],
            [(e.id, e.subject) for e in view.edges(EdgeFilter(FOREVER))],
            [e.id for e in view.edge_history(EdgeFilter(FOREVER))],
            [a.id for a in view.evidence(["d"])["d"]],
            [r.id for r in view.rulings(["a"])],
        ]

    before = read()
    put(
        store,
        *(episode("e", text="new", version=2), episode("f"), entity("ann", "Zoe"), entity("x")),
        *(assertion("b"), edge("c"), Evidence("d", "b"), ruling("s", "a")),
        close_episodes=("e",),
        close_assertions=("a",),
        close_edges=("d",),
    )

    assert read() == before
    assert [e.name for e in store.view("g").find_entities(Page(9))] == ["Zoe", "rome", "x"]


def test_a_closed_store_refuses_everything_but_closing(store: Store) -> None:
    put(store, entity("e"))
    store.close()
    store.close()

    for use in (
        lambda: put(store, entity("e")),
        lambda: store.view("g"),
        lambda: store.search("g", request(terms=["e"])),
        lambda: store.groups(),
        lambda: store.status(None),
        lambda: store.check(),
        lambda: store.use_model("m", 2),
    ):
        with pytest.raises(StoreClosed):
            use()


def test_a_clock_without_a_time_zone_is_refused_or_read_as_utc_elsewhere(
    store: Store, clock: FakeClock
) -> None:
    clock.now = datetime(2024, 5, 1, 2, tzinfo=timezone(timedelta(hours=2)))

    assert put(store, entity("e")) == datetime(2024, 5, 1, tzinfo=UTC)
    assert store.view("g").entities(["e"])["e"].recorded.start.utcoffset() == timedelta(0)


def test_status_is_json(store: Store) -> None:
    put(store, episode("e"), ExtractionState("e", Extraction.FAILED, "x", "no answer"))

    status = store.status("g")
    assert json.loads(json.dumps(status)) == status
    assert (status["episodes"], status["extraction_failed"]) == (1, 1)


def test_check_finds_evidence_that_leads_nowhere(store: Store) -> None:
    put(store, entity("ann"), entity("rome"), assertion("a"), edge("e"), Evidence("e", "a"))
    assert store.check() == []

    put(store, Evidence("missing", "a"))
    assert len(store.check()) == 1


def test_another_handle_sees_what_was_written(handle: Callable[..., Store]) -> None:
    one, other = handle(), handle()
    assert other.search("g", request(terms=["zebra"])) == []
    put(one, edge("e", fact="zebra"))

    assert [e.id for e in other.view("g").edges(EdgeFilter(FOREVER))] == ["e"]
    assert [c.id for c in other.search("g", request(terms=["zebra"]))] == ["e"]
    assert put(other, edge("f")) > one.view("g").edges(EdgeFilter(FOREVER))[0].recorded.start
    assert [e.id for e in one.view("g").edges(EdgeFilter(FOREVER))] == ["e", "f"]
    assert one.groups() == other.groups() == ["g"]


def test_stamps_increase_across_handles_and_restarts(
    handle: Callable[..., Store], clock: FakeClock
) -> None:
    clock.step = timedelta(0)
    one = handle()
    stamps = [put(one, entity("1")), put(handle(), entity("2"))]
    one.close()
    stamps.append(put(handle(), entity("3")))

    assert stamps == sorted(set(stamps))


def test_what_was_written_is_there_after_a_restart(handle: Callable[..., Store]) -> None:
    first = handle()
    first.use_model("m", 2)
    put(first, edge("e"), assertion("a"))
    first.close()

    assert [a.id for a in handle().view("g").stated([LIVES_IN])] == ["a"]
    assert handle().status(None)["model"] == "m"


def test_a_read_only_handle_reads_and_refuses_writes(handle: Callable[..., Store]) -> None:
    put(handle(), edge("e", fact="zebra"))
    reader = handle(read_only=True)

    with pytest.raises(ReadOnlyStore):
        put(reader, edge("f"))
    assert [e.id for e in reader.view("g").edges(EdgeFilter(FOREVER))] == ["e"]
    assert [c.id for c in reader.search("g", request(terms=["zebra"]))] == ["e"]


def test_handles_that_write_at_once_lose_nothing(handle: Callable[..., Store]) -> None:
    stores = [handle(), handle()]

    def write(n: int) -> None:
        for m in range(25):
            put(stores[n], edge(f"{n} {m}"))

    threads = [Thread(target=write, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    rows = stores[0].view("g").edges(EdgeFilter(FOREVER))
    assert len({e.recorded.start for e in rows}) == len(rows) == 50
