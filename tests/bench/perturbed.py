"""Graphs with errors: what is left of the answers on MetaQA's two hops, and of the proofs.

The systems are those that need no language model: pattern search over the gold patterns, a
chain model (GSR) on a frozen backbone, and the scorer of triples, which gives no answers but
their recall. Both models are trained on the graph without errors.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

from tests.bench.processes import _run
from tests.bench.rows import Row, row

from isomatch.evaluate import EvalConfig, run_curves
from isomatch.link.candidates import Candidates
from isomatch.match.types import MatchResult
from isomatch.pattern.types import Pattern
from isomatch.perturb.copies import compare_copies, open_copy
from isomatch.perturb.types import METHODS, Perturbation, parse_all
from isomatch.questions.dataset_sessions import open_session, settings_for
from isomatch.questions.datasets import Part, read
from isomatch.questions.selection import sample
from isomatch.seed import SEED
from isomatch.session import Session
from isomatch.settings import Settings

LEVELS = "0.1,0.2,0.3,0.4,0.5"
CHECKED = 60  # questions of each copy whose certificate is held to brute force
TOLERANCE = 1e-6
Edges = Mapping[str, Mapping[str, set[str]]]


def curves(data: Path, questions: int) -> Iterator[Row]:
    """All figures of graphs with errors."""
    part = read("metaqa", data, hops=2)[0]
    perturbations = parse_all([f"{','.join(METHODS)}:{LEVELS}"], SEED)
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        homes = Path(folder) / "homes"
        open_session(part, None).close()
        settings = settings_for(part, homes)
        shutil.copytree(settings_for(part, None).home, settings.home)
        shutil.rmtree(settings.home / "perturbed", ignore_errors=True)
        yield from _likenesses(settings, perturbations)
        yield _wrong_certificates(part, settings, perturbations, min(questions, CHECKED))
        models = Path(folder) / "models"
        for title, fields in _systems(data, settings, models):
            given = {f"{kind}_model": models / kind for kind in ("gsr", "triples")}
            config = EvalConfig.make("metaqa", data, hops=2, limit=questions, **fields)
            found = run_curves(config, perturbations, home=homes, given=given)
            yield from _curve_rows(title, found["points"])


def _systems(
    data: Path, settings: Settings, models: Path
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name and configuration of each system; its model is trained before it is asked for."""
    yield "pattern search, gold patterns", {"patterns": "gold"}
    asked = ["--questions", f"metaqa:{data}", "--hops", "2", "--split-by", "row", "--json"]
    for kind, title, options, fields in (
        ("gsr", "GSR", ["--limit", "1000", "--freeze"], {"interpreter": "gsr"}),
        ("triples", "scorer of triples", ["--limit", "200"], {"retriever": "triples"}),
    ):
        out = ["--out", str(models / kind), "--seed", str(SEED)]
        _run(["train", kind, *asked, *options, *out])
        yield title, {**fields, "topics": "given", "split_by": "row"}


def _likenesses(settings: Settings, perturbations: Sequence[Perturbation]) -> Iterator[Row]:
    """ATS, SC2D and SD2, and whether their order is the published one."""
    itself, copies = compare_copies(settings, perturbations)
    yield row("perturbed MetaQA, ATS of the graph itself", itself.ats, "")
    scores: dict[float, dict[str, float]] = defaultdict(dict)
    for copy in copies:
        alike = copy.likeness
        assert alike is not None
        title = f"perturbed MetaQA, {copy.perturbation}"
        if alike.ats is not None:
            scores[copy.perturbation.level][copy.perturbation.method] = alike.ats
        yield row(f"{title}: ATS", alike.ats, "")
        yield row(f"{title}: SC2D", alike.sc2d, "")
        exact = {"at_least": 1.0} if copy.perturbation.method == "RS" else {}
        yield row(f"{title}: SD2", alike.sd2, "", **exact)
    lowest = [min(found, key=found.__getitem__) for found in scores.values()]
    share = lowest.count("RR") / max(1, len(lowest))
    yield row("perturbed MetaQA, levels at which RR has the lowest ATS", share, "", at_least=1.0)


def _curve_rows(title: str, points: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    names = {
        "macro_f1": "macro-F1",
        "answer_recall": "answer recall@100",
        "wrong": "wrong though answered",
        "complete": "complete certificates",
    }
    for point in points:
        for key, name in names.items():
            if key in point:
                where = point["perturbation"] or "no errors"
                yield row(f"metaqa 2hop, {title}, {where}: {name}", 100 * point[key], "%")


# -- certificates ---------------------------------------------------------------------


def _wrong_certificates(
    part: Part, settings: Settings, perturbations: Sequence[Perturbation], questions: int
) -> Row:
    """Searches of copies that are proven complete, and are refuted by brute force."""
    complete = wrong = asked = 0
    for copy in compare_copies(settings, perturbations)[1]:
        with open_copy(copy, settings) as session:
            edges = _edges(session)
            for question in sample(part.questions, questions, f"{SEED} certificates"):
                pattern = question.pattern
                assert pattern is not None
                result = session.match(pattern, nodes="distinct", k=1)
                asked += 1
                if result.certificate.complete:
                    complete += 1
                    wrong += refuted(edges, pattern, session.link(pattern), result)
    note = f"{complete:,} of {asked:,} are complete"
    return row(
        "perturbed MetaQA, complete, and refuted by brute force", wrong, "", at_most=0, note=note
    )


def _edges(session: Session) -> Edges:
    """Neighbours by node and relation, directions ignored."""
    edges: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    relations = set(session.schema.by_id)
    for quad in session.store.graph:  # type: ignore[attr-defined]
        if quad.predicate.value in relations:
            source, target = quad.subject.value, quad.object.value
            edges[source][quad.predicate.value].add(target)
            edges[target][quad.predicate.value].add(source)
    return edges


def refuted(edges: Edges, pattern: Pattern, candidates: Candidates, result: MatchResult) -> bool:
    """Whether there is a nearer match within the candidate lists, or other answers.

    Args:
        pattern: two edges from a known node, without directions; all nodes differ.
        result: of a search that says it is complete.
    """
    (known,) = (node.id for node in pattern.nodes if node.known)
    first, second = sorted(range(2), key=lambda n: known not in _ends(pattern, n))
    lists = [candidates.nodes[known], candidates.relations[first], candidates.relations[second]]
    best = inf
    for choice in product(*(one.entries for one in lists)):
        distance = sum(entry.distance for entry in choice)
        if distance < best and _walk(edges, *(entry.id for entry in choice)):
            best = distance
    beyond = min(one.frontier for one in lists)
    if not result.interpretations:
        return best < inf
    found = result.interpretations[0]
    if best < found.gsd - TOLERANCE or (best > found.gsd + TOLERANCE and found.gsd < beyond):
        return True
    by_text = {(choice.part, choice.text): choice.id for choice in found.choices}
    node = next(n for n in pattern.nodes if n.id == known)
    words = [("relation", pattern.edges[n].relation) for n in (first, second)]
    ids = [by_text[key] for key in (("node", node.text), *words)]
    answers = {match.bindings[pattern.answers[0]].id for match in found.matches}
    return not found.cut and answers != _walk(edges, *ids)


def _ends(pattern: Pattern, number: int) -> tuple[str, str]:
    return pattern.edges[number].source, pattern.edges[number].target


def _walk(edges: Edges, start: str, first: str, second: str) -> set[str]:
    """The nodes two relations from a node, by a third one."""
    return {
        end
        for middle in edges.get(start, {}).get(first, ())
        if middle != start
        for end in edges.get(middle, {}).get(second, ())
        if end not in (start, middle)
    }
