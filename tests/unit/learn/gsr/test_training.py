"""Chain models trained on a toy: what they learn, and what stops them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.needs import needs

needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

import torch  # noqa: E402
from safetensors.torch import load_file  # noqa: E402
from tests.unit.learn.gsr.tiny import (  # noqa: E402
    DIRECTOR,
    FORMS,
    OTHERS,
    VOCABULARY,
    WRITER,
    bert,
    examples,
    t5,
    train,
)
from tests.unit.learn.threads import same_each_time  # noqa: E402

from isomatch.chains.graph import Chain, Step  # noqa: E402
from isomatch.errors import ArtifactError, ConfigurationError  # noqa: E402
from isomatch.learn.config import GsrConfig  # noqa: E402
from isomatch.learn.examples import Example  # noqa: E402
from isomatch.learn.gsr import training  # noqa: E402
from isomatch.learn.gsr.backbones import EncoderWithDecoder, build  # noqa: E402
from isomatch.learn.gsr.batches import batches, rows_of, split  # noqa: E402
from isomatch.learn.gsr.export import export  # noqa: E402
from isomatch.learn.loop import Loop  # noqa: E402
from isomatch.learn.report import Event  # noqa: E402
from isomatch.trained.artifact import ArtifactConfig, open_artifact  # noqa: E402
from isomatch.trained.beam import Beam, search  # noqa: E402
from isomatch.trained.masking import MASK  # noqa: E402
from isomatch.trained.runtime import ChainModel  # noqa: E402
from isomatch.trained.vocabulary import StepVocabulary  # noqa: E402

TOY: dict[str, Any] = {"batch": 4, "epochs": 25, "rate": 5e-3, "dropped": 0.0, "int8": False}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def trained(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ArtifactConfig]:
    out = tmp_path_factory.mktemp("trained") / "gsr"
    config = train(examples(), VOCABULARY, out, backbone=tiny, fingerprint="f", **TOY)
    return out, config


def best(folder: Path, text: str) -> Chain:
    model = ChainModel(folder)
    encoded = model.encode([f"[Retrieval] {text}"])
    (found,) = search(lambda steps: model.decode(encoded, steps), VOCABULARY, 1, Beam(longest=2))
    return found[0].chain


def check_learned(folder: Path) -> None:
    wrong = [
        form
        for chain, forms in FORMS.items()
        for form in forms
        if best(folder, form.format(MASK)) != chain
    ]
    assert wrong == []


def test_what_serves_gives_the_chains_that_were_taught(
    trained: tuple[Path, ArtifactConfig],
) -> None:
    check_learned(trained[0])


def test_the_artifact_is_whole(trained: tuple[Path, ArtifactConfig]) -> None:
    out, config = trained
    assert {path.name for path in out.iterdir()} == {
        "README.md",
        "config.json",
        "curves.csv",
        "curves.png",
        "decoder.onnx",
        "encoder.onnx",
        "metrics.json",
        "tokenizer.json",
        "vocabulary.json",
        "weights.safetensors",
    }
    kept = open_artifact(out, "gsr")
    assert kept.config == config
    assert kept.vocabulary == VOCABULARY
    assert (config.complete, config.fingerprint, config.nodes) == (True, "f", "anchored")
    assert config.model["longest"] == 2
    assert "_name_or_path" not in config.model["network"]
    rows = list(csv.DictReader((out / "curves.csv").open(encoding="utf-8")))
    assert float(rows[-1]["loss"]) < float(rows[0]["loss"]) / 10
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "its 3 relations" in card
    assert "| epochs | 25 |" in card
    agreed = json.loads((out / "metrics.json").read_text())["what_serves_beside_what_was_trained"]
    assert agreed["same_best_chain"] == 1.0


@pytest.mark.parametrize("form", [{}, {"width": 12, "over": 1}])
def test_onnx_and_torch_agree_at_any_number_and_length(
    tiny: str, tmp_path: Path, form: dict[str, int]
) -> None:
    torch.manual_seed(3)
    network = build(tiny, VOCABULARY, **form).eval()
    network.tokenizer.save(str(tmp_path / "tokenizer.json"))
    export(tmp_path, network, int8=False)
    model = ChainModel(tmp_path)
    texts = ["who directed", "what other films has the director of [MASK] made", "films"]
    for some in (texts, texts[:1]):
        ids, mask = network.padded(network.tokens(some))
        steps = torch.randint(2, len(VOCABULARY), (len(some), 5, 3))
        steps[..., 0] = 0
        with torch.no_grad():
            wanted = network.decode(network.encode(ids, mask), mask, steps)
        given = model.decode(model.encode(some), steps.numpy())
        torch.testing.assert_close(torch.from_numpy(given), wanted, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("form", [{"layers": 1}, {"layers": 2}, {"width": 12, "over": 1}])
def test_to_go_on_scores_the_same_as_to_begin_anew(tiny: str, form: dict[str, int]) -> None:
    torch.manual_seed(3)
    network = build(tiny, VOCABULARY, **form).eval()
    assert isinstance(network, EncoderWithDecoder)
    ids, mask = network.padded(network.tokens(["who directed", "films of the director"]))
    steps = torch.randint(2, len(VOCABULARY), (2, 5, 3))
    with torch.no_grad():
        states = network.encode(ids, mask)
        memory = network.memory(states, mask)
        past = torch.zeros(10, 0, network.cached_width)
        for places in (1, 2, 3):
            begun = steps[:, :, :places]
            found, past = network.decode_cached(memory, mask, begun, past)
            torch.testing.assert_close(found, network.decode(states, mask, begun))
    assert past.shape == (10, 3, network.cached_width)


def test_steps_that_are_not_seen_in_training_are_seen_in_serving(tiny: str) -> None:
    torch.manual_seed(3)
    network = build(tiny, VOCABULARY, unseen=1.0)
    ids, mask = network.padded(network.tokens(["who directed"]))
    steps = torch.tensor([[[0, 2], [0, 3]]])  # two chains begun
    with torch.no_grad():
        states = network.encode(ids, mask)
        network.train()
        for layer in network.modules():
            if isinstance(layer, torch.nn.Dropout):
                layer.eval()
        one, other = network.decode(states, mask, steps)[0]
        torch.testing.assert_close(one, other)
        one, other = network.eval().decode(states, mask, steps)[0]
    assert not torch.allclose(one, other, atol=1e-3)


def test_what_serves_goes_on_from_the_right_chain(tiny: str, tmp_path: Path) -> None:
    torch.manual_seed(3)
    network = build(tiny, VOCABULARY).eval()
    network.tokenizer.save(str(tmp_path / "tokenizer.json"))
    export(tmp_path, network, int8=False)
    model = ChainModel(tmp_path)
    decoder = model._decoder
    runs: list[int] = []

    class Counting:
        def run(self, names: list[str], inputs: dict[str, Any]) -> Any:
            runs.append(inputs["steps"].shape[2])
            return decoder.run(names, inputs)

    model._decoder = Counting()
    texts = ["who directed", "films of the director"]
    encoded = model.encode(texts)
    ids, mask = network.padded(network.tokens(texts))
    with torch.no_grad():
        states = network.encode(ids, mask)
    # Each text's beam in another order; one goes on twice from a chain, one is filled up.
    for beams in (
        [[[0]], [[0]]],
        [[[0, 2], [0, 4]], [[0, 5], [0, 3]]],
        [[[0, 4, 2], [0, 2, 3], [0, 4, 5]], [[0, 3, 2], [0, 5, 2], [0, 0, 0]]],
    ):
        steps = torch.tensor(beams)
        with torch.no_grad():
            wanted = network.decode(states, mask, steps)
        given = torch.from_numpy(model.decode(encoded, steps.numpy()))
        meant = steps.any(dim=2) | (steps.shape[2] == 1)
        torch.testing.assert_close(given[meant], wanted[meant], atol=1e-4, rtol=1e-4)
    assert runs == [1, 2, 3]  # nothing is computed again


def test_eight_bits_choose_the_same_chains(tiny: str, tmp_path: Path) -> None:
    train(examples(), VOCABULARY, tmp_path, backbone=tiny, **{**TOY, "int8": True})
    check_learned(tmp_path)


def test_a_frozen_encoder_is_left_as_it_was(tiny: str, tmp_path: Path) -> None:
    train(examples(), VOCABULARY, tmp_path, backbone=tiny, freeze=True, **{**TOY, "epochs": 40})
    check_learned(tmp_path)
    before = load_file(f"{tiny}/model.safetensors")
    after = load_file(tmp_path / "weights.safetensors")
    for name, weights in before.items():
        assert torch.equal(weights, after[f"encoder.{name}"]), name


def test_a_sequence_to_sequence_model_learns_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out"
    config = train(
        examples(), VOCABULARY, out, backbone=t5(tmp_path / "t5"), **{**TOY, "epochs": 40}
    )
    assert "layers" not in config.model
    check_learned(out)


def test_gradients_of_the_chain_model_are_the_same_each_time(tiny: str) -> None:
    torch.manual_seed(3)
    network = build(tiny, VOCABULARY).eval()
    ids, mask = network.padded(network.tokens(["who directed"] * 16))
    steps = torch.randint(2, len(VOCABULARY), (16, 400, 4))
    states = network.encode(ids, mask).detach()

    def gradient() -> torch.Tensor:
        network.zero_grad()
        network.scores(states, mask, steps).square().sum().backward()
        found = network.get_parameter("steps").grad
        assert found is not None
        return found.clone()

    assert same_each_time(gradient)


@pytest.mark.parametrize(
    ("texts", "freeze", "epochs"),
    [
        (100, True, 30),
        (500, True, 16),
        (3000, True, 10),
        (5000, True, 6),
        (40_000, True, 3),
        (100, False, 20),
        (3000, False, 3),
    ],
)
def test_more_data_takes_fewer_epochs(texts: int, freeze: bool, epochs: int) -> None:
    assert training._epochs(texts, freeze) == epochs


def test_the_same_seed_gives_the_same_weights(tiny: str, tmp_path: Path) -> None:
    short = {**TOY, "epochs": 2, "dropped": 0.2, "export": False}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(examples(), VOCABULARY, tmp_path / name, backbone=tiny, seed=seed, **short)
    a, b, c = (load_file(tmp_path / n / "weights.safetensors") for n in "abc")
    assert all(torch.equal(a[key], b[key]) for key in a)
    assert not all(torch.equal(a[key], c[key]) for key in a)


def stop_at(step: int) -> Callable[[Event], None]:
    def watch(now: Event) -> None:
        if now.done == step:
            raise KeyboardInterrupt

    return watch


@pytest.mark.parametrize("at", [1, 9, 13])
def test_a_resumed_run_ends_as_one_that_was_not_stopped(tiny: str, tmp_path: Path, at: int) -> None:
    options = {**TOY, "epochs": 4, "dropped": 0.2, "export": False}
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(examples(), VOCABULARY, whole, backbone=tiny, **options)
    with pytest.raises(KeyboardInterrupt):
        train(examples(), VOCABULARY, parts, backbone=tiny, watch=stop_at(at), **options)
    train(examples(), VOCABULARY, parts, backbone=tiny, resume=True, **options)
    one, other = (load_file(out / "weights.safetensors") for out in (whole, parts))
    assert all(torch.equal(one[key], other[key]) for key in one)
    assert (whole / "curves.csv").read_text() == (parts / "curves.csv").read_text()
    assert not (parts / "checkpoint").exists()


def test_ctrl_c_leaves_what_can_be_used(tiny: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(examples(), VOCABULARY, tmp_path, backbone=tiny, watch=stop_at(100), **TOY)
    assert not open_artifact(tmp_path, "gsr").config.complete
    assert "was stopped" in (tmp_path / "README.md").read_text(encoding="utf-8")
    check_learned(tmp_path)


def test_a_checkpoint_of_other_data_is_refused(tiny: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(examples(), VOCABULARY, tmp_path, backbone=tiny, watch=stop_at(9), **TOY)
    with pytest.raises(ArtifactError, match="other data or options"):
        train(examples()[1:], VOCABULARY, tmp_path, backbone=tiny, resume=True, **TOY)


def test_a_checkpoint_that_began_with_another_model_is_refused(
    trained: tuple[Path, ArtifactConfig], tiny: str, tmp_path: Path
) -> None:
    def go(**how: Any) -> None:
        train(examples(), VOCABULARY, tmp_path, backbone=tiny, **{**TOY, **how})

    with pytest.raises(KeyboardInterrupt):
        go(initial=trained[0], watch=stop_at(9))
    with pytest.raises(ArtifactError, match="other data or options"):
        go(resume=True)
    with pytest.raises(ArtifactError, match="other data or options"):
        go(resume=True, initial=trained[0], fingerprint="another graph's")


def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good_model(
    tiny: str, tmp_path: Path
) -> None:
    network = build(tiny, VOCABULARY)
    rows, _ = rows_of(examples(), VOCABULARY, network, 1.0)
    config = GsrConfig(epochs=3, batch=4, rate=1e-3, dropped=0.0, seed=1)
    learner = training.ChainLearner(network, VOCABULARY, rows, [], config)
    loop = Loop(learner, tmp_path, "toy")

    def spoil(now: Event) -> None:
        if now.done == 7:
            next(network.parameters()).data.fill_(float("nan"))

    with pytest.raises(ArtifactError, match=r"nan in epoch 2, step 8 .*that of epoch 1 is kept"):
        loop.train(spoil)
    loop.take_best()
    assert all(bool(parameter.isfinite().all()) for parameter in network.parameters())


def test_a_loss_that_never_was_a_number_leaves_no_model(tiny: str, tmp_path: Path) -> None:
    wild = {**TOY, "rate": 1e38}
    with pytest.raises(ArtifactError, match=r"in epoch 1, step .* none is kept.* lower --rate"):
        train(examples(), VOCABULARY, tmp_path, backbone=tiny, **wild)
    assert list(tmp_path.iterdir()) == []


def test_it_stops_early_and_keeps_the_best_epoch(tiny: str, tmp_path: Path) -> None:
    config = train(
        examples(),
        VOCABULARY,
        tmp_path,
        backbone=tiny,
        **{**TOY, "validation": 0.6, "patience": 2, "export": False},
    )
    done = config.training
    assert done["texts_held_back"] == 8
    assert done["epochs_done"] < 25
    assert done["best_epoch"] == done["epochs_done"] - 2
    assert 0 <= done["validation"] <= 1


def test_what_cannot_be_used_is_left_out_and_counted(tiny: str, tmp_path: Path) -> None:
    strange = Example("retrieval", "who sang [MASK]", (((Step("sung"),), 1.0),), "weak", "x")
    short = {**TOY, "epochs": 1, "export": False}
    config = train([*examples(), strange], VOCABULARY, tmp_path, backbone=tiny, **short)
    assert config.training["examples_left_out"] == 1
    with pytest.raises(ArtifactError, match="nothing to train on"):
        train([strange], VOCABULARY, tmp_path, backbone=tiny, **short)


def test_a_run_may_begin_with_an_artifact(
    trained: tuple[Path, ArtifactConfig], tiny: str, tmp_path: Path
) -> None:
    short = {**TOY, "epochs": 1, "rate": 1e-9}
    config = train(examples(), VOCABULARY, tmp_path, backbone=tiny, initial=trained[0], **short)
    assert config.training["seconds"] >= trained[1].training["seconds"]
    check_learned(tmp_path)
    other = StepVocabulary(VOCABULARY.steps[:2], VOCABULARY.texts[:2])
    with pytest.raises(ArtifactError, match="cannot begin this model"):
        train(examples(), other, tmp_path, backbone=tiny, initial=trained[0], **short)


def test_an_output_folder_that_cannot_be_written_is_reported(tiny: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here already")
    with pytest.raises(ArtifactError, match="cannot be written"):
        train(examples(), VOCABULARY, tmp_path / "file" / "gsr", backbone=tiny, **TOY)


def test_what_fails_late_leaves_the_artifact_before_and_is_no_full_disk(
    trained: tuple[Path, ArtifactConfig],
    tiny: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "gsr"
    shutil.copytree(trained[0], out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    def fails(*of: Any, **how: Any) -> None:
        raise KeyError("int8")

    monkeypatch.setattr(training, "export", fails)
    with pytest.raises(KeyError, match="int8"):
        train(examples(), VOCABULARY, out, backbone=tiny, **{**TOY, "epochs": 1})
    after = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert after == before


def test_no_model_is_half_of_another(
    trained: tuple[Path, ArtifactConfig], tiny: str, tmp_path: Path
) -> None:
    out = tmp_path / "gsr"
    shutil.copytree(trained[0], out)
    (out / "weights.safetensors").unlink()
    (out / "weights.safetensors" / "in the way").mkdir(parents=True)
    with pytest.raises(ArtifactError, match=r"the model cannot be written to .* Make room"):
        train(examples(), VOCABULARY, out, backbone=tiny, **{**TOY, "epochs": 1, "export": False})
    with pytest.raises(ArtifactError, match="there is no trained model"):
        open_artifact(out, "gsr")


def test_a_backbone_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        train(examples(), VOCABULARY, tmp_path, backbone=str(tmp_path), **TOY)
    with pytest.raises(ConfigurationError, match="epochs must be from 1 on"):
        train(examples(), VOCABULARY, tmp_path, epochs=0)


def test_alike_texts_are_one_row_with_all_their_chains(tiny: str) -> None:
    network = build(tiny, VOCABULARY)
    alike = [
        Example("retrieval", f"who made {MASK}", ((chain, weight),), "weak", str(i))
        for i, (chain, weight) in enumerate(((DIRECTOR, 1.0), (DIRECTOR, 1.0), (WRITER, 0.5)))
    ]
    rows, fell = rows_of(alike, VOCABULARY, network, 1.0)
    assert fell == 0
    assert [(row.chains, row.weights) for row in rows] == [
        (((2,), (6,)), (2.0, 0.5)),
    ]
    assert rows[0].best == {(2,)}


def test_batches_have_all_rows_once_and_teach_the_next_step(tiny: str) -> None:
    network = build(tiny, VOCABULARY)
    rows, _ = rows_of(examples(), VOCABULARY, network, 1.0)
    made = list(batches(rows, 4, network, "seed"))
    assert sorted(row.prompt for batch in made for row in batch.rows) == [r.prompt for r in rows]
    again = [batch.rows for batch in batches(rows, 4, network, "seed")]
    assert again == [batch.rows for batch in made]
    assert again != [batch.rows for batch in batches(rows, 4, network, "other")]
    (other,) = [
        (batch, i)
        for batch in made
        for i, row in enumerate(batch.rows)
        if row.prompt.startswith("[Retrieval] other films")
    ]
    batch, place = other
    first, second = VOCABULARY.encode(OTHERS)
    assert batch.steps[place, 0].tolist() == [0, first, second]
    assert batch.targets[place, 0].tolist() == [first, second, 1]


def test_only_questions_are_held_back(tiny: str) -> None:
    rows, _ = rows_of(examples(), VOCABULARY, build(tiny, VOCABULARY), 1.0)
    learned, held = split(rows, 0.5, 1)
    assert len(held) == 7
    assert all(row.question for row in held)
    assert sorted(r.prompt for r in (*learned, *held)) == [r.prompt for r in rows]
