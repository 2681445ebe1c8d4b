"""The embedder: bge-small-en-v1.5 run by fastembed on the CPU."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graphmem.errors import InvalidInput, MissingExtra
from graphmem.model import Vector

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_MODEL = "bge-small-en-v1.5"
_DIMENSION = 384
# BAAI's model card: short questions that look for passages get this, passages get nothing.
_QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
# The model reads 512 tokens; splitting megabytes into tokens that it drops takes seconds.
_MAX_CHARACTERS = 16_384
_MODEL_FILES = ("model_optimized.onnx", "model.onnx")
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


class FastembedEmbedder:
    """An embedder (``ports.Embedder``) over a folder that holds bge-small-en-v1.5 as ONNX.

    Every text is run by itself, on one thread, several at a time. Batches are no faster on a CPU,
    and the quantised model scales its numbers over a whole batch: a text's vector would depend on
    its neighbours (cosine down to .99). So a vector depends on its text alone, whatever it
    was embedded with. Safe for threads.
    """

    def __init__(self, folder: Path) -> None:
        """Load the model.

        Args:
            folder: Holds ``model.onnx`` (or ``model_optimized.onnx``), ``tokenizer.json`` and
                ``tokenizer_config.json``.

        Raises:
            InvalidInput: A file is missing, or this is another kind of model.
            MissingExtra: fastembed is not installed.
        """
        if missing := missing_files(folder):
            raise InvalidInput(
                f"no embedding model in {str(folder)!r}: it lacks {', '.join(missing)}; "
                f"give the folder with the ONNX files of {_MODEL}"
            )
        file = next(name for name in _MODEL_FILES if (folder / name).is_file())
        self._model = _open(folder, file)
        # The file, not its name, decides the numbers: fastembed's own download of this model is
        # quantised differently from others, and their vectors must not share a store unnoticed.
        self._id = f"{_MODEL}/{sha256(folder / file)[:12]}"
        self._probe(folder)

    @property
    def model_id(self) -> str:
        """``bge-small-en-v1.5/`` and the first 12 digits of the model file's SHA-256."""
        return self._id

    @property
    def dimension(self) -> int:
        """384."""
        return _DIMENSION

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a unit vector for each text, in order; text beyond 512 tokens does not count."""
        if len(texts) < 2:
            return [self._vector(text) for text in texts]
        with ThreadPoolExecutor(min(len(texts), os.cpu_count() or 1)) as threads:
            return list(threads.map(self._vector, texts))

    def embed_query(self, text: str) -> Vector:
        """Return a unit vector for a question, marked as one in the way the model was taught."""
        return self._vector(_QUERY_PREFIX + text)

    def _vector(self, text: str) -> Vector:
        # Half of a surrogate pair, as chat archives hold it, is not text to the tokenizer.
        clean = text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode()
        return np.asarray(next(iter(self._model.embed([clean]))), dtype=np.float32)

    def _probe(self, folder: Path) -> None:
        shape = self._vector("").shape
        if shape != (_DIMENSION,):
            raise InvalidInput(
                f"{str(folder)!r} is not {_MODEL}: its vectors have shape {shape}, "
                f"not ({_DIMENSION},); give a folder with that model"
            )


def missing_files(folder: Path) -> list[str]:
    """Return the names of what the folder lacks to be a model; empty when it is complete."""
    missing = [name for name in _TOKENIZER_FILES if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in _MODEL_FILES):
        missing.insert(0, " or ".join(_MODEL_FILES))
    return missing


def sha256(file: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _open(folder: Path, file: str) -> TextEmbedding:
    try:
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType
    except ImportError as error:
        raise MissingExtra("an embedding model", "local") from error
    # fastembed looks for one file name only; under a name of our own it takes the one found.
    name = f"graphmem/{_MODEL}/{file}"
    with suppress(ValueError):  # registered already
        TextEmbedding.add_custom_model(
            name, PoolingType.CLS, True, ModelSource(hf=name), _DIMENSION, model_file=file
        )
    try:
        return TextEmbedding(name, threads=1, specific_model_path=str(folder))
    except Exception as error:  # onnxruntime and tokenizers raise classes of their own
        raise InvalidInput(f"the model in {str(folder)!r} does not load: {error}") from error
