"""The user's words for a graph, for a copy that has lost some of its relations."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.texts import parse_toml

if TYPE_CHECKING:
    from isomatch.settings import Settings


def keep_lexicon(graph: Settings, copy: Settings, gone: Collection[str]) -> None:
    """Write the lexicon of a graph, if it has one, for its copy.

    Args:
        gone: relations of the graph that the copy has no facts of: a lexicon with words
            for them would be refused.

    Raises:
        ConfigurationError: the graph's is no TOML, or the copy's cannot be written.
    """
    source, target = graph.lexicon_path, copy.lexicon_path
    try:
        if not source.is_file():
            target.unlink(missing_ok=True)
        elif gone:
            content = parse_toml(source.read_text(encoding="utf-8"))
            target.write_text("".join(_lines(content, gone)), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    except ValueError as error:
        raise ConfigurationError(f"{source} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror}") from error


def _lines(content: Mapping[str, Any], gone: Collection[str]) -> Iterator[str]:
    """The tables of a lexicon, less what is said of relations that are gone."""
    for kind, tables in content.items():
        for id, table in tables.items():
            some = dict(table)
            if "relations" in some:
                some["relations"] = [
                    r for r in some["relations"] if r.removeprefix("-") not in gone
                ]
            if (kind == "relations" and id in gone) or some.get("relation") in gone:
                continue
            if some.get("relations") == []:
                continue
            yield f"[{kind}.{_toml(id)}]\n"
            yield from (f"{key} = {_toml(value)}\n" for key, value in some.items())


def _toml(value: Any) -> str:
    """Texts and lists of texts are written in TOML as in JSON, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
