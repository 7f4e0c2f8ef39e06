"""``lexicon.toml``: the words of a graph as a file, written as a draft and read back."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError
from isomatch.files import atomic_write
from isomatch.lexicon.lexicon import Adjective, Definition, Lexicon
from isomatch.lexicon.relation_words import RelationWords
from isomatch.lexicon.type_words import TypeWords
from isomatch.pattern.types import OPERATORS
from isomatch.texts import parse_toml, templates


def write_lexicon(path: Path, lexicon: Lexicon) -> None:
    """Write the file atomically, with a comment that says how to edit it."""
    forms = templates("isomatch.lexicon", "templates")
    forms.filters["toml"] = toml_text
    tables = {
        kind: {id: asdict(words) for id, words in of.items()}
        for kind, of in (
            ("types", lexicon.types),
            ("relations", lexicon.relations),
            ("adjectives", lexicon.adjectives),
            ("definitions", lexicon.definitions),
        )
    }
    form = forms.get_template("lexicon.toml.j2")
    with atomic_write(path) as partial:
        partial.write_text(form.render(tables=tables), encoding="utf-8")


def toml_text(value: str | Sequence[str]) -> str:
    """A TOML basic string, or a list of them.

    Example:
        >>> toml_text(("director", "maker"))
        '["director", "maker"]'
    """
    if not isinstance(value, str):
        return f"[{', '.join(map(toml_text, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_lexicon(path: Path, draft: Lexicon | None = None) -> Lexicon:
    """The lexicon of a file; what it leaves out is taken from ``draft``.

    Raises:
        ConfigurationError: no TOML, an unknown key, or a value of a wrong form;
            where there is a draft, also an id that the graph does not have.
    """
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
    except ValueError as error:  # of TOML, or of UTF-8
        raise ConfigurationError(f"{path} is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error
    _refuse_unknown(path, "table", content, ("relations", "types", "adjectives", "definitions"))
    draft = draft or Lexicon()
    relations, types, doubtful = dict(draft.relations), dict(draft.types), {*draft.doubtful}
    for id, table in _tables(path, content, "relations", relations):
        values = _values(path, f"relations.{toml_text(id)}", table, RelationWords)
        doubtful -= {id} if "source" in values else set()
        relations[id] = replace(relations.get(id, RelationWords()), **values)
    for id, table in _tables(path, content, "types", types):
        values = _values(path, f"types.{toml_text(id)}", table, TypeWords)
        word = values.get("word") or (types[id].word if id in types else None)
        if not word:
            raise ConfigurationError(f"{path}: [types.{toml_text(id)}] needs a word")
        also = values.get("also") or (types[id].also if id in types else ())
        types[id] = TypeWords(word, values.get("plural") or draft.language.plural(word), also)
    adjectives, definitions = dict(draft.adjectives), dict(draft.definitions)
    for word, table in _tables(path, content, "adjectives", {}):
        place = f"adjectives.{toml_text(word)}"
        adjectives[word.lower()] = adjective = Adjective(**_values(path, place, table, Adjective))
        ids = [id.removeprefix("-") for id in adjective.relations]
        _refuse_unknown(path, f"relation in [{place}]", ids, relations)
    for phrase, table in _tables(path, content, "definitions", {}):
        place = f"definitions.{toml_text(phrase)}"
        definitions[phrase.lower()] = _definition(path, place, table, relations, types)
    edited = {words.word: types[id].word for id, words in draft.types.items()}
    wider = {key: tuple(edited.get(w, w) for w in some) for key, some in draft.wider.items()}
    language, unsure = draft.language, frozenset(doubtful)
    return Lexicon(relations, types, wider, adjectives, definitions, language, unsure)


def _definition(
    path: Path,
    place: str,
    table: Mapping[str, Any],
    relations: Iterable[str],
    types: Iterable[str],
) -> Definition:
    definition = Definition(**_values(path, place, table, Definition))
    if missing := [f.name for f in fields(Definition) if not getattr(definition, f.name)]:
        raise ConfigurationError(f"{path}: [{place}] needs {', '.join(missing)}")
    _refuse_unknown(path, f"relation in [{place}]", [definition.relation], relations)
    _refuse_unknown(path, f"type in [{place}]", [definition.type], types)
    _refuse_unknown(path, f"operator in [{place}]", [definition.operator], OPERATORS)
    return definition


def _tables(
    path: Path, content: Mapping[str, Any], kind: str, known: Mapping[str, Any]
) -> Iterable[tuple[str, Mapping[str, Any]]]:
    tables = content.get(kind, {})
    if not isinstance(tables, dict) or not all(isinstance(t, dict) for t in tables.values()):
        raise ConfigurationError(f'{path}: {kind} must be tables, as [{kind}."ID"]')
    if known:
        _refuse_unknown(path, f"id in {kind}", tables, known)
    return list(tables.items())


def _values(path: Path, place: str, table: Mapping[str, Any], form: type) -> dict[str, Any]:
    known = {f.name: f.type for f in fields(form)}
    _refuse_unknown(path, f"key in [{place}]", table, known)
    values: dict[str, Any] = {}
    for key, value in table.items():
        listed = known[key].startswith("tuple")
        right = (
            isinstance(value, list) and all(isinstance(v, str) and v.strip() for v in value)
            if listed
            else isinstance(value, str) and bool(value.strip())
        )
        if not right:
            wanted = 'a list of words, as ["director"]' if listed else 'a word, as "film"'
            raise ConfigurationError(f"{path}: {key} in [{place}] must be {wanted}, not {value!r}")
        values[key] = tuple(value) if listed else value
    return values


def _refuse_unknown(path: Path, kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known[:12])}"
            raise ConfigurationError(f"{path}: unknown {kind}: {key!r}; {hint}")
