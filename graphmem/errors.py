"""Every error graphmem raises on purpose.

GraphMemError
├── InvalidInput(ValueError)        what was given cannot be used; nothing was written
│   └── InvalidInterval             empty, backwards or naive bounds
├── NotFound(LookupError)           an id or name that the store does not hold
├── MissingExtra(ImportError)       an optional part is not installed
├── StoreError
│   ├── StoreUnavailable            did not answer; nothing was written (retryable)
│   ├── StoreClosed                 used after close, or in a forked child
│   ├── ReadOnlyStore               a write on a store opened read-only
│   └── SchemaMismatch              a foreign, damaged or newer file
└── ModelError
    ├── ModelUnavailable            no model, or it did not answer (retryable)
    └── UnusableOutput              it answered with something unusable
"""

from __future__ import annotations


class GraphMemError(Exception):
    """Base of all errors that graphmem raises on purpose."""

    retryable: bool = False


class InvalidInput(GraphMemError, ValueError):
    """What was given cannot be used; nothing was written."""


class InvalidInterval(InvalidInput):
    """A span of time that is empty, backwards or without a time zone."""


class NotFound(GraphMemError, LookupError):
    """An id or name that the store does not hold."""


class MissingExtra(GraphMemError, ImportError):
    """An optional part is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'graphmem[{extra}]'")
        self.extra = extra


class StoreError(GraphMemError):
    """The store could not do what was asked."""


class StoreUnavailable(StoreError):
    """The store did not answer in time; nothing was written."""

    retryable = True


class StoreClosed(StoreError):
    """The memory was closed, or carried into a forked process."""


class ReadOnlyStore(StoreError):
    """A write on a store that was opened read-only."""


class SchemaMismatch(StoreError):
    """The file is not a graphmem store, is damaged, or was written by a newer version."""


class ModelError(GraphMemError):
    """A model could not do what was asked."""


class ModelUnavailable(ModelError):
    """There is no such model here, or it did not answer."""

    retryable = True


class UnusableOutput(ModelError):
    """A model answered with something that cannot be used."""
