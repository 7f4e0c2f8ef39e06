"""Keep a schema on disk, so that a second start asks the database nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from isomatch.errors import StoreError
from isomatch.files import write_json
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type
from isomatch.store.base import Store

FORMAT = 9


def save_schema(path: Path, schema: Schema, settings: Mapping[str, Any] | None = None) -> None:
    """Write a schema atomically, with the settings it was read with.

    Raises:
        StoreError: the file cannot be written.
    """
    content = {"format": FORMAT, "settings": dict(settings or {}), "schema": asdict(schema)}
    try:
        write_json(path, content)
    except OSError as error:
        raise StoreError(f"the schema cannot be written to {path}: {error}") from error


def schema_for(store: Store, path: Path | None, *, fresh: bool = False, **settings: Any) -> Schema:
    """The schema of a store: the one on disk if it fits, else introspected and kept.

    It fits when it was read from a graph of the same fingerprint with the same
    settings. A damaged file, or one of another version, is replaced.

    Args:
        path: the file; None always introspects.
        fresh: introspect in any case, and keep that.
        settings: keyword arguments of `isomatch.schema.introspect.introspect`;
            ``progress`` makes no difference to what fits.
    """
    kept = json.loads(json.dumps({k: v for k, v in settings.items() if k != "progress"}))
    before = None
    if path is not None:
        try:
            before, written = read_schema(path)
        except StoreError:
            pass
        else:
            fits = not fresh and before.fingerprint == store.fingerprint()
            if fits and written == kept:
                return before
    from isomatch.schema.counts import Counts
    from isomatch.schema.exclusion import Exclusion
    from isomatch.schema.introspect import introspect
    from isomatch.schema.queries import journal_of

    if path is None:
        return introspect(store, **settings)
    if "exclude" in settings:
        settings["exclude"] = Exclusion.after(settings["exclude"], before)
    journal = journal_of(store, path.with_suffix(".journal"))
    counts = Counts.read(path.with_suffix(".counts"), store)
    schema = introspect(store, kept=journal or counts, **settings)
    if counts is not None:
        counts.write(path.with_suffix(".counts"), schema.fingerprint)
    save_schema(path, schema, kept)
    if journal is not None:
        journal.remove()
    return schema


def read_schema(path: Path) -> tuple[Schema, dict[str, Any]]:
    """A schema that `save_schema` wrote, with its settings.

    Raises:
        StoreError: there is none, it is damaged, or of another version.
    """
    mend = "isomatch schema reads it from the graph again"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise StoreError(
                f"{path} has format {content['format']}, this isomatch reads {FORMAT}; {mend}"
            )
        fields = dict(content["schema"])
        fields["relations"] = tuple(Relation(**r) for r in fields["relations"])
        fields["types"] = tuple(Type(**t) for t in fields["types"])
        fields["indexes"] = tuple(
            PropertyIndex(**{**i, "properties": tuple(i["properties"])}) for i in fields["indexes"]
        )
        listed = ("name_relations", "notes", "vocabulary", "long_texts", "exclude", "left_out")
        for key in (*listed, "left_out_labels", "subclasses_cut", "partial"):
            fields[key] = tuple(fields[key])
        fields["subclasses"] = {t: tuple(some) for t, some in fields["subclasses"].items()}
        if fields["characteristic_sets"] is not None:
            fields["characteristic_sets"] = tuple(map(tuple, fields["characteristic_sets"]))
        return Schema(**fields), dict(content["settings"])
    except FileNotFoundError as error:
        raise StoreError(f"there is no schema at {path}; {mend}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"the schema at {path} is damaged ({error}); {mend}") from error
