"""What was decided afterwards, and what expires."""

from dataclasses import replace
from datetime import timedelta

import pytest

from graphmem.conclude import Slot, conclude, timeline
from graphmem.model import Assertion, Authority, Ruling, RulingKind
from graphmem.temporal import FOREVER, Interval
from graphmem.testing.records import ruling
from tests.conclude.ticks import (
    ASSISTANT,
    CATALOG,
    EPOCH,
    RECORD,
    Memory,
    Spans,
    denies,
    ends,
    say,
    spans,
)

SLOT = Slot(("lives in",), ("ann",), ())
HOUR = timedelta(hours=1)
PARIS, ROME = say(10, "paris", id="p"), say(12, "rome", id="r")


def after(*rulings: Ruling, rows: tuple[Assertion, ...] = (PARIS, ROME)) -> dict[str, Spans]:
    return spans(conclude(rows, rulings, CATALOG, SLOT, at=EPOCH))


@pytest.mark.parametrize("kind", [RulingKind.RETRACT, RulingKind.QUARANTINE])
def test_what_was_taken_out_takes_no_part(kind: RulingKind) -> None:
    assert after(ruling("1", "r", kind=kind)) == {"paris": [(10, None)]}


def test_a_retracted_end_and_a_retracted_denial_take_no_part() -> None:
    end, denial = ends(20, "rome", id="e"), denies(20, "rome", id="d")

    assert after(ruling("1", "e", "d"), rows=(ROME, end, denial)) == {"rome": [(12, None)]}


def test_a_ruling_about_an_episode_is_about_all_that_it_states() -> None:
    rows = tuple(replace(row, episode_id="turn") for row in (PARIS, ROME))

    assert after(ruling("1", "turn"), rows=rows) == {}


def test_the_latest_ruling_wins_whatever_it_names() -> None:
    rows = (PARIS, replace(ROME, episode_id="turn"))
    out = ruling("1", "turn", recorded_from=EPOCH)
    admitted = ruling(
        "2", "r", kind=RulingKind.ADMIT, authority=Authority.EDIT, recorded_from=EPOCH + HOUR
    )
    again = ruling("3", "turn", recorded_from=EPOCH + 2 * HOUR)

    cut = {"paris": [(10, 12)], "rome": [(12, None)]}
    assert after(admitted, out, rows=rows) == cut
    assert after(again, admitted, out, rows=rows) == {"paris": [(10, None)]}


def test_of_rulings_recorded_at_once_the_greater_id_wins() -> None:
    out = ruling("1", "r", recorded_from=EPOCH)
    admitted = ruling("2", "r", kind=RulingKind.ADMIT, recorded_from=EPOCH)

    assert after(out, admitted) == after(admitted, out) == after()


def test_an_admitted_statement_takes_its_place_with_the_admitters_authority() -> None:
    guess = say(11, "oslo", by=ASSISTANT, id="g")
    rows = (PARIS, ROME, guess)
    admitted = ruling("1", "g", kind=RulingKind.ADMIT, authority=Authority.PERSON)

    assert "oslo" not in after(rows=rows)
    assert after(admitted, rows=rows) == {
        "paris": [(10, 11)],
        "oslo": [(11, 12)],
        "rome": [(12, None)],
    }


def test_a_pinned_statement_is_never_cut() -> None:
    assert after(ruling("1", "p", kind=RulingKind.PIN)) == {"paris": [(10, None)]}


def test_among_pinned_words_of_one_instant_a_person_comes_before_a_record() -> None:
    pin = ruling("1", "a", "b", kind=RulingKind.PIN)
    rows = (say(10, "x", id="a"), say(10, "y", by=RECORD, id="b"))

    assert after(pin, rows=rows) == {"x": [(10, None)]}


def test_rulings_about_identity_leave_earlier_ones_in_force() -> None:
    out = ruling("1", "r", recorded_from=EPOCH)
    moved = ruling("2", "r", kind=RulingKind.REASSIGN, recorded_from=EPOCH + HOUR)

    assert after(out, moved) == {"paris": [(10, None)]}


def expiring(row: Assertion, hours: int) -> Assertion:
    return replace(row, expires_at=EPOCH + hours * HOUR)


def test_an_expired_statement_concludes_nothing_but_still_stops_others() -> None:
    rows = (PARIS, expiring(ROME, 1))

    assert spans(conclude(rows, (), CATALOG, SLOT, at=EPOCH)) == {
        "paris": [(10, 12)],
        "rome": [(12, None)],
    }
    assert spans(conclude(rows, (), CATALOG, SLOT, at=EPOCH + HOUR)) == {"paris": [(10, 12)]}


def test_a_timeline_knows_when_each_conclusion_goes() -> None:
    rows = (PARIS, expiring(ROME, 1))
    found = [(held, c.object_id) for held, c in timeline(rows, (), CATALOG, SLOT, now=EPOCH)]

    assert found == [
        (Interval(EPOCH, FOREVER), "paris"),
        (Interval(EPOCH, EPOCH + HOUR), "rome"),
    ]


def test_a_conclusion_that_outlives_one_of_its_words_is_not_split() -> None:
    soon = replace(PARIS, id="q", fact="soon gone"), replace(PARIS, id="s", fact="gone later")
    rows = (expiring(soon[0], 1), PARIS, expiring(soon[1], 2))
    ((held, conclusion),) = timeline(rows, (), CATALOG, SLOT, now=EPOCH)

    assert held == Interval(EPOCH, FOREVER)
    assert conclusion.evidence == ("p", "q", "s")
    assert conclusion.fact == PARIS.fact


def test_a_conclusion_shrinks_when_the_earlier_word_expires() -> None:
    rows = (expiring(PARIS, 1), say(20, "paris"))
    found = [
        (held.end, *spans([c])["paris"]) for held, c in timeline(rows, (), CATALOG, SLOT, now=EPOCH)
    ]

    assert found == [(EPOCH + HOUR, (10, None)), (FOREVER, (20, None))]


def test_what_expires_later_is_gone_without_another_write() -> None:
    memory = Memory()
    memory.tell(PARIS, expiring(ROME, 1), at=EPOCH)

    assert spans(memory.believed(EPOCH + HOUR / 2))["rome"] == [(12, None)]
    assert "rome" not in spans(memory.believed(EPOCH + HOUR))


def test_an_expiring_word_told_again_for_good_stays() -> None:
    memory = Memory()
    memory.tell(expiring(ROME, 1), at=EPOCH)
    memory.tell(replace(ROME, id="r2"), at=EPOCH + HOUR / 2)

    assert spans(memory.believed(EPOCH + 2 * HOUR)) == {"rome": [(12, None)]}
    assert spans(memory.believed(EPOCH + HOUR / 4)) == {"rome": [(12, None)]}
