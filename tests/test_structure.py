"""The shape of the code: what no linter checks."""

import ast
import importlib
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphmem"
MODULES = sorted(PACKAGE.rglob("*.py"))
PACKAGES = sorted(
    ".".join(file.parent.relative_to(ROOT).parts) for file in MODULES if file.stem == "__init__"
)
NAMELESS = {"utils", "util", "helpers", "common", "manager", "base", "data", "info", "misc"}
ELSEWHERE = re.compile(
    r"/(?:work|farm|root|tmp)/|/(?:home|Users)/\w"  # a machine's own paths
    r"|(?:pypi|pythonhosted|npmjs|crates|maven|huggingface|debian)[.](?:org|com|io|co)\b"
    r"|--(?:extra-)?index[-]url|--find[-]links"
)
TEXT = {".py", ".md", ".toml", ".txt", ".cfg", ".yml", ".yaml", ".sh", ".sql", ".json", ""}


def named(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    documented = ast.get_docstring(function, clean=False) is not None
    body = function.body[1:] if documented else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body and body[-1].end_lineno else 0


def functions() -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for file in MODULES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def requirements() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    names = {re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines}
    return names - {"graphmem"}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_lists_its_public_names(name: str) -> None:
    package = importlib.import_module(name)
    public = [
        key
        for key, value in vars(package).items()
        if not key.startswith("_") and key != "annotations" and not isinstance(value, ModuleType)
    ]

    assert sorted(getattr(package, "__all__", [])) == sorted(public)


def test_files_stay_short() -> None:
    long = {named(file): n for file in MODULES if (n := len(file.read_text().splitlines())) >= 400}

    assert not long


def test_functions_stay_short() -> None:
    lengths = sorted(body_lines(function) for function in functions())

    assert lengths[len(lengths) * 9 // 10] <= 20


def test_a_module_says_what_it_holds() -> None:
    vague = [named(file) for file in MODULES if NAMELESS & {file.stem, file.parent.name}]

    assert not vague


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{named(file)}:{number}: {line.strip()[:80]}"
        for file in tracked()
        if file.suffix in TEXT
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if ELSEWHERE.search(line)
    ]

    assert not found


def test_every_dependency_is_pinned_and_explained() -> None:
    pinned = {
        line.split("==")[0]
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if "==" in line
    }
    explained = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")

    assert requirements() <= pinned
    assert not [name for name in requirements() if f"`{name}`" not in explained]
