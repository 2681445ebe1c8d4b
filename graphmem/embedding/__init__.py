"""Turns texts into vectors with a model that runs here, found without a network."""

from graphmem.embedding.adapter import FastembedEmbedder
from graphmem.embedding.places import load

__all__ = ["FastembedEmbedder", "load"]
