"""What comes in held against a model; what is wrong, in one line."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from graphmem.errors import InvalidInput

Model = TypeVar("Model", bound=BaseModel)

_SHOWN = 60


def checked(model: type[Model], value: object) -> Model:
    """Return ``value`` as a ``model``.

    Raises:
        InvalidInput: It is none; the message names the first key that is wrong, and its value.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InvalidInput(_reason(error, model)) from error


def _reason(error: ValidationError, model: type[BaseModel]) -> str:
    problem = error.errors(include_url=False)[0]
    key = problem["loc"][0] if problem["loc"] else "record"
    match problem["type"]:
        case "extra_forbidden":
            return f"unknown key {key!r}; known keys: {', '.join(model.model_fields)}"
        case "missing":
            return f"key {key!r} is missing"
        case _:
            value = repr(problem["input"])
            shown = value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
            return f"{key}: {problem['msg'].lower()}, not {shown}"
