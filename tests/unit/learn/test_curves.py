"""Curves of a training run."""

from __future__ import annotations

from pathlib import Path

from tests.needs import needs

needs("train", "matplotlib")

from isomatch.learn.report import Point, write_curves  # noqa: E402


def test_they_are_a_table_and_a_picture(tmp_path: Path) -> None:
    points = [Point(1, 1, 2.5, 0.1), Point(1, 2, 1.25, 0.05, 0.75)]
    write_curves(tmp_path, points, "right")
    assert (tmp_path / "curves.csv").read_text() == (
        "epoch,step,loss,rate,validation\n1,1,2.5,0.1,\n1,2,1.25,0.05,0.75\n"
    )
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_no_step_is_no_picture(tmp_path: Path) -> None:
    write_curves(tmp_path, [])
    assert [path.name for path in tmp_path.iterdir()] == ["curves.csv"]
