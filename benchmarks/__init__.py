"""Measures graphmem beside its peers, in one run, through the public API."""
