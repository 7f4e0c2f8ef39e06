"""Questions with operators, of people who had never seen the graph: right, wrong, refused."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from types import ModuleType
from typing import Any

from tests.bench.rows import Row, row
from tests.servers import movies, northwind
from tests.servers.neo4j import Neo4jServer

import isomatch
from isomatch.answer.types import Answer
from isomatch.errors import InterpretationError
from isomatch.evaluate.gold import Gold, gold_answers
from isomatch.evaluate.metrics import Naming
from isomatch.factories import make_index
from isomatch.learn.programs.pipeline import train_programs
from isomatch.lexicon.file import read_lexicon
from isomatch.pattern import format_text
from isomatch.questions.sets import read_questions
from isomatch.session import Session

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

SEED = 1
GRAPHS: dict[str, ModuleType] = {"movies": movies, "northwind": northwind}
SMALL = Path(__file__).with_name("readings")
OTHER_WORDS = Path(__file__).with_name("in_other_words.toml")
PREFIX = (
    "PREFIX : <http://example.org/> "
    "PREFIX wd: <http://www.wikidata.org/entity/> "
    "PREFIX wdt: <http://www.wikidata.org/prop/direct/> "
    "PREFIX dcterms: <http://purl.org/dc/terms/> "
    "PREFIX foaf: <http://xmlns.com/foaf/0.1/> "
    "PREFIX prov: <http://www.w3.org/ns/prov#> "
    "PREFIX schema: <https://schema.org/> "
    "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> "
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
)
SERVER = "5.26"
NAMING = Naming(fold_case=True, numbers=True)
VERDICTS = {
    "right": "right",
    "wrong": "wrong though answered",
    "refused": "refused",
    "made up": "answered, of those that the graph cannot answer",
}


@dataclass(frozen=True)
class Asked:
    """A question of a file of ours, and what became of it.

    Attributes:
        verdict: a key of `VERDICTS`; ``kept`` where it must be refused, and was.
        held: whether it is not to be looked at while readers are tuned.
    """

    question: str
    kind: str
    held: bool
    verdict: str
    gold: Gold | None
    answer: Answer | None
    error: str = ""


def property_graphs(show: bool = False) -> Iterator[Row]:
    """Our questions over two property graphs in Neo4j, read without a model.

    An answer is right where its names are those of the gold query and no others; whole
    numbers are compared exactly, others to four digits. Of tied ones any or all are right.

    Args:
        show: print every question that is not held, with its verdict, answer and reading.
    """
    for name, graph in GRAPHS.items():
        yield from _reported(name, _asked(name, graph), show)


def small_graphs(show: bool = False) -> Iterator[Row]:
    """Our questions over graphs of forty-nine fields, read without a model.

    Two of them are in German, and four have no types. Last come some of the questions in other
    words, as a group of their own.

    Args:
        show: print every question that is not held, with its verdict, answer and reading.
    """
    paraphrased = []
    for file in sorted(SMALL.glob("*.toml")):
        bank = _bank(file)
        language = bank.get("language", "en")
        with isomatch.open(file.with_suffix(".ttl"), language=language) as session:
            asked = [_ask(session, question) for question in bank["question"]]
            paraphrased += [_ask(session, one) for one in paraphrases(file.stem, bank["question"])]
        yield from _reported(file.stem, asked, show)
    yield from _reported("paraphrased", paraphrased, show)


def paraphrases(graph: str, bank: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Questions of a bank in other words, each with the query of the question that it stands for.

    One that asks for yes or no instead has a query of its own.

    Raises:
        KeyError: if one stands for a question that the bank does not have.
    """
    originals = {one["question"]: one for one in bank}
    return [
        {**originals[one["of"]], **one, "held": one.get("held", False)}
        for one in _questions(OTHER_WORDS)
        if one["graph"] == graph
    ]


def _reported(name: str, asked: Sequence[Asked], show: bool) -> Iterator[Row]:
    yield from _shares(name, asked)
    yield from _shares(f"{name}, held", [one for one in asked if one.held])
    for kind in dict.fromkeys(one.kind for one in asked):
        members = [one for one in asked if one.kind == kind]
        yield from (one for one in _shares(f"{name}, {kind}", members) if one.value)
    if show:
        print("\n".join(map(_line, (one for one in asked if not one.held))))


def _shares(title: str, asked: Sequence[Asked]) -> Iterator[Row]:
    """Numbers by verdict, of the questions that have an answer and of those that have none."""
    counts = Counter(one.verdict for one in asked)
    none = counts["made up"] + counts["kept"]
    for verdict, words in VERDICTS.items():
        of = none if verdict == "made up" else len(asked) - none
        if of:
            yield row(f"{title}: {words}", counts[verdict], f"of {of}")


def _asked(name: str, graph: ModuleType) -> list[Asked]:
    questions = _questions(Path(__file__).with_name(f"questions_{name}.toml"))
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        server = Neo4jServer(SERVER, Path(folder, "server"), brief=True)
        with server:
            with server.driver() as driver:
                graph.load(driver)
            settings = server.session_settings(Path(folder, "home"))
            make_index(settings)
            with Session.open(settings) as session:
                return [_ask(session, question) for question in questions]


def _bank(file: Path) -> dict[str, Any]:
    bank = toml.loads(file.read_text(encoding="utf-8"))
    for question in bank["question"]:
        if question.get("sparql"):
            question["sparql"] = PREFIX + question["sparql"]
    return bank


