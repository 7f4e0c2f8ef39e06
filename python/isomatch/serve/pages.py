"""Results cut into pages of a limited number of tokens, for assistants."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str, ...]
BYTES = 3
"""Of UTF-8 for one token, as `isomatch.answer.evidence.estimate_tokens` counts."""
LEAST = 500
"""The smallest page, in tokens."""
_NAMED, _POINTER = 5, 60  # places of shortened values that a page names; characters of each
_AROUND = 480  # bytes of what is added to a form to say where it goes on, and of those places
_MARK = "…"  # ends a text that was shortened
_LEAST_VALUE = 8  # bytes of a value that is shortened as far as can be


@dataclass(slots=True)
class Page:
    """A part of a form that fits into a page.

    Attributes:
        form: the form, with the entries of this page in its lists.
        next: number of the first entry of the next page; None for the last page.
        shortened: where values were too long for a page, as JSON pointers; the first few.
    """

    form: dict[str, Any]
    next: int | None
    shortened: list[str] = field(default_factory=list)


def page(form: Mapping[str, Any], lists: Sequence[Path], tokens: int, start: int = 0) -> Page:
    """The page of a form that begins with the entry of a number.

    The entries of some lists are spread over the pages, one list after the other; all else
    is on every page, in at most half of it. An entry that is larger than a page is spread
    over several: each has a part of its largest list. Texts and lists that are still too long
    are shortened.

    Args:
        form: of JSON's types.
        lists: places of the lists, the most important first. A place that the form lacks is
            passed over.
        tokens: most tokens of a page as compact JSON, with 480 bytes for what the caller
            adds; at least `LEAST`.
        start: counted over all lists, from 0.

    Example:
        >>> first = page({"found": True, "names": ["a" * 600, "b" * 600]}, [("names",)], 500)
        >>> [len(name) for name in first.form["names"]], first.next
        ([600], 1)
    """
    room = max(tokens, LEAST) * BYTES - _AROUND
    form = json.loads(written(form).encode(errors="replace"))  # a copy of what UTF-8 can say
    entries_of = {path: _get(form, path) for path in lists}
    there = {path: entries for path, entries in entries_of.items() if isinstance(entries, list)}
    for path in there:
        _get(form, path[:-1])[path[-1]] = []
    shortened: list[str] = []
    head = _shorten(form, room // 2, "", shortened)
    left = full = room - size(head)
    following: int | None = None
    for number, (path, entry, pointer, was_cut) in enumerate(_entries(there, full)):
        if number < start:
            continue
        cut = [pointer] if was_cut else []
        if size(entry) > full:
            entry = _shorten(entry, full - 1, pointer, cut)
        left -= size(entry) + 1
        if left < 0 and number > start:
            following = number
            break
        if isinstance(into := _get(head, path), list):  # else shortened with what it was in
            into.append(entry)
            shortened += cut
    return Page(head, following, [place[:_POINTER] for place in shortened[:_NAMED]])


def written(form: Any) -> str:
    """A form as compact JSON."""
    return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


def size(value: Any) -> int:
    """Bytes of a value as compact JSON."""
    return len(written(value).encode(errors="replace"))


def shortened_text(text: str, tokens: int) -> str:
    """A text of at most so many tokens; what was cut ends in ``…``."""
    return str(_shorten(text, tokens * BYTES - 2, "", []))


def _entries(lists: Mapping[Path, list[Any]], room: int) -> Iterator[tuple[Path, Any, str, bool]]:
    """The entries of all lists; those larger than a page in parts.

    With the place of each, and whether it was shortened.
    """
    for path, entries in lists.items():
        for number, entry in enumerate(entries):
            for part, was_cut in _parts(entry, room):
                yield path, part, f"/{'/'.join(path)}/{number}", was_cut


def _parts(entry: Any, room: int) -> Iterator[tuple[Any, bool]]:
    """An entry as it is, or several with a part of its largest list each."""
    inner: list[str] = []
    if isinstance(entry, dict) and size(entry) > room:
        inner = [key for key, value in entry.items() if isinstance(value, list) and value]
    if not inner:
        yield entry, False
        return
    largest = max(inner, key=lambda key: size(entry[key]))
    shortened: list[str] = []
    rest = _shorten({**entry, largest: []}, room // 2, "", shortened)
    full = room - size(rest)
    part: list[Any] = []
    left = full
    for value in entry[largest]:
        left -= size(value) + 1
        if left < 0 and part:
            yield {**rest, largest: part}, bool(shortened)
            part, left = [], full - size(value) - 1
        part.append(value)
    yield {**rest, largest: part}, bool(shortened)


def _shorten(value: Any, room: int, pointer: str, shortened: list[str]) -> Any:
    """A value of at most so many bytes, and the places where something was left out.

    Numbers stay as they are: they are short.
    """
    if size(value) <= room:
        return value
    if isinstance(value, str):
        shortened.append(pointer)
        return _cut(value, room)
    if isinstance(value, list):
        shortened.append(pointer)
        return _cut_list(value, room, pointer, shortened)
    if isinstance(value, dict):
        return _cut_object(value, room, pointer, shortened)
    return value


def _cut(text: str, room: int) -> str:
    left = room - size(_MARK)
    for end, character in enumerate(text):
        left -= size(character) - 2
        if left < 0:
            return text[:end] + _MARK
    return text


def _cut_list(values: list[Any], room: int, pointer: str, shortened: list[str]) -> list[Any]:
    kept: list[Any] = []
    left = room - 2
    for value in values:
        left -= size(value) + 1
        if left < 0:
            break
        kept.append(value)
    if not kept and room > 4 and isinstance(values[0], (str, list, dict)):
        kept.append(_shorten(values[0], room - 2, f"{pointer}/0", shortened))
        if size(kept) > room:
            return []
    return kept


def _cut_object(
    entries: dict[str, Any], room: int, pointer: str, shortened: list[str]
) -> dict[str, Any]:
    """The keys, with what is long shortened to an equal share.

    Only where the keys alone are too many are some left out.
    """
    sizes = {key: size(value) for key, value in entries.items()}
    kept, left = [], room - 2
    for key, value in entries.items():
        least = (
            min(sizes[key], _LEAST_VALUE) if isinstance(value, (str, list, dict)) else sizes[key]
        )
        if left < (least := size(key) + 2 + least):
            shortened.append(pointer)
            continue
        left -= least
        kept.append(key)
    left = room - 2 - sum(size(key) + 2 for key in kept)
    values: dict[str, Any] = {}
    for done, key in enumerate(sorted(kept, key=lambda key: sizes[key])):
        share = left // (len(kept) - done)
        values[key] = _shorten(entries[key], share, f"{pointer}/{key}", shortened)
        left -= size(values[key])
    return {key: values[key] for key in kept}


def _get(form: Any, path: Path) -> Any:
    for key in path:
        form = form.get(key) if isinstance(form, Mapping) else None
    return form
