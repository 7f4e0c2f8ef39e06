"""`isomatch perturb`: copies of the graph with errors."""

from __future__ import annotations

from typing import Annotated

import typer

from isomatch.cli.frame import Home, Json, console, print_json, print_parts, settings_of
from isomatch.cli.progress import bar
from isomatch.seed import SEED


def perturb(
    ctx: typer.Context,
    perturbations: Annotated[
        list[str],
        typer.Argument(
            metavar="METHOD:LEVEL...",
            help="RS (relations swapped), RR (relations replaced), ER (edges rewired) or ED (edges "
            "deleted), and a share of the facts: RS:0.2, or several as RS,ED:0.1,0.3.",
        ),
    ],
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = SEED,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make copies of the graph with errors.

    How alike they are is measured.

    \b
    Examples:
      isomatch perturb RS:0.2
      isomatch perturb RS,RR,ER,ED:0.1,0.3,0.5
    """
    from isomatch.perturb.copies import compare_copies, open_copy
    from isomatch.perturb.types import parse_all

    chosen = parse_all(perturbations, seed)
    settings = settings_of(ctx, home)
    with bar("learning the facts", "epochs", quiet=as_json) as progress:
        itself, copies = compare_copies(settings, chosen, progress=progress)
    for copy in copies:
        with bar(f"indexing {copy.perturbation}", "names", quiet=as_json) as progress:
            open_copy(copy, settings, progress=progress).close()
    if as_json:
        found = [
            {**copy.record(), "home": str(copy.settings.home), "likeness": copy.likeness}
            for copy in copies
        ]
        print_json({"graph": itself, "copies": found})
        return
    from isomatch.output.tables import rich_table

    shown = [("graph", "", itself, settings.home)]
    for copy in copies:
        assert copy.likeness is not None
        changed = f"{copy.changed:,} of {copy.facts:,}"
        shown.append((str(copy.perturbation), changed, copy.likeness, copy.settings.home))
    rows = [
        [
            name,
            changed,
            "–" if alike.ats is None else f"{alike.ats:.3f}",
            f"{alike.sc2d:.3f}",
            f"{alike.sd2:.3f}",
            str(folder),
        ]
        for name, changed, alike, folder in shown
    ]
    print_parts(
        [rich_table(("", "changed facts", "ATS", "SC2D", "SD2", "home"), rows, range(1, 5))]
    )
    out = console()
    for note in dict.fromkeys(copy.note for copy in copies if copy.note):
        out.print(note)
    if itself.ats is None:
        out.print("ATS needs torch: pip install 'isomatch[train]'")
    out.print("Next: isomatch ask 'QUESTION' --home FOLDER, or isomatch eval … --perturb RS:0.2")
