"""Training of the scorer on a toy graph: what it learns, and what a stopped run leaves."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.needs import needs
from tests.unit.learn.threads import same_each_time
from tests.unit.learn.triples.toy import learnt, open_toy, questions

from isomatch.errors import ArtifactError
from isomatch.learn.config import TriplesConfig
from isomatch.learn.report import Event
from isomatch.learn.triples.data import TripleQuestion
from isomatch.session import Session
from isomatch.trained.artifact import read_config
from isomatch.triples.features import Elements
from isomatch.triples.rankers import WEIGHTS, ScorerRanker, TripleScorer
from isomatch.triples.ranking import Surroundings

needs("train", "torch")

AROUND = Surroundings(hops=2)
FEW: dict[str, Any] = {"around": AROUND, "hidden": 32, "batch": 4, "rate": 1e-2}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_toy(tmp_path_factory.mktemp("toy")) as session:
        yield session


@pytest.fixture(scope="module")
def asked(session: Session) -> tuple[list[TripleQuestion], list[TripleQuestion]]:
    """Questions to learn from, and those about the films that none of them names."""
    everything = learnt(session, questions())
    later = [q for q in everything if q.text.rstrip("?")[-1] in "DHLP"]
    return [q for q in everything if q not in later], later


def trained(session: Session, out: Path, asked: list[TripleQuestion], **given: Any) -> Any:
    from isomatch.learn.triples.training import train

    how = {key: given.pop(key) for key in ("resume", "watch") if key in given}
    config = TriplesConfig.of(**{**FEW, "epochs": 25, **given})
    return train(asked, session.resources, out, config, **how)


@pytest.fixture(scope="module")
def model(
    session: Session,
    asked: tuple[list[TripleQuestion], list[TripleQuestion]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    out = tmp_path_factory.mktemp("model")
    trained(session, out, asked[0])
    return out


def test_the_best_triples_of_new_questions_answer_them(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], model: Path
):
    ranker = ScorerRanker(session.resources, model)
    for question in asked[1]:
        best = ranker.rank(question.text, question.topics, len(question.answers))
        assert {scored.triple.target.id for scored in best} == set(question.answers)
        assert {scored.triple.source.id for scored in best} == set(question.topics)
        assert all(0.0 < scored.score < 1.0 for scored in best)


@pytest.mark.parametrize("features", ["published", "similar"])
def test_what_serves_gives_the_scores_that_were_trained(features: Any):
    import torch

    from isomatch.learn.triples.data import Labelled
    from isomatch.learn.triples.training import Network, Table
    from isomatch.triples.features import node_width

    torch.manual_seed(1)
    chosen = np.random.default_rng(1)
    vectors = chosen.normal(size=(6, 8)).astype(np.float16)
    texts = ["q", "a", "b", "r", "s"]
    table = Table({text: place for place, text in enumerate(texts)}, vectors)
    item = Labelled(
        "q",
        ("a", "", "b"),
        ("r", "s"),
        np.array([0, 1, 0]),
        np.array([0, 1, 1]),
        np.array([1, 2, 2]),
        chosen.normal(size=(3, node_width(features))).astype(np.float32),
        np.array([True, False, False]),
    )
    network = Network(8, features, 2, 16)
    torch.nn.init.normal_(network.nameless)
    expected = torch.sigmoid(network([item], table, table)).detach().numpy()
    scorer = network.scorer()
    assert (scorer.features, scorer.rounds) == (features, 2)
    found = scorer.scores(
        table.of(["q"])[0],
        table.of(item.names),
        np.array([True, False, True]),
        table.of(item.relations),
        item.encoded,
        (item.heads, item.links, item.tails),
    )
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_gradients_of_the_triple_scorer_are_the_same_each_time():
    import torch

    from isomatch.learn.triples.data import Labelled
    from isomatch.learn.triples.training import Network, Table
    from isomatch.triples.features import node_width

    torch.manual_seed(1)
    chosen = np.random.default_rng(1)
    table = Table({"q": 0, "a": 1, "r": 2}, chosen.normal(size=(4, 8)).astype(np.float16))
    heads, tails = chosen.integers(0, 50, size=(2, 3000))
    item = Labelled(
        "q",
        ("a",) * 50,
        ("r",) * 5,
        heads,
        chosen.integers(0, 5, size=3000),
        tails,
        chosen.normal(size=(50, node_width("similar"))).astype(np.float32),
        np.zeros(3000, np.bool_),
    )
    network = Network(8, "similar", 2, 64)

    def gradient() -> torch.Tensor:
        network.zero_grad()
        network([item], table, table).square().sum().backward()
        return torch.cat([p.grad.flatten() for p in network.parameters() if p.grad is not None])

    assert same_each_time(gradient)


def test_a_useful_triple_below_another_costs_more():
    import torch

    from isomatch.learn.triples.data import Labelled
    from isomatch.learn.triples.training import ranking_loss

    none = np.zeros(0, np.int64)
    useful = np.array([True, False, False, True])
    item = Labelled(
        "q",
        (),
        (),
        useful.astype(np.int64),
        none,
        none,
        np.zeros((0, 10), np.float32),
        useful,
    )
    # By hand: ln(1 + (e^0 + e^1) / e^2) and ln(1 + (e^0 + e^1) / e^0), their mean.
    loss = ranking_loss(torch.tensor([2.0, 0.0, 1.0, 0.0]), [item])
    assert float(loss) == pytest.approx((np.log1p((1 + np.e) / np.e**2) + np.log1p(1 + np.e)) / 2)
    swapped = ranking_loss(torch.tensor([2.0, 0.0, 0.0, 1.0]), [item])
    assert float(swapped) < float(loss)


def test_the_published_form_learns_the_same(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    config = trained(session, tmp_path, asked[0], features="published", listwise=0.0)
    assert config.model["features"] == "published"
    ranker = ScorerRanker(session.resources, tmp_path)
    assert (ranker.scorer.features, ranker.scorer.rounds) == ("published", 2)
    for question in asked[1]:
        best = ranker.rank(question.text, question.topics, len(question.answers))
        assert {scored.triple.target.id for scored in best} == set(question.answers)


def test_the_run_writes_what_it_was(session: Session, model: Path):
    config = read_config(model)
    assert (config.kind, config.complete, config.nodes) == ("triples", True, "anchored")
    assert config.fingerprint == session.schema.fingerprint
    assert (config.model["features"], config.training["listwise"]) == ("similar", 1.0)
    assert (config.training["questions"], config.training["questions_held_back"]) == (24, 0)
    assert config.training["recall_at_100"] is None  # a tenth of them were too few
    assert not (model / "checkpoint").exists()
    card = (model / "README.md").read_text(encoding="utf-8")
    assert "A scorer of triples" in card
    assert "recall at 100" in card
    steps = (model / "curves.csv").read_text(encoding="utf-8").splitlines()
    assert steps[0] == "epoch,step,loss,rate,validation"
    assert len(steps) > 100
    assert (model / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_relation_is_learnt_as_it_is_served(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    from isomatch.learn.triples.data import LabelledQuestions, read

    elements, [question, *_] = Elements(session.resources), asked[0]
    hood = AROUND.neighbourhood(session.resources, question.topics, elements)
    config = TriplesConfig(around=AROUND, negatives=1)  # few of the triples are sampled
    data = LabelledQuestions(session.resources, config, "anchored", tmp_path)
    files, _ = data.prepare([question], frozenset())
    texts = {relation.id: relation.text for relation in session.schema.relations}
    item = read(files[question.id])
    assert 0 < len(item) < len(hood)
    # All of them, since one feature is how far a relation is below the best one around.
    assert item.relations == tuple(texts[id] for id in hood.relations)


def test_a_model_of_other_features_is_refused(session: Session, model: Path, tmp_path: Path):
    from safetensors.numpy import load_file, save_file

    other = tmp_path / "rows"
    shutil.copytree(model, other)
    weights = load_file(model / WEIGHTS)
    save_file({**weights, "head_dde": weights["head_dde"][:-1]}, other / WEIGHTS)
    with pytest.raises(ArtifactError, match="of other features"):
        ScorerRanker(session.resources, other)
    config = json.loads((model / "config.json").read_text())
    config["model"]["form"] = 0
    (other / "config.json").write_text(json.dumps(config))
    with pytest.raises(ArtifactError, match="of another form"):
        ScorerRanker(session.resources, other)


def test_the_same_seed_gives_the_same_model(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        trained(session, tmp_path / name, asked[0], epochs=2, seed=seed)
    a, b, c = (TripleScorer.read(tmp_path / name / WEIGHTS) for name in "abc")
    np.testing.assert_array_equal(a.head, b.head)
    assert not np.array_equal(a.head, c.head)


class Stop(KeyboardInterrupt):
    """Somebody presses Ctrl-C."""


def test_a_stopped_run_can_be_used_and_gone_on_with(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    def stop(event: Event) -> None:
        if event.epoch == 3:
            raise Stop

    whole, halved = tmp_path / "whole", tmp_path / "halved"
    trained(session, whole, asked[0], epochs=4)
    with pytest.raises(Stop):
        trained(session, halved, asked[0], epochs=4, watch=stop)
    assert read_config(halved).complete is False
    ScorerRanker(session.resources, halved).rank(asked[1][0].text, asked[1][0].topics, 3)
    trained(session, halved, asked[0], epochs=4, resume=True)
    assert read_config(halved).complete is True
    ends = [TripleScorer.read(out / WEIGHTS).output for out in (whole, halved)]
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-5)
    with pytest.raises(Stop):
        trained(session, halved, asked[0], epochs=4, watch=stop)
    with pytest.raises(ArtifactError, match="other data or options"):
        trained(session, halved, asked[0], epochs=4, rate=1e-4, resume=True)


def test_a_loss_that_is_no_number_stops_the_run(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    with pytest.raises(ArtifactError, match=r"the loss became .* step"):
        trained(session, tmp_path, asked[0], rate=1e30)


def test_questions_that_nothing_explains_are_told(session: Session, tmp_path: Path):
    lost = TripleQuestion("1", "who?", (), ())
    far = TripleQuestion("2", "who?", ("http://films.example/nowhere",), ("http://x/y",))
    with pytest.raises(ArtifactError, match="1 of them: no topic node"):
        trained(session, tmp_path, [lost, far])


def test_a_model_of_another_graph_or_embedder_is_refused(
    session: Session, model: Path, tmp_path: Path
):
    other = tmp_path / "other"
    shutil.copytree(model, other)
    config = json.loads((other / "config.json").read_text(encoding="utf-8"))
    config["model"]["embedder"] = "another"
    (other / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ArtifactError, match="trained with the embedder 'another'"):
        ScorerRanker(session.resources, other)
    shutil.copyfile(model / "config.json", other / "config.json")
    (other / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(ArtifactError, match="no weights"):
        ScorerRanker(session.resources, other)
    vocabulary = json.loads((other / "vocabulary.json").read_text(encoding="utf-8"))
    text = json.dumps(vocabulary).replace("directed", "baked")
    (other / "vocabulary.json").write_text(text, encoding="utf-8")
    with pytest.raises(ArtifactError, match="baked"):
        ScorerRanker(session.resources, other)


def test_shortest_paths_are_learnt_from_too(
    session: Session, asked: tuple[list[TripleQuestion], list[TripleQuestion]], tmp_path: Path
):
    config = trained(session, tmp_path, asked[0], epochs=2, paths="shortest", validation=0.25)
    assert config.training["paths"] == "shortest"
    assert (config.training["questions"], config.training["questions_held_back"]) == (18, 6)
    assert config.training["recall_at_100"] == 1.0  # there are no 100 triples
    last = (tmp_path / "curves.csv").read_text(encoding="utf-8").splitlines()[-1]
    assert last.endswith(",1.0")
