"""Question sets over knowledge graphs: MetaQA, PathQuestions, WorldCup2014, WebQSP.

A reader takes a folder with files in the set's own format and returns parts: the file
of a graph with the questions over it, their answers, and the gold patterns that their
types or paths stand for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from itertools import pairwise
from pathlib import Path

from isomatch.errors import ConfigurationError, LoadError
from isomatch.pattern.types import Edge, Node, Pattern, RelationChain
from isomatch.store.terms import words

Fact = tuple[str, str, str]
Gold = tuple[tuple[str, ...], tuple[str, ...]]  # answers, and gold paths


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answers.

    Attributes:
        id: file and line, as ``qa_dev_1hop.txt:7``.
        text: the question in plain words, without markup.
        topics: names of the entities that it mentions.
        answers: names of all right answers, as in the graph.
        gold: the pattern or chain of the data, if it has one. Its relations are in
            words and have the directions of the graph.
        hops: number of relations from a topic to an answer; 0 where not known.
        kind: of question, in the file's own words; empty where it gives none.
        queries: gold queries by language, whose results are the answers; `answers` is
            empty until they have been run (`isomatch.evaluate.gold`).
        tied: whether each of the answers alone is right, and so are all of them.
        misordered: ``date`` or ``number`` where its gold query orders such texts by their letters
            and so takes another for the first.
        place: file and line of the gold queries; else empty.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    answers: tuple[str, ...]
    gold: Pattern | RelationChain | None
    hops: int
    kind: str = ""
    queries: Mapping[str, str] = field(default_factory=dict, hash=False)
    tied: bool = False
    misordered: str = ""
    place: str = ""

    @property
    def pattern(self) -> Pattern | None:
        """The gold chain or pattern as a pattern that asks for the answer."""
        if isinstance(self.gold, RelationChain):
            return self.gold.to_pattern(directed=False)  # as published
        return self.gold


@dataclass(frozen=True, slots=True)
class Part:
    """One graph and the questions over it.

    Attributes:
        name: of the questions ("1hop", "conjunctive").
        graph: the file of triples, in its first three columns.
        delimiter: between its columns.
        note: a caveat that belongs to every figure measured over it.
    """

    name: str
    graph: Path
    delimiter: str
    questions: tuple[Question, ...]
    note: str = ""


def read(
    name: str, folder: Path | str, *, split: str = "dev", hops: int | None = None
) -> tuple[Part, ...]:
    """The parts of a question set.

    Args:
        name: ``metaqa``, ``pathquestion``, ``worldcup`` or ``webqsp``.
        folder: where its files are.
        split: ``dev``, ``test``, …: part of MetaQA's file names. The other sets
            have one split.
        hops: only questions of so many relations; None for all.

    Raises:
        ConfigurationError: the set is unknown, or has no such questions.
        LoadError: a file is missing or a line is malformed; with file and line.
    """
    reader = READERS.get(name)
    if reader is None:
        near = get_close_matches(name, READERS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConfigurationError(
            f"unknown question set {name!r}; {hint}the sets are {', '.join(READERS)}"
        )
    parts = tuple(reader(Path(folder), split, hops))
    if not parts:
        wanted = "questions" if hops is None else f"questions of {hops} hops"
        raise ConfigurationError(f"{folder} has no {wanted} in the format of {name} ({split})")
    return parts


# -- MetaQA (Zhang et al. 2018) ---------------------------------------------------


def _metaqa(folder: Path, split: str, hops: int | None) -> Iterator[Part]:
    graph = folder / "kb.txt"
    relations = sorted({fact[1] for fact in facts(graph, "|")})
    for count in (1, 2, 3) if hops is None else (hops,):
        file = folder / f"qa_{split}_{count}hop.txt"
        types_file = folder / f"qa_{split}_qtype_{count}hop.txt"
        if hops is None and not file.exists():
            continue
        types = [line for _, line in _lines(types_file)] if types_file.exists() else None
        chains: dict[str, tuple[str, ...]] = {}
        questions = []
        for index, (number, line) in enumerate(_lines(file)):
            fields = line.split("\t")
            if len(fields) != 2 or not fields[1]:
                raise _bad(file, number, "expected `question TAB answer|answer…`", line)
            begin, end = fields[0].find("["), fields[0].rfind("]")
            if not 0 <= begin < end - 1:
                raise _bad(file, number, "expected the topic in [brackets]", line)
            topic = fields[0][begin + 1 : end]
            gold = None
            if types is not None:
                if index >= len(types):
                    raise _bad(types_file, index + 1, f"no type for line {number} of {file}", "")
                if types[index] not in chains:
                    chains[types[index]] = _chain(types[index], relations, types_file, index + 1)
                gold = RelationChain(topic, chains[types[index]])
            questions.append(
                Question(
                    f"{file.name}:{number}",
                    fields[0][:begin] + topic + fields[0][end + 1 :],
                    (topic,),
                    tuple(dict.fromkeys(fields[1].split("|"))),
                    gold,
                    count,
                )
            )
        yield Part(f"{count}hop", graph, "|", tuple(questions))


def _chain(type: str, relations: Sequence[str], file: Path, number: int) -> tuple[str, ...]:
    """The directed relations of a type: ``actor_to_movie`` is ``^starred actors``.

    Of two neighbouring words one is the class that has the relations (movie), and the
    other resembles the name of a relation.
    """
    names = type.split("_to_")
    chain = []
    for here, there in pairwise(names):
        forward, backward = _resembling(there, relations), _resembling(here, relations)
        if (forward is None) == (backward is None):
            raise _bad(file, number, f"no one relation of the graph fits {here} to {there}", type)
        chain.append(words(forward) if forward else f"^{words(backward or '')}")
    if not chain:
        raise _bad(file, number, "expected a type such as `movie_to_actor`", type)
    return tuple(chain)


def _resembling(word: str, relations: Sequence[str]) -> str | None:
    """The relation with the longest common substring with the word, of three letters or more."""

    def shared(relation: str) -> int:
        plain = relation.replace("_", "").lower()
        matcher = SequenceMatcher(None, word.lower(), plain, autojunk=False)
        return matcher.find_longest_match().size

    ranked = sorted(((shared(r), r) for r in relations), reverse=True)
    best = [r for length, r in ranked if length == ranked[0][0] >= 3]
    return best[0] if len(best) == 1 else None


# -- PathQuestions (Zhou et al. 2018) -----------------------------------------------


def _pathquestion(folder: Path, split: str, hops: int | None) -> Iterator[Part]:
    def answers_and_paths(fields: Sequence[str], file: Path, number: int) -> Gold:
        if len(fields) != 3:
            expected = "expected `question TAB answer(all/) TAB path`"
            raise _bad(file, number, expected, "\t".join(fields))
        return _answers_in_parentheses(fields[1], file, number), (fields[2],)

    for count in (2, 3):
        if hops in (None, count):
            files = folder / f"{count}H-kb.txt", folder / f"PQ-{count}H.txt"
            yield _part_with_paths(f"{count}hop", files, count, answers_and_paths)


def _answers_in_parentheses(text: str, file: Path, number: int) -> tuple[str, ...]:
    """All answers in ``a(a/b/)``: ``a`` and ``b``. Names may have parentheses too."""
    for place, letter in enumerate(text):
        if letter == "(" and text.endswith("/)"):
            answers = text[place + 1 : -2].split("/")
            if text[:place] in answers:
                return tuple(dict.fromkeys(answers))
    raise _bad(file, number, "expected the answers as `one(one/other/)`", text)


# -- WorldCup2014 (Zhang et al. 2016) -------------------------------------------------


def _worldcup(folder: Path, split: str, hops: int | None) -> Iterator[Part]:
    def answers_and_paths(fields: Sequence[str], file: Path, number: int) -> Gold:
        if len(fields) < 4 or not fields[3].strip("/"):
            expected = "expected `question TAB answer TAB path TAB all/`"
            raise _bad(file, number, expected, "\t".join(fields))
        answers = tuple(dict.fromkeys(a for a in fields[3].split("/") if a))
        return answers, tuple(fields[2].split("*"))

    for code, name, count in (("P1", "1hop", 1), ("P2", "2hop", 2), ("C", "conjunctive", 1)):
        if hops is None or name == f"{hops}hop":
            files = folder / "WC2014.txt", folder / f"WC-{code}.txt"
            yield _part_with_paths(name, files, count, answers_and_paths)


# -- WebQSP (Yih et al. 2016) over a slice of Freebase -----------------------------------

SLICE_NOTE = (
    "over a biased slice of Freebase (what other systems retrieved for these very questions, "
    "directions partly lost): no WebQSP score"
)


def _webqsp(folder: Path, split: str, hops: int | None) -> Iterator[Part]:
    """Questions with a topic and answers that have names, without gold patterns.

    Their SPARQL cannot be run, because the slice has lost directions. Hops are not known.
    """
    file, graph = folder / "questions.jsonl", folder / "freebase_slice.tsv.gz"
    if not graph.is_file():
        raise LoadError(f"{graph} is missing; see docs/evaluation.md for the files of each set")
    questions = []
    for number, line in _lines(file) if hops is None else ():
        try:
            row = json.loads(line)
            text, topic, answers = row["question"], row["topic_name"], row["gold_names"]
        except (ValueError, KeyError, TypeError) as error:
            raise _bad(file, number, f"expected a question as JSON ({error})", line) from error
        if topic and answers:
            named = tuple(dict.fromkeys(str(answer) for answer in answers if answer))
            questions.append(Question(str(row["id"]), str(text), (str(topic),), named, None, 0))
    if questions:
        yield Part("webqsp", graph, "\t", tuple(questions), SLICE_NOTE)


# -- shared ---------------------------------------------------------------------------


def _part_with_paths(
    name: str,
    files: tuple[Path, Path],
    hops: int,
    answers_and_paths: Callable[[Sequence[str], Path, int], Gold],
) -> Part:
    """A part whose questions have gold paths; its files are the graph and the questions."""
    graph, file = files
    stored = set(facts(graph, "\t"))
    questions = []
    for number, line in _lines(file):
        fields = line.split("\t")
        answers, paths = answers_and_paths(fields, file, number)
        topics = tuple(path.split("#")[0] for path in paths)
        gold = _paths(paths, stored, file, number)
        questions.append(Question(f"{file.name}:{number}", fields[0], topics, answers, gold, hops))
    return Part(name, graph, "\t", tuple(questions))


def _paths(paths: Sequence[str], stored: set[Fact], file: Path, number: int) -> Pattern:
    """Gold paths ``s#r1#e1#r2#e2…`` that meet in their last node, as a pattern.

    Only the topics are known nodes.
    """
    nodes = [Node("answer")]
    edges: list[Edge] = []
    for path in paths:
        steps = path.partition("#<end>")[0].split("#")
        if len(steps) < 3 or len(steps) % 2 == 0 or not all(steps):
            raise _bad(file, number, "expected the gold path as `topic#relation#entity…`", path)
        topic = f"topic{len(edges) + 1}" if edges else "topic"
        nodes.append(Node(topic, steps[0]))
        here = topic
        for place in range(0, len(steps) - 2, 2):
            source, relation, target = steps[place : place + 3]
            there = "answer"
            if place + 3 < len(steps):
                there = f"x{len(edges) + 1}"
                nodes.append(Node(there))
            back = (source, relation, target) not in stored and (target, relation, source) in stored
            ends = (there, here) if back else (here, there)
            edges.append(Edge(ends[0], words(relation), ends[1]))
            here = there
    return Pattern(tuple(nodes), tuple(edges), ("answer",))


def facts(file: Path, delimiter: str) -> Iterator[Fact]:
    """The triples of the file of a graph."""
    for number, line in _lines(file):
        fields = line.split(delimiter)
        if len(fields) != 3 or not all(fields):
            raise _bad(file, number, "expected three columns, head, relation and tail", line)
        yield fields[0], fields[1], fields[2]


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Line numbers and lines of a UTF-8 file, without empty lines."""
    if not file.is_file():
        raise LoadError(f"{file} is missing; see docs/evaluation.md for the files of each set")
    number = 0
    try:
        with file.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise LoadError(f"{file}, after line {number}: not UTF-8 text ({error.reason})") from error


def _bad(file: Path, number: int, problem: str, line: str) -> LoadError:
    shown = line if len(line) <= 80 else line[:77] + "…"
    return LoadError(f"{file}, line {number}: {problem}; it is {shown!r}")


READERS: Mapping[str, Callable[[Path, str, int | None], Iterator[Part]]] = {
    "metaqa": _metaqa,
    "pathquestion": _pathquestion,
    "worldcup": _worldcup,
    "webqsp": _webqsp,
}
