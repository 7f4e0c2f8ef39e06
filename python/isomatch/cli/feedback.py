"""`isomatch feedback`: what people say about answers, listed or as a question set."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import Endpoint, Home, Json, open_session, print_json, settings_of
from isomatch.errors import ConfigurationError

if TYPE_CHECKING:
    from isomatch.feedback import Record


class Action(str, Enum):
    """What is done with feedback."""

    list = "list"
    export = "export"


def feedback(
    ctx: typer.Context,
    action: Annotated[
        Action, typer.Argument(help="Show what is kept, or make questions of it.")
    ] = Action.list,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="export: write the questions, or the words, there. [default: print them]",
        ),
    ] = None,
    lexicon: Annotated[
        bool,
        typer.Option(
            "--lexicon",
            help="export: words of corrected questions for lexicon.toml, in place of questions.",
        ),
    ] = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List the corrections of a graph, or export them as questions.

    The right answers of an exported question are those that the chosen reading gives now, or
    those that were typed. The file is for isomatch eval and isomatch train.

    \b
    Examples:
      isomatch feedback list
      isomatch feedback export --out corrections.jsonl
      isomatch feedback export --lexicon
      isomatch eval --feedback
      isomatch train gsr --synthetic 4000 --feedback
    """
    if action is Action.export:
        if lexicon:
            _export_words(ctx, home, endpoint, out, as_json)
        else:
            _export(ctx, home, endpoint, out, as_json)
        return
    if out is not None or lexicon:
        raise ConfigurationError("--out and --lexicon are for isomatch feedback export")
    from isomatch.feedback import FeedbackFile

    file = FeedbackFile.of(settings_of(ctx, home, endpoint=endpoint))
    records, problems = file.read()
    if as_json:
        rows = [record.model_dump(mode="json", exclude_defaults=True) for record in records]
        print_json({"feedback": rows, "problems": list(map(str, problems))})
        return
    for record in records:
        print("\n".join(_lines(record)))
    _tell(f"left out: {problem}" for problem in problems)
    if not records:
        print(
            f"No feedback is kept in {file.path}. What people choose on the page of `isomatch "
            "serve`, or send to POST /v1/feedback, is kept there."
        )


def _lines(record: Record) -> list[str]:
    """A record for the terminal."""
    from isomatch.pattern import format_text
    from isomatch.phrasing import clean

    by = f" by {clean(record.caller)}" if record.caller else ""
    lines = [f"{record.time:%Y-%m-%d %H:%M} {record.kind}{by}: {clean(record.question)}"]
    patterns = (("read as", record.read_pattern), ("chosen", record.pattern))
    lines += [
        f"    {what} {clean(format_text(pattern), None)}" for what, pattern in patterns if pattern
    ]
    if record.answers:
        lines.append(f"    answers {', '.join(map(clean, record.answers))}")
    return [*lines, f"    “{clean(record.comment)}”"] if record.comment else lines


def _tell(notes: Iterable[str]) -> None:
    """Print notes on standard error; what they quote must not steer a terminal."""
    from isomatch.phrasing import clean

    for note in notes:
        print(clean(note, None), file=sys.stderr)


def _export(
    ctx: typer.Context, home: Path | None, endpoint: str | None, out: Path | None, as_json: bool
) -> None:
    from isomatch.feedback.questions import kept_lessons, question_set, row_of, write_questions

    with open_session(ctx, home, endpoint=endpoint) as session:
        lessons = kept_lessons(session.resources)
        texts = {relation.id: relation.text for relation in session.schema.relations}
    questions = question_set(lessons, texts)
    notes = [f"left out: {problem}" for problem in lessons.problems]
    notes += [f"note: {note}" for note in lessons.notes]
    if lessons.mistakes:
        notes.append(f"note: thumbs down without a right answer: {len(lessons.mistakes):,}")
    rows: list[dict[str, Any]] = [row_of(question) for question in questions.questions]
    if out is not None:
        write_questions(out, questions)
    if as_json:
        print_json({"questions": rows, "notes": notes})
        return
    for row in rows if out is None else ():
        print(json.dumps(row, ensure_ascii=False))
    _tell(notes)
    if out is not None:
        print(f"{len(rows):,} questions in {out}\nNext: isomatch eval {out}")


def _export_words(
    ctx: typer.Context, home: Path | None, endpoint: str | None, out: Path | None, as_json: bool
) -> None:
    from dataclasses import asdict

    from isomatch.feedback.questions import kept_lessons, write_lines
    from isomatch.feedback.words import new_words, toml_lines

    with open_session(ctx, home, endpoint=endpoint) as session:
        lexicon, words = new_words(session.resources, kept_lessons(session.resources))
        path = session.settings.lexicon_path
    lines = list(toml_lines(lexicon, words))
    if out is not None:
        write_lines(out, lines)
    if as_json:
        print_json({"words": list(map(asdict, words)), "toml": "\n".join(lines)})
        return
    for line in lines if out is None else ():
        print(line)
    for word in words:
        if not word.key:
            asked = f"{word.phrase!r} is in no list by which {word.questions[0]!r} is read right"
            print(f"left out: {asked}: it takes training", file=sys.stderr)
    if not words:
        print("no corrected question has a word that the lexicon lacks", file=sys.stderr)
    elif lines:
        print(f"Next: put these lines into {path}, in place of the same ones", file=sys.stderr)