def _questions(file: Path) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = _bank(file)["question"]
    return questions


def _ask(session: Session, row: dict[str, Any]) -> Asked:
    queries = {"cypher": row["cypher"]} if "cypher" in row else {"sparql": row["sparql"]}
    queries = {language: query for language, query in queries.items() if query}
    gold = gold_answers(session, queries) if queries else None
    answer, error = None, ""
    try:
        answer = session.ask(row["question"], interpreter="schema")
    except InterpretationError as failure:
        error = str(failure)
    answered = answer is not None and answer.supported
    if gold is None:
        verdict = "made up" if answered else "kept"
    elif answer is None or not answered:
        verdict = "refused"
    else:
        verdict = "right" if _is_right(gold, answer) else "wrong"
    held = row.get("held", False)
    return Asked(row["question"], row["kind"], held, verdict, gold, answer, error)


def _is_right(gold: Gold, answer: Answer) -> bool:
    found, right = set(map(NAMING.key, _names(answer))), set(map(NAMING.key, gold.names))
    return found == right or (gold.tied and len(found) == 1 and found < right)


def _names(answer: Answer) -> list[str]:
    """The names of the answers; of a question for yes or no ``true`` or ``false``."""
    if answer.holds is not None:
        return [str(answer.holds)]
    if answer.answers or (answer.pattern is not None and answer.pattern.answers):
        return [node.name for node in answer.answers]
    return ["true"]  # a pattern of names alone is answered where it holds


def _line(one: Asked) -> str:
    lines = [f"[{one.verdict}] {one.kind}: {one.question}"]
    if one.gold is not None:
        any_of = " (any)" if one.gold.tied and len(one.gold.names) > 1 else ""
        lines.append(f"  gold: {', '.join(one.gold.names)}{any_of}")
    if one.answer is None:
        lines.append(f"  error: {one.error}")
    else:
        lines.append(f"  answer: {one.answer.text}")
        if one.answer.pattern is not None:
            lines.append(f"  reading: {format_text(one.answer.pattern)}")
    return "\n".join(lines)


def geoquery(data: Path, questions: int) -> Iterator[Row]:
    """GeoQuery (Zelle and Mooney 1996), read without a model.

    First with the drafted lexicon. Then with one that was edited after reading questions of the
    templates with even numbers: those of the other templates, and dev.

    An answer is right where its names, or its numbers to four digits, are those of the gold
    query and no others. What is refused is neither right nor wrong.
    """
    folder = data / "geoquery"
    asked = {}
    for split in ("train", "dev"):
        lines = (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
        asked[split] = [json.loads(line) for line in lines]
        Random(SEED).shuffle(asked[split])
    with isomatch.open(folder / "graph.ttl") as session:
        for split, given in asked.items():
            yield from _measured(session, f"geoquery {split}", given[:questions])
    others = [one for one in asked["train"] if one["template"] % 2]
    with isomatch.open(folder / "graph.ttl") as session:
        edited = Path(__file__).with_name("geoquery_lexicon.toml")
        resources = session.resources
        resources.replace("lexicon", read_lexicon(edited, resources.lexicon))
        for title, given in (("other templates", others), ("dev", asked["dev"])):
            yield from _measured(session, f"geoquery {title}, edited lexicon", given[:questions])


def trained(data: Path) -> Iterator[Row]:
    """A program model learnt from the answers of GeoQuery's train part, asked its dev part."""
    folder = data / "geoquery"
    with (
        TemporaryDirectory(prefix="isomatch-bench-") as place,
        isomatch.open(folder / "graph.ttl") as session,
    ):
        read = read_questions(str(folder / "train.jsonl"), queries=True)
        model = Path(place, "model")
        report = train_programs(session.resources, read, out=model)
        for words, count in report.labels.rows() if report.labels else ():
            yield row(f"geoquery: {words}", count, "")
        yield row("geoquery: training", report.config.training["seconds"], "s")
        lines = (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines()
        given = [json.loads(line) for line in lines]
        with isomatch.open(folder / "graph.ttl", programs_model=model) as again:
            yield from _measured(again, "geoquery dev, trained", given, "programs")


def _measured(
    session: isomatch.Session,
    title: str,
    asked: Sequence[Mapping[str, Any]],
    interpreter: str = "schema",
) -> Iterator[Row]:
    counts: Counter[str] = Counter()
    times = []
    for one in asked:
        started = perf_counter()
        counts[_verdict(session, one["question"], one["answers"], interpreter)] += 1
        times.append((perf_counter() - started) * 1e3)
    for verdict, words in (
        ("right", "right"),
        ("wrong", "wrong though answered"),
        ("refused", "refused"),
    ):
        yield row(f"{title}: {words}", counts[verdict] / len(asked), "")
    middle = sorted(times)[len(times) // 2]
    yield row(f"{title}: question to answer, median", middle, "ms")


def _verdict(session: isomatch.Session, question: str, gold: list[str], interpreter: str) -> str:
    try:
        answer: Answer = session.ask(question, interpreter=interpreter)
    except InterpretationError:
        return "refused"
    if not answer.supported:
        return "refused"
    found = {_normal(node.name) for node in answer.answers}
    return "right" if found == set(map(_normal, gold)) else "wrong"


def _normal(name: object) -> str:
    text = str(name).strip().casefold()
    try:
        return f"{float(text):.4g}"
    except ValueError:
        return text
