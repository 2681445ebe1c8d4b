"""Commands that read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from graphmem import Authority, Memory

Run = Callable[..., Result]
READS = [
    ("search", "Atlas", "--channel", "lexical"),
    ("ask", "Who leads Atlas?"),
    ("history", "Atlas", "led by"),
    ("edges",),
    ("status",),
    ("check",),
]
READING = pytest.mark.parametrize("command", READS, ids=lambda command: command[0])


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@READING
def test_a_store_that_is_not_there_is_an_error_and_is_not_made(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    result = run(*command)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: there is no store at 'memory.db' to read\n"
    assert list(tmp_path.iterdir()) == []


@READING
def test_a_file_of_another_kind_is_refused_and_left_alone(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "memory.db"
    file.write_bytes(b"not a store, but somebody's text\n" * 100)

    result = run(*command)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert file.read_bytes() == b"not a store, but somebody's text\n" * 100


@READING
def test_an_empty_store_is_no_error(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    Memory.open(f"sqlite:{tmp_path / 'memory.db'}", embedder=None).close()

    assert run(*command).exit_code == (4 if command[0] == "ask" else 0)


@READING
@pytest.mark.usefixtures("store")
def test_json_is_one_object_a_line(run: Run, command: tuple[str, ...]) -> None:
    result = run(*command, "--json")

    assert result.exit_code == 0
    assert documents(result)
    assert not re.search(r"vector_|embedding", result.stdout)


@READING
@pytest.mark.usefixtures("store")
def test_reading_changes_nothing(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    before = (tmp_path / "memory.db").read_bytes()

    run(*command)

    assert (tmp_path / "memory.db").read_bytes() == before


@pytest.mark.usefixtures("store")
def test_an_answer_shows_value_fact_time_and_quote(run: Run) -> None:
    result = run("ask", "Who leads Atlas?")

    assert result.stdout.splitlines() == [
        "Ben",
        "  Ben -leads-> Atlas  [2024-04-01T00:00:00Z, ...)",
        "    Ruth Adeyemi: Ben leads Atlas.  (2024-04-01T00:00:00Z)",
    ]


@pytest.mark.usefixtures("store")
def test_f7_an_answer_in_two_hops_has_its_path(run: Run) -> None:
    question = "Who approved the rollout, and who is that person's manager?"

    first, second = documents(run("ask", question, "--json"))

    assert [first["value"], second["value"]] == ["Ruth Adeyemi", "Lena Brandt"]
    assert [step["edge"]["relation"] for step in second["path"]] == ["approved", "manages"]
    assert first["path"][0]["edge"]["valid_from"] == "2024-05-19T00:00:00Z"
    assert first["path"][0]["citations"][0]["episode_id"] == "e1"
    assert second["path"][1]["citations"][0]["quote"] == "Lena Brandt manages Ruth Adeyemi."


@pytest.mark.usefixtures("store")
def test_no_answer_says_so_with_what_comes_nearest(run: Run) -> None:
    result = run("ask", "Who approved the purchase of a submarine?")

    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith("no answer\n")
    assert "Helios rollout plan" in result.stderr


@pytest.mark.usefixtures("store")
def test_reads_are_made_as_of_both_times(run: Run) -> None:
    then = run("ask", "Who leads Atlas?", "--as-of", "2024-03-10")
    unknown = run("ask", "Who leads Atlas?", "--recorded-as-of", "2024-03-10")

    assert then.stdout.startswith("Ann\n")
    assert (unknown.exit_code, unknown.stdout) == (4, "")
    assert run("edges", "--as-of", "2023").stdout == ""
    assert "Ann -leads-> Atlas" in run("edges", "--as-of", "2024-03-10").stdout
    assert run("history", "Ann", "--recorded-as-of", "2023").stdout == ""
    assert run("search", "Atlas", "--as-of", "2023").stdout == ""


@pytest.mark.parametrize("option", ["--as-of", "--recorded-as-of"])
@pytest.mark.parametrize("time", ["yesterday", "2024-03-10T10:00:00", "0000", ""])
@pytest.mark.usefixtures("store")
def test_a_time_that_cannot_be_read_is_a_usage_error(run: Run, option: str, time: str) -> None:
    result = run("ask", "Who leads Atlas?", option, time)

    assert (result.exit_code, result.stdout) == (2, "")
    assert option in result.stderr


@pytest.mark.usefixtures("store")
def test_history_tells_why_each_value_ended(run: Run) -> None:
    result = run("history", "Atlas", "led by")

    assert result.stdout.splitlines() == [
        "Ann -leads-> Atlas  [2024-03-01T00:00:00Z, 2024-04-01T00:00:00Z)  superseded by Ben",
        "    Ruth Adeyemi: Ann leads Atlas.  (2024-03-01T00:00:00Z)",
        "    because: Ruth Adeyemi: Ben leads Atlas.  (2024-04-01T00:00:00Z)",
        "Ben -leads-> Atlas  [2024-04-01T00:00:00Z, ...)",
        "    Ruth Adeyemi: Ben leads Atlas.  (2024-04-01T00:00:00Z)",
    ]
    assert [row["ending"] for row in documents(run("history", "Atlas", "led by", "--json"))] == [
        "superseded",
        None,
    ]


@pytest.mark.usefixtures("store")
def test_contested_facts_are_marked_and_only_shown_on_request(run: Run, store: str) -> None:
    with Memory.open(store, group_id="default", embedder=None) as memory:
        memory.assert_fact("Fern", "leads", "Atlas", authority=Authority.ASSISTANT)

    assert "Fern" not in run("edges").stdout
    assert re.search("Fern -leads-> Atlas .* contested\n", run("edges", "--contested").stdout)


@pytest.mark.usefixtures("store")
def test_e1_odd_queries_and_limits(run: Run) -> None:
    assert run("search", "").exit_code == 1
    assert "error: nothing to search for" in run("search", "  ").stderr
    assert run("search", "Atlas", "--limit", "0").exit_code == 2
    assert run("search", "Atlas", "--kind", "vectors").exit_code == 2
    assert run("search", "Atlas " * 2000, "--limit", "1").stdout.startswith("1. ")
    for query in ("the of and", "?!… ---", "zebra"):
        result = run("search", query, "--channel", "lexical")
        assert (result.exit_code, result.stdout) == (0, ""), query
        assert result.stderr == "nothing found\n"
    assert run("ask", "").exit_code == 1
    assert run("ask", "Who leads Atlas?", "--limit", "0").exit_code == 2


@pytest.mark.usefixtures("store")
def test_e1_settings_do_not_leak_between_commands(run: Run) -> None:
    before = run("search", "Atlas rollout").stdout
    run("search", "Atlas rollout", "--limit", "1", "--kind", "edge", "--as-of", "2024-03-10")

    assert run("search", "Atlas rollout").stdout == before


@pytest.mark.usefixtures("store")
def test_e6_hits_keep_to_a_budget(run: Run) -> None:
    free = documents(run("search", "Atlas rollout weather", "--json"))
    bound = documents(run("search", "Atlas rollout weather", "--json", "--max-tokens", "10"))

    assert len(free) > len(bound) >= 1
    assert bound == free[: len(bound)]
    assert set(free[0]) == {
        *("rank", "kind", "id", "text", "score", "channels", "parts", "edge", "episode"),
        "citations",
    }


@pytest.mark.usefixtures("store")
def test_e8_a_hit_names_its_source(run: Run) -> None:
    turn = run("search", "weather", "--kind", "episode", "--limit", "1", "--channel", "lexical")
    fact = run("search", "who leads Atlas", "--kind", "edge", "--limit", "1")

    assert re.fullmatch(r"1\. Ann: The weather is fine\.\n    2024-06, talk, ep_\w+\n", turn.stdout)
    assert "Ruth Adeyemi: Ben leads Atlas." in fact.stdout


@pytest.mark.usefixtures("store")
def test_search_is_narrowed_by_thread_speaker_and_kind(run: Run) -> None:
    query = "Helios weather Atlas"
    by_thread = documents(run("search", query, "--json", "--thread", "talk"))
    by_speaker = documents(run("search", query, "--json", "--speaker", "Ann"))
    edges = documents(run("search", query, "--json", "--kind", "edge"))

    assert [hit["text"] for hit in by_thread] == ["The weather is fine."]
    assert [hit["text"] for hit in by_speaker] == ["The weather is fine."]
    assert {hit["kind"] for hit in edges} == {"edge"}


@pytest.mark.usefixtures("store")
def test_d7_groups_never_meet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in READS[:-1]:
        assert "Mallory" not in (result := run(*command)).stdout + result.stderr
        assert "Atlas" not in run(*command, "--group", "other").stdout
    assert run("ask", "Who leads Zeus?").exit_code == 4
    assert run("ask", "Who leads Zeus?", "--group", "other").stdout.startswith("Mallory\n")
    assert run("status", "--group", "nobody", "--json").exit_code == 0
    monkeypatch.setenv("GRAPHMEM_GROUP", "other")
    assert run("ask", "Who leads Zeus?").stdout.startswith("Mallory\n")
    assert run("ask", "Who leads Atlas?", "--group", "default").stdout.startswith("Ben\n")


@pytest.mark.parametrize("group", ["", " ", "a\nb", "x" * 1001])
@pytest.mark.usefixtures("store")
def test_d8_a_group_that_cannot_be_is_refused(run: Run, group: str) -> None:
    result = run("edges", "--group", group)

    assert result.exit_code == 1
    assert result.stderr.startswith("error: group_id ")


@pytest.mark.parametrize("group", ["my-team", "a b", "组", "x' OR 1=1", "y" * 300])
@pytest.mark.usefixtures("store")
def test_d8_any_other_group_works(run: Run, group: str) -> None:
    assert run("add", "Hello there", "--group", group, "--extractor", "none").exit_code == 0
    assert "Hello there" in run("search", "hello", "--group", group).stdout


@pytest.mark.usefixtures("store")
def test_the_store_may_be_named_by_option_or_environment(
    run: Run, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert run("edges").exit_code == 1
    assert run("edges", "--store", store).exit_code == 0
    assert run("edges", "--store", "nonsense").stderr.startswith("error: cannot open 'nonsense'")
    monkeypatch.setenv("GRAPHMEM_STORE", store)
    assert run("edges").exit_code == 0


def test_check_fails_when_something_is_wrong(
    run: Run, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del store

    def check(_: Memory) -> list[str]:
        return ["3 rows: edges without evidence"]

    monkeypatch.setattr(Memory, "check", check)

    result = run("check")

    assert (result.exit_code, result.stdout) == (1, "3 rows: edges without evidence\n")
    assert documents(run("check", "--json")) == [
        {"ok": False, "problems": ["3 rows: edges without evidence"]}
    ]
