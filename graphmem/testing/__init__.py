"""What tests of programs that use graphmem need: an oracle of a store, and parts without a model.

``ReferenceStore`` needs the extra ``reference``; ``graphmem.testing.records`` builds records.
"""

from graphmem.testing.clock import FakeClock
from graphmem.testing.embedder import HashEmbedder
from graphmem.testing.extractor import ScriptedExtractor
from graphmem.testing.reference import ReferenceStore

__all__ = ["FakeClock", "HashEmbedder", "ReferenceStore", "ScriptedExtractor"]
