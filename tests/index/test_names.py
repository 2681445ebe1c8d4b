from graphmem.index import words
from graphmem.index.names import Names
from graphmem.temporal import Interval
from graphmem.testing.records import day, entity


def known(*names: tuple[str, ...]) -> Names:
    found = Names()
    for number, (name, *aliases) in enumerate(names):
        found.put(entity(str(number), name, aliases=aliases))
    return found


def named(names: Names, question: str) -> list[str]:
    ids = list(names.numbers)
    return [ids[number] for number in names.named(words(question))]


def test_the_longest_name_wins() -> None:
    names = known(("Ann",), ("Ann Lee",), ("Lee",))

    assert named(names, "Did Ann Lee meet Lee?") == ["1", "2"]


def test_aliases_and_other_scripts_name_too() -> None:
    names = known(("Robert Smith", "Bob"), ("王小明",), ("SR-2023-052",))

    assert named(names, "bob's file SR-2023-052, 王小明喜欢什么") == ["0", "2", "1"]


def test_a_stop_word_alone_names_nobody() -> None:
    names = known(("Will",), ("The Who",))

    assert named(names, "Will you hear the Who?") == ["1"]


def test_namesakes_are_all_meant() -> None:
    assert named(known(("Ann",), ("Ann",)), "Ann?") == ["0", "1"]


def test_the_later_recorded_row_counts_in_any_order() -> None:
    old = entity("x", "Ann", recorded=Interval(day(1)))
    new = entity("x", "Anna", recorded=Interval(day(2)))
    for rows in ((old, new), (new, old)):
        names = Names()
        for row in rows:
            names.put(row)
        assert (named(names, "Ann"), named(names, "Anna")) == ([], ["x"])
