"""Adapters of ``ports.Store``."""
