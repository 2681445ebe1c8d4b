"""The built wheel, in an environment that holds its declared dependencies and no extra."""

import subprocess
import sys
import venv
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheel and what it says it needs, no more.

    The dependencies are those installed here, linked: nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
    run(*pip, "--no-deps", wheel, cwd=folder)
    (site,) = {file.parent for file in folder.rglob("graphmem") if file.is_dir()}
    for name in needed(requirements(wheel)):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or [] if ".." not in file.parts}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(found.locate_file(top))))
    return python


def requirements(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist", [])


def needed(lines: list[str]) -> set[str]:
    """Return the names that these requirements lead to, extras left out."""
    names: set[str] = set()
    while lines:
        requirement = Requirement(lines.pop())
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in names:
            names.add(requirement.name)
            lines.extend(distribution(requirement.name).requires or [])
    return names


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    listed = run("git", "ls-files", "-co", "--exclude-standard", "graphmem", cwd=ROOT)
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert packed == set(listed.splitlines())
    assert "graphmem/py.typed" in packed


def test_every_package_imports_without_extras(bare: Path, tmp_path: Path) -> None:
    program = """
import importlib, pkgutil, graphmem
for module in pkgutil.walk_packages(graphmem.__path__, "graphmem."):
    if module.ispkg:
        importlib.import_module(module.name)
print(graphmem.__file__)
"""

    printed = run(bare, "-c", program, cwd=tmp_path)

    assert str(bare.parents[1]) in printed


def test_the_command_runs_without_extras(bare: Path, tmp_path: Path) -> None:
    assert "Usage: graphmem" in run(bare.parent / "graphmem", "--help", cwd=tmp_path)


@pytest.mark.parametrize(
    ("program", "extra"),
    [
        ("from graphmem.embedding import load; load('.')", "local"),
        ("from graphmem.testing import ReferenceStore; ReferenceStore(clock=print)", "reference"),
    ],
)
def test_a_missing_extra_is_named(bare: Path, tmp_path: Path, program: str, extra: str) -> None:
    for name in ("model.onnx", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).touch()

    done = subprocess.run([bare, "-c", program], cwd=tmp_path, capture_output=True, text=True)

    assert "MissingExtra: " in done.stderr
    assert f"pip install 'graphmem[{extra}]'" in done.stderr


def test_without_extras_there_is_no_model_and_no_error(bare: Path, tmp_path: Path) -> None:
    program = "from graphmem.embedding import load; print(load('default'))"

    assert run(bare, "-c", program, cwd=tmp_path) == "None\n"
