"""`isomatch questions`: make open questions about a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isomatch.cli.frame import Endpoint, Home, Json, open_session, print_json
from isomatch.cli.options import LanguageModel, choice
from isomatch.cli.progress import bar
from isomatch.errors import ConfigurationError
from isomatch.seed import SEED

WORDINGS = ("model", "template")


def questions(
    ctx: typer.Context,
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="Questions to make.")] = 30,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Write them there, for isomatch eval."),
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="Only descriptive, explanatory, predictive, comparative or critical ones; may be "
            "repeated.",
        ),
    ] = None,
    wording: Annotated[
        str | None,
        choice(
            "--wording",
            WORDINGS,
            "Whose words: a language model's, or the templates' own. [default: model, where one "
            "is set]",
        ),
    ] = None,
    llm: LanguageModel = None,
    least_score: Annotated[
        float, typer.Option(help="Least mean of the five scores, from 1 to 10.")
    ] = 6.0,
    least_facts: Annotated[
        int, typer.Option(min=1, help="Facts that the graph must have of each topic.")
    ] = 5,
    least_relations: Annotated[
        int, typer.Option(min=1, help="Different relations that each topic must have.")
    ] = 3,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = SEED,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make open questions about your graph.

    A paragraph answers each.

    \b
    Examples:
      isomatch questions -n 50 --out open.jsonl
      isomatch eval open.jsonl --out runs/open
    """
    from dataclasses import asdict

    from isomatch.questions.open.making import Making, make_questions
    from isomatch.questions.open.sets import row_of, write_open

    making = Making(count, tuple(types or ()), least_score, least_facts, least_relations, seed)
    with open_session(ctx, home, endpoint=endpoint, model=llm) as session:
        model = None if wording == "template" else session.model
        if wording == "model" and model is None:
            raise ConfigurationError(
                "--wording model needs a language model: set ISOMATCH_MODEL and OPENAI_BASE_URL"
            )
        with bar("making questions", "questions", quiet=as_json) as progress:
            made = make_questions(session, making, model=model, progress=progress)
    if out is not None:
        write_open(out, made.questions)
    if as_json:
        rows = [row_of(question) for question in made.questions]
        dropped = dict(made.dropped)
        print_json(
            {
                "questions": rows,
                "dropped": dropped,
                "notes": made.notes,
                "usage": asdict(made.usage),
            }
        )
        return
    for question in made.questions:
        print(f"{question.type}: {question.text}")
    notes = [*made.notes, *(f"left out: {n} {why}" for why, n in made.dropped.most_common())]
    print()
    for note in notes:
        print(f"note: {note}")
    if out is not None:
        print(f"{len(made.questions):,} questions in {out}\nNext: isomatch eval {out}")
