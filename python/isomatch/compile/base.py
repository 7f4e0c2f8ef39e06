"""What every dialect offers: templates of ours, and escaping in one place.

A dialect renders Jinja2 templates from ``queries/<language>/``. Only two kinds
of things enter a text: the structure of a plan, and ids from the introspected
schema or the vector index, through the dialect's one escaping filter. Names,
questions and model output never do; node ids that vary are parameters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

    from isomatch.store.base import Query


def queries_folder() -> Path:
    """Where the templates are: beside the package in a wheel, else the checkout."""
    here = Path(__file__).resolve().parents[1]
    inside = here / "queries"
    return inside if inside.is_dir() else here.parents[1] / "queries"


class Dialect(ABC):
    """One query language. Subclasses name a folder and the escaping filters."""

    language: str

    def __init__(self) -> None:
        self.environment = self._environment()

    def _environment(self) -> Environment:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        environment = Environment(
            loader=FileSystemLoader(queries_folder() / self.language),
            undefined=StrictUndefined,
            autoescape=False,  # not HTML; ids go through the filters below
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters.update(self.filters())
        return environment

    @abstractmethod
    def filters(self) -> dict[str, Any]:
        """Jinja2 filters that escape ids; the only way for one into a text."""

    def render(self, template: str, **values: Any) -> str:
        """The text of a template; a missing value raises."""
        return self._template(template).render(**values)

    @lru_cache(maxsize=None)  # noqa: B019 - a dialect lives as long as its store
    def _template(self, name: str) -> Any:
        return self.environment.get_template(name)

    @abstractmethod
    def orient(self, triples: Sequence[tuple[str, str, str]]) -> Query:
        """Which of these (a, relation, b) are stored in that direction."""
