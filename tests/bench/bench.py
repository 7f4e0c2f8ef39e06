"""The table of figures: `python -m tests.bench.bench`, or `make bench`.

Every row is measured in this run, the baseline too; what could not be measured
says why. The rows also go to ``bench.json`` at the repository's root.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from time import perf_counter

from tests.bench import (
    cluster,
    conditions,
    learned,
    names,
    nearest,
    neo4j,
    neo4j_large,
    northwind,
    open_questions,
    open_recall,
    perturbed,
    procedures,
    procedures_walks,
    processes,
    scale,
    scale_10m,
    service,
    service_page,
    sets,
    sparql,
    sparql_clients,
    sparql_films,
    timing,
    triples,
    webqsp,
    zograscope,
)
from tests.bench import questions as questions_asked
from tests.bench.rows import Row, row, table, write
from tests.servers.neo4j_lines import LINES

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
MANY = 1_000_000
BY_HAND = ("scale-10m",)  # only where it is asked for
WORDINGS = ("names", "paraphrases", "unknown relation")


def sections(
    data: Path, questions: int, lines: Sequence[str], show: bool = False, many: int = MANY
) -> dict[str, Callable[[], Iterator[Row]]]:
    """What can be measured, by the name that ``--only`` takes; ``show`` prints questions.

    ``many``: names of a large collection.
    """
    metaqa = data / "metaqa"
    return {
        "quality": lambda: timing.quality(metaqa, questions),
        "speed": lambda: timing.speed(metaqa, questions, WORDINGS[:1]),
        "wordings": lambda: timing.speed(metaqa, questions, WORDINGS[1:]),
        "cold": lambda: processes.cold(metaqa),
        "index": lambda: processes.index(metaqa),
        "sets": lambda: sets.gold(data, questions),
        "scale": lambda: chain(nearest.nearest(data, many), scale.embedders(data, questions)),
        "scale-10m": lambda: scale_10m.ten_times(data, many, lines),
        "cluster": lambda: cluster.cluster(metaqa),
        "names": lambda: names.misspelled(data, questions),
        "ask": lambda: sets.asked(data, questions),
        "questions": lambda: chain(
            questions_asked.geoquery(data, questions), questions_asked.property_graphs(show)
        ),
        "readings": lambda: questions_asked.small_graphs(show),
        "zograscope": lambda: zograscope.asked(data, questions),
        "zograscope-trained": lambda: zograscope.trained(data, questions),
        "zograscope-alone": lambda: zograscope.alone(data, questions),
        "programs": lambda: questions_asked.trained(data),
        "learned": lambda: learned.weak(metaqa, questions),
        "learned-texts": lambda: learned.texts(metaqa, questions),
        "learned-few": lambda: learned.few(metaqa, questions),
        "learned-unlabelled": lambda: learned.unlabelled(metaqa, questions),
        "learned-sets": lambda: learned.others(data, questions),
        "service": lambda: chain(service.service(metaqa), service_page.page()),
        "neo4j": lambda: neo4j.metaqa_on_neo4j(metaqa, questions, lines),
        "conditions": lambda: conditions.conditions(metaqa, questions, lines),
        "neo4j-large": lambda: neo4j_large.large(lines),
        "northwind": lambda: northwind.asked(lines),
        "northwind-restarts": lambda: northwind.restarted(lines),
        "procedures": lambda: procedures.on_metaqa(metaqa, questions, lines),
        "procedures-large": lambda: procedures.on_large_lists(lines),
        "procedures-walks": lambda: procedures_walks.walks(lines),
        "sparql": lambda: sparql.metaqa_on_servers(metaqa, questions),
        "sparql-films": sparql_films.films,
        "dde": triples.encodings,
        "webqsp": lambda: webqsp.scored(data, questions),
        "open": lambda: open_questions.evidence(data, lines),
        "open-recall": lambda: open_recall.recall(data, questions),
        "perturb": lambda: perturbed.curves(metaqa, questions),
        "sparql-clients": lambda: sparql_clients.at_once(metaqa, questions),
    }


def main() -> int:
    """Measure, print the table, write the rows; 1 when a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the question sets")
    parser.add_argument("--questions", type=int, default=300, help="of each part of a set")
    parser.add_argument("--names", type=int, default=MANY, help="of the section scale")
    parser.add_argument("--only", action="append", choices=sections(DATA, 1, ()), help="a section")
    parser.add_argument("--line", action="append", choices=LINES, help="of Neo4j; else all")
    parser.add_argument("--show", action="store_true", help="print questions that are not held")
    parser.add_argument("--out", type=Path, default=ROOT / "bench.json", help="file for the rows")
    chosen = parser.parse_args()
    rows: list[Row] = []
    for name, measure in sections(
        chosen.data, chosen.questions, chosen.line or list(LINES), chosen.show, chosen.names
    ).items():
        if name not in (chosen.only or ()) and (chosen.only or name in BY_HAND):
            continue
        started = perf_counter()
        try:
            for one in measure():
                rows.append(one)
                print(f"{name}: {one.name}: {one.value}", file=sys.stderr, flush=True)
        except Exception as error:  # one section must not take the others' figures along
            traceback.print_exc()
            rows.append(row(name, None, "", note=f"not measured: {error}"))
        print(f"{name}: {perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
        rows.append(row(f"load average after {name}", os.getloadavg()[0], f"of {os.cpu_count()}"))
        write(rows, chosen.out)
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{chosen.questions} questions of each part\n")
    print(table(rows))
    return int(any(r.ok is False or r.value is None for r in rows))


if __name__ == "__main__":
    sys.exit(main())
