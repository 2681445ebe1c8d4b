"""Every claim stands on words of its turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.extraction import LocalExtractor
from graphmem.ports import Claim
from graphmem.testing.records import episode

Tell = Callable[..., list[Claim]]

SENTENCES = [
    "Ann leads Atlas.",
    "I moved to Oslo last week!",
    "Hmm, who leads it?",
    "Ben left Acme in March and joined Beta.",
    "`Mina` reports to **Lena**.",
    "我在Acme工作。",
    "😀 Tom drinks tea",
    "> quoted",
    "Zoë’s manager is Björn.",
]
slow = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@slow
@given(
    parts=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5),
    gap=st.sampled_from([" ", "\n", "\n\n", "  ", "\r\n"]),
)
def test_a_quote_is_the_text_at_its_offsets(tell: Tell, parts: list[str], gap: str) -> None:
    text = gap.join(parts)

    for claim in tell(text):
        quote = claim.quote
        assert quote.text == text[quote.start : quote.end] != ""
        assert not quote.text[0].isspace()
        assert not quote.text[-1].isspace()


@slow
@given(text=st.text(max_size=120))
def test_any_text_can_be_read(tell: Tell, text: str) -> None:
    for claim in tell(text):
        assert claim.quote.text == text[claim.quote.start : claim.quote.end]


def test_the_quote_is_the_sentence(tell: Tell) -> None:
    (claim,) = tell("Morning! Ann leads Atlas now, by the way. See you.")

    assert claim.quote.text == "Ann leads Atlas now, by the way."


def test_a_statement_made_twice_in_a_turn_is_one_claim(tell: Tell) -> None:
    assert len(tell("Ann leads Atlas. Yes, Ann leads Atlas.")) == 1


def test_claims_come_in_the_order_of_turns(extractor: LocalExtractor) -> None:
    from graphmem.catalog import Catalog

    texts = ["Ann leads Atlas.", "hello", "我在Acme工作。", "Ben left Acme. Tom drinks tea."] * 40
    turns = [episode(f"e{n}", sequence=n, text=text) for n, text in enumerate(texts)]

    claims = list(extractor.extract(turns, {}, Catalog.builtin()))
    order = [int(claim.episode_id[1:]) for claim in claims]
    assert order == sorted(order)
    assert len(order) == 160


@pytest.mark.parametrize("length", [30_000])
def test_a_long_document_is_read_whole(tell: Tell, length: int) -> None:
    filler = "The weather was fine and nobody said a word about it. "
    text = filler * (length // len(filler)) + "Ann leads Atlas."

    assert [claim.fact for claim in tell(text)] == ["Ann leads Atlas"]
