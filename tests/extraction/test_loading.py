from __future__ import annotations

import re
import subprocess
import sys
from importlib.machinery import ModuleSpec

import pytest

from graphmem.errors import InvalidInput, MissingExtra, ModelUnavailable
from graphmem.extraction import LocalExtractor, load
from graphmem.extraction.local import model


def test_none_reads_nothing() -> None:
    assert load("none") is None


def test_local_names_its_rules_and_its_model() -> None:
    extractor = load("local")

    assert isinstance(extractor, LocalExtractor)
    assert re.fullmatch(r"local-1/en_core_web_\w+-\d+\.\d+\.\d+", extractor.run_id)


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(InvalidInput, match=r"'clever'; use one of local, none"):
        load("clever")


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(model, "find_spec", nothing)

    with pytest.raises(MissingExtra, match=r"pip install 'graphmem\[local\]'"):
        load("local")


def test_a_missing_model_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_spacy(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None) if name == "spacy" else None

    monkeypatch.setattr(model, "find_spec", only_spacy)

    with pytest.raises(ModelUnavailable, match=r"pip install 'graphmem\[bundled\]'"):
        load("local")


def test_the_library_is_loaded_only_when_a_turn_is_read() -> None:
    code = "import sys, graphmem.extraction as e; e.load('local'); print('spacy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "False"
