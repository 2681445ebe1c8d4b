"""What the documentation shows is what happens."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
CLI_REFERENCE = DOCS / "cli.md"  # generated, and compared with what generates it
PAGES = [
    page
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    if page.exists() and page != CLI_REFERENCE
]
FENCE = re.compile(r"^```([\w-]*) *([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)[^)]*\)")
ADR_PARTS = ["Status", "Context", "Decision", "Consequences"]

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "GRAPHMEM_DATA", "GRAPHMEM_STORE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def commands(session: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block, and the output shown under it."""
    for part in re.split(r"^\$ ", session.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run_graphmem(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.setattr(sys, "argv", shlex.split(command, comments=True))
    capsys.readouterr()
    code: object = 0
    try:
        import_module("graphmem.cli").run()
    except SystemExit as stopped:
        code = stopped.code
    printed = capsys.readouterr()

    assert not code, f"{command}: exit code {code}\n{printed.out}{printed.err}"
    return printed.out


@pages
def test_every_example_runs_and_prints_what_is_shown(
    page: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": "__main__"}
    same = doctest.OutputChecker().check_output
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for block in FENCE.finditer(text):
        kind, note, code = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if kind == "python" and not note.startswith("no-run: "):
            exec(compile("\n" * line + code, page, "exec"), namespace)
        for command, shown in commands(code) if kind == "console" else ():
            if not command.startswith("graphmem "):
                continue
            printed = run_graphmem(command, monkeypatch, capsys)
            expected = not shown.strip() or same(shown, printed, flags)
            assert expected, f"{page}:{line}: {command}\nprints\n{printed}"


@pages
def test_every_python_example_that_does_not_run_says_why(page: Path) -> None:
    notes = [note for kind, note, _ in FENCE.findall(page.read_text("utf-8")) if kind == "python"]

    assert all(re.fullmatch(r"(no-run: \w.+)?", note) for note in notes), notes


@pages
def test_every_link_inside_the_project_leads_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = [link for link in LINK.findall(text) if not (page.parent / link).exists()]

    assert not broken


@pages
def test_every_make_target_and_extra_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"])

    assert set(re.findall(r"(?:`|\$ )make ([a-z][a-z-]*)", text)) <= targets
    assert {
        name for named in re.findall(r"graphmem\[([\w,]+)\]", text) for name in named.split(",")
    } <= extras


def test_decisions_are_numbered_without_gaps_and_complete() -> None:
    records = sorted((DOCS / "adr").glob("[0-9]*.md"))

    assert [int(record.name[:4]) for record in records] == list(range(1, len(records) + 1))
    for record in records:
        headings = re.findall(r"^## (\w+)", record.read_text(encoding="utf-8"), re.MULTILINE)
        assert headings[:4] == ADR_PARTS, record.name


def test_the_command_reference_is_current_and_explains_everything() -> None:
    program = [sys.executable, "-m", "typer", "graphmem.cli", "utils", "docs"]
    options = ["--name", "graphmem", "--title", "Command line"]
    printed = subprocess.run(
        [*program, *options], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    reference = CLI_REFERENCE.read_text(encoding="utf-8")

    assert reference.strip() == printed.strip(), "run: make docs"
    assert not re.findall(r"^\* `[^`]+`$", reference, re.MULTILINE), "these say nothing"
