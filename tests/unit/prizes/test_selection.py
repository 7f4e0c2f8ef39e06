"""Evidence for open questions, over a small graph, and what is said where there is none."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import httpx
import numpy as np
import pytest
from tests.shared import made_once
from tests.unit.endpoint import Endpoint, chat
from typer.testing import CliRunner

from isomatch import EvidenceRetriever
from isomatch.answer.support import SupportCheck
from isomatch.answer.types import REFUSAL, Answer
from isomatch.cli.app import app
from isomatch.errors import ArtifactError, ConfigurationError, InterpretationError
from isomatch.factories import make_index
from isomatch.options import OPEN_FORMS, PrizeOptions
from isomatch.output.json import answer_form
from isomatch.output.words import selection_words
from isomatch.prizes.assignment import assign
from isomatch.prizes.graph import Size, prune
from isomatch.prizes.selection import _passed_over
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.triples.features import Elements
from isomatch.triples.rankers import open_ranker
from isomatch.triples.ranking import Surroundings

FACTS = """Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Heat,starring,Al Pacino
Serpico,starring,Al Pacino
Serpico,directed by,Sidney Lumet
Metropolis,directed by,Fritz Lang
"""
YEARS = '<urn:e:Heat> <urn:e:year> "1995" . <urn:e:Casino> <urn:e:year> "1995" .'
QUESTION = "How are Ali and Serpico connected?"


def make(folder: Path) -> None:
    facts = folder / "films.csv"
    many = "".join(f"The Studio,made,Film number {n}\n" for n in range(1200))
    facts.write_text(f"{FACTS}{many}Film number 7,directed by,Sidney Lumet\n", "utf-8")
    settings = Settings(home=folder / "home")
    load([facts], settings.graph_path)
    make_index(settings)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "prized-films", make) / "home"


@pytest.fixture(scope="module")
def session(home: Path) -> Iterator[Session]:
    with Session.open(home=home) as opened:
        yield opened


def facts_of(answer: Answer) -> set[tuple[str, str, str]]:
    return {
        (e.triple.source.name, e.triple.relation.name, e.triple.target.name)
        for e in answer.evidence
    }


def test_a_subgraph_joins_what_is_asked_about(session: Session):
    answer = session.ask(QUESTION, retriever="steiner")
    assert answer.supported
    assert answer.text.startswith(
        "Ali and Serpico are connected through Michael Mann, Heat and Al Pacino [1-4]. "
    )
    assert "The director of Ali and Heat is Michael Mann [1][2]." in answer.text
    assert ("Serpico", "starring", "Al Pacino") in facts_of(answer)
    assert " ".join(sentence.text for sentence in answer.sentences) == answer.text
    assert all(sentence.supported and sentence.cited for sentence in answer.sentences)
    assert (answer.result, answer.hypothesis, answer.retriever) == (None, None, "steiner")
    assert set(answer.cited) == {e.number for e in answer.evidence}
    selection = answer.selection
    assert selection is not None
    assert selection.optimal
    assert selection.bound == selection.score
    assert selection.before == selection.after
    form = json.loads(json.dumps(answer_form(answer), allow_nan=False))["selection"]
    assert form["optimal"] is True
    assert form["surroundings"]["after"] == {"nodes": 7, "facts": 6}
    assert form["options"]["k"] == 10
    assert "proven optimal" in form["words"]


def test_topics_are_told_in_the_order_of_the_question(session: Session):
    answer = session.ask("How are Serpico and Ali connected?", retriever="steiner")
    assert answer.text.startswith("Serpico and Ali are connected through ")


@pytest.mark.parametrize("form", OPEN_FORMS)
def test_what_is_told_of_facts_passes_the_check_of_a_models_sentences(session: Session, form: str):
    answer = session.ask(QUESTION, retriever=form, length=4)
    check = SupportCheck(answer.evidence, session.lexicon.language)
    assert tuple(s for line in check.lines(answer.text) for s in line) == answer.sentences
    assert all(sentence.supported for sentence in answer.sentences)


def test_paths_have_a_number_each(session: Session):
    answer = session.ask(QUESTION, retriever="paths", k=3, length=4)
    lines = answer.text.splitlines()
    assert len(lines) == 3
    assert [line[-4:] for line in lines] == ["[1].", "[2].", "[3]."]
    assert answer.selection is not None
    assert answer.selection.optimal
    assert {len(group) for group in answer.selection.groups} <= {1, 2, 3, 4}


def test_triplets_are_those_of_the_highest_prizes(session: Session):
    answer = session.ask(QUESTION, retriever="triplets", k=2)
    assert len(answer.evidence) == 2
    scores = [e.score for e in answer.evidence if e.score is not None]
    assert scores == sorted(scores, reverse=True)


def test_prizes_may_be_those_of_a_ranker(home: Path):
    with Session.open(home=home) as opened:
        ranker = opened.triple_ranker = open_ranker("pagerank", opened.resources)
        ids = [id for name, id in opened.index.all_names() if name in ("Ali", "Serpico")]
        wanted = ranker.rank(QUESTION, ids, 3)
        answer = opened.ask(QUESTION, retriever="steiner", prizes="scorer", k=3, cost=0.1)
        assert {fact.triple for fact in wanted} <= {e.triple for e in answer.evidence}
        paths = opened.ask(QUESTION, retriever="paths", prizes="scorer", k=3, length=4)
        starts = {e.triple.source.name for e in paths.evidence if e.number == 1}
        assert starts & {"Ali", "Serpico"}
        assert paths.selection is not None
        assert "facts from a topic scores more" in selection_words(paths.selection)
        triplets = opened.ask(QUESTION, retriever="triplets", prizes="scorer", k=3)
        assert [e.triple for e in triplets.evidence] == [fact.triple for fact in wanted]


def test_prizes_of_the_scorer_need_a_trained_one(session: Session):
    with pytest.raises(ArtifactError, match="isomatch train triples"):
        session.ask(QUESTION, retriever="steiner", prizes="scorer")


def test_topics_without_a_connection_have_a_tree_each(session: Session):
    answer = session.ask("How are Heat and Metropolis connected?", retriever="steiner")
    assert answer.supported
    assert answer.selection is not None
    assert len(answer.selection.groups) == 2
    assert any("not connected within these surroundings" in note for note in answer.notes)
    assert "are connected" not in answer.text
    assert "a tree for each part that has a topic" in selection_words(answer.selection)


def test_facts_between_topics_that_the_subgraph_lacks_are_told(session: Session):
    ids = [id for name, id in session.index.all_names() if name in ("Heat", "Al Pacino")]
    hood = Surroundings(1).neighbourhood(session.resources, ids, Elements(session.resources))
    direct = {e for e in range(len(hood)) if {hood.heads[e], hood.tails[e]} == {0, 1}}
    others = set(range(len(hood))) - direct
    assert len(direct) == 1
    assert others
    assert _passed_over(hood, others) == "Al Pacino and Heat"
    assert _passed_over(hood, others | direct) == ""
    assert _passed_over(hood, set()) == ""
    answer = session.ask("How are Heat and Al Pacino connected?", retriever="steiner")
    assert not any("join topics directly" in note for note in answer.notes)


def test_a_topic_that_is_not_in_the_graph_is_told(session: Session):
    answer = session.ask(QUESTION, retriever="steiner", topics=["Heat", "Zzyx"])
    assert answer.supported
    assert any(n.startswith("nothing in the graph is called “Zzyx”") for n in answer.notes)
    asked = session.ask("How are Heat and Casablanca connected?", retriever="steiner")
    assert any(n.startswith("nothing in the graph is called “Casablanca”") for n in asked.notes)
    assert not any("read as" in note for note in asked.notes)
    with pytest.raises(InterpretationError, match="no name of the graph"):
        session.ask(QUESTION, retriever="paths", topics=["Zzyx"])


@pytest.mark.parametrize("form", OPEN_FORMS)
def test_a_topic_without_facts_is_no_empty_success(tmp_path: Path, form: str):
    (tmp_path / "g.ttl").write_text(
        f"{YEARS} <urn:e:Solaris> a <urn:e:Film> ; "
        '<http://www.w3.org/2000/01/rdf-schema#label> "Solaris" .'
    )
    settings = Settings(home=tmp_path / "home")
    load([tmp_path / "g.ttl"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as session:
        answer = session.ask("What is Solaris?", retriever=form, topics=["<urn:e:Solaris>"])
        assert (answer.supported, answer.text, answer.evidence) == (False, REFUSAL, ())
        assert "Solaris has no facts" in answer.notes
        # Two films of one year are not joined by it.
        both = session.ask("Heat and Casino?", retriever="steiner", topics=["Heat", "Casino"])
        assert any("not connected" in note for note in both.notes)
        assert both.selection is not None
        assert len(both.selection.groups) <= 2


def test_where_no_fact_is_worth_its_cost_there_is_no_evidence(session: Session):
    answer = session.ask(QUESTION, retriever="steiner", cost=100, k=2)
    assert (answer.supported, answer.text) == (False, REFUSAL)
    assert any("no fact is worth its cost" in note for note in answer.notes)
    assert any("its prize does not pay for the way" in note for note in answer.notes)


def test_a_hub_is_read_in_part_and_that_is_told(session: Session):
    answer = session.ask(
        "What has Sidney Lumet to do with The Studio?",
        retriever="steiner",
        topics=["Sidney Lumet"],
        hops=3,
    )
    assert answer.supported
    assert any("The Studio has 1,200 facts, of which 1,000" in note for note in answer.notes)
    assert answer.selection is not None
    assert answer.selection.after.nodes <= 500 < answer.selection.before.nodes


def test_k_larger_than_the_graph_is_told(session: Session):
    answer = session.ask(QUESTION, retriever="triplets", k=1000)
    assert "k is 1000, and there are only 7 nodes and 6 facts: all have a prize" in answer.notes
    assert len(answer.evidence) == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cost": -1}, "cost must be a number from 0 on, not -1"),
        ({"cost": float("nan")}, "cost must be a number from 0 on, not nan"),
        ({"cost": "1"}, "cost must be a number from 0 on, not '1'"),
        ({"k": 0}, "k must be a whole number from 1 on"),
        ({"k": None}, "k must be a whole number from 1 on"),
        ({"most_nodes": 0}, "most_nodes must be a whole number from 1 on"),
        ({"prizes": "dice"}, "prizes must be one of 'likeness', 'scorer', not 'dice'"),
        ({"proof_seconds": -1}, "proof_seconds must be a number from 0 on"),
        ({"budget_seconds": 0}, "budget_seconds must be positive"),
        ({"pruning": "weak"}, "pruning must be one of 'strong', 'gw', not 'weak'"),
        ({"limit": 3}, r"option 'limit' \(other retrievers have it\); the options are budget_"),
    ],
)
def test_options_are_checked(session: Session, options: dict[str, object], words: str):
    with pytest.raises(ConfigurationError, match=words):
        session.ask(QUESTION, retriever="steiner", **options)
    with pytest.raises(ConfigurationError, match=words):
        EvidenceRetriever(session, "steiner", **options)


def test_the_token_budget_cuts_whole_paths(session: Session, monkeypatch: pytest.MonkeyPatch):
    small = session.settings.model_copy(update={"evidence_tokens": 40})
    monkeypatch.setattr(session.resources, "settings", small)
    answer = session.ask(QUESTION, retriever="paths", length=2)
    assert answer.cut
    assert answer.supported
    assert "the token budget of the evidence left facts out" in answer.notes


def test_the_retriever_has_the_interface_of_the_others(session: Session):
    retriever = EvidenceRetriever(session, "paths", length=2)
    found = retriever.search(query_text=QUESTION, top_k=2)
    assert len(found.items) == 2
    assert " | directed by | " in found.items[0].content
    assert found.items[0].metadata["rank"] == 1
    assert found.metadata["selection"]["optimal"] is True
    json.dumps([found.metadata, found.items[0].metadata], allow_nan=False)
    (tree,) = EvidenceRetriever(session).search(QUESTION).items
    assert len(tree.content.splitlines()) == len(tree.metadata["triples"])
    with pytest.raises(ConfigurationError, match="form must be one of"):
        EvidenceRetriever(session, "triples")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="top_k"):
        retriever.search(QUESTION, top_k=0)


def test_the_adapters_take_a_form(session: Session):
    langchain = pytest.importorskip("isomatch.adapters.langchain")
    graphrag = pytest.importorskip("isomatch.adapters.graphrag")
    documents = langchain.IsomatchRetriever(session, retriever="steiner").invoke(QUESTION)
    assert "Ali | directed by | Michael Mann" in documents[0].page_content
    found = graphrag.IsomatchRetriever(session, retriever="triplets", k=2).search(
        query_text=QUESTION, top_k=5
    )
    assert len(found.items) == 2
    with pytest.raises(ConfigurationError, match="retriever must be one of"):
        langchain.IsomatchRetriever(session, retriever="triples")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("steiner", "[1] Ali | directed by | Michael Mann"),
        ("triplets", "[1] "),
        ("paths", "[1] "),
    ],
)
def test_a_model_reads_the_evidence(home: Path, form: str, line: str):
    told = []

    def reply(request: httpx.Request) -> httpx.Response:
        """What the first fact says."""
        asked = json.loads(request.content)["messages"][1]["content"]
        told.append(next(text for text in asked.splitlines() if text.startswith("[1] ")))
        forward = told[0].removeprefix("[1] ").partition(" <-")[0]
        return chat(f"{re.sub(r' [|] | -|-> ', ' ', forward)} [1].")

    endpoint = Endpoint(reply)
    with Session.open(home=home) as session:
        session.model = endpoint.model()
        answer = session.ask(QUESTION, retriever=form)
    assert len(endpoint.bodies) == 1  # for the answer alone
    assert line in endpoint.said[0][1]
    assert (answer.source, answer.cited, answer.supported) == ("model", (1,), True)
    assert answer.selection is not None
    assert answer.selection.form == form


def test_a_setting_says_what_becomes_of_sentences_without_support(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    said = "Ali was directed by Michael Mann [1]. It is a great film [1]."
    for given, shown in (("mark", True), ("drop", False), (None, False)):
        if given:
            monkeypatch.setenv("ISOMATCH_UNSUPPORTED", given)
        else:
            monkeypatch.delenv("ISOMATCH_UNSUPPORTED")
        with Session.open(home=home) as session:
            session.model = Endpoint(said).model()
            answer = session.ask(QUESTION, retriever="steiner")
        assert ("It is a great film [1]. [unsupported]" in answer.text) is shown
        assert [s.supported for s in answer.sentences] == [True, False]
    monkeypatch.setenv("ISOMATCH_UNSUPPORTED", "keep")
    with pytest.raises(ConfigurationError, match="'unsupported'"):
        Session.open(home=home)
    code, _, err = run("ask", QUESTION, "--unsupported", "keep", "--home", str(home))
    assert (code, err) == (2, "error: --unsupported must be one of mark, drop, not 'keep'\n")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments, prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_evidence(home: Path):
    asked = ("ask", QUESTION, "--retriever", "steiner", "--home", str(home))
    code, out, _ = run(*asked)
    assert code == 0
    assert "surroundings of 2 hops: 7 nodes and 6 facts" in out
    code, out, _ = run(*asked, "--mermaid")
    assert (code, out.splitlines()[0]) == (0, "flowchart LR")
    assert '(["Ali"]):::answer' in out
    code, out, _ = run(*asked, "--dot", "--cost", "100", "-k", "1")
    assert (code, out) == (8, "")
    code, out, err = run(*asked, "--format", "csv")
    rows = list(csv.DictReader(StringIO(out)))
    assert (rows[0]["relationLabel"], rows[0]["number"]) == ("directed by", "1")
    assert "proven optimal" in err
    assert run(*asked, "--cost", "-1")[0] == 2
    assert run(*asked, "--dot", "--stream")[0] == 2


def test_pruning_keeps_topics_and_what_hangs_together(session: Session):
    ids = [m.ids[0] for m in session.mentions.find("Sidney Lumet")]
    elements = Elements(session.resources)
    hood = Surroundings(hops=3).neighbourhood(session.resources, ids, elements)
    for most in (1, 3, 50):
        pruned = prune(hood, 0.0, most)
        assert Size.of(pruned).nodes <= most
        assert pruned.nodes[0] == ids[0]
        places = {id: place for place, id in enumerate(hood.nodes)}
        kept = set(zip(*(hood_ids(pruned)), strict=True))
        assert kept <= set(zip(*hood_ids(hood), strict=True))
        assert all(node in places for node in pruned.nodes)
    assert prune(hood, 0.0) is hood


def hood_ids(hood) -> tuple[list[str], list[str], list[str]]:
    return (
        [hood.nodes[i] for i in hood.heads],
        [hood.relations[i] for i in hood.links],
        [hood.nodes[i] for i in hood.tails],
    )


def test_prizes_go_down_from_k(session: Session):
    ids = [id for m in session.mentions.find(QUESTION) for id in m.ids]
    elements = Elements(session.resources)
    hood = Surroundings().neighbourhood(session.resources, ids, elements)
    assigned = assign(QUESTION, hood, elements, 4, 1.0)
    assert sorted(assigned.graph.nodes[assigned.graph.nodes > 0]) == [1, 2, 3, 4]
    assert sorted(assigned.graph.edges[assigned.graph.edges > 0]) == [1, 2, 3, 4]
    best = np.argsort(-assigned.graph.nodes, kind="stable")[:2]
    assert {hood.names[i] for i in best} == {"Ali", "Serpico"}
    assert PrizeOptions().k == 10
