import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphmem.index.top import top


@given(
    st.lists(st.tuples(st.sampled_from([0.5, 1.0, 2.0]), st.booleans()), max_size=30),
    st.integers(1, 40),
)
def test_ties_share_a_rank_and_stand_by_id(rows: list[tuple[float, bool]], limit: int) -> None:
    ids = [f"{(7 * row) % 31:02}" for row in range(len(rows))]
    scores, found = (np.array([row[part] for row in rows]) for part in (0, 1))
    chosen = [row for row, (_, use) in enumerate(rows) if use]
    expected = sorted(chosen, key=lambda row: (-rows[row][0], ids[row]))[:limit]

    asked = np.flatnonzero(found)
    best = top(asked, scores.astype(np.float64)[asked], ids, limit)
    assert best.rows.tolist() == expected
    for row, rank in zip(expected, best.ranks.tolist(), strict=True):
        assert rank == 1 + sum(rows[other][0] > rows[row][0] for other in chosen)
