from graphmem.model import Hit, HitKind
from graphmem.retrieval import within_budget


def hit(text: str) -> Hit:
    return Hit(text, HitKind.EDGE, text, 1, 1.0, {}, {}, "g", None, None, ())


def kept(max_tokens: int, *texts: str) -> list[str]:
    return [one.text for one in within_budget([hit(text) for text in texts], max_tokens)]


def test_hits_stop_before_the_budget_is_passed() -> None:
    assert kept(2, "four", "four", "four") == ["four", "four"]
    assert kept(1, "five!", "a") == ["five!"]


def test_other_scripts_count_by_the_character() -> None:
    assert kept(4, "北京", "北京", "北") == ["北京", "北京"]


def test_the_first_hit_always_stays() -> None:
    assert kept(0, "long text", "more") == ["long text"]
    assert kept(9) == []
