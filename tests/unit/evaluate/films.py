"""A graph of a few films in MetaQA's format, with questions."""

from __future__ import annotations

from pathlib import Path

KB = """Heat|directed_by|Michael Mann
Ali|directed_by|Michael Mann
Alien|directed_by|Ridley Scott
Heat|starred_actors|Al Pacino
Ali|starred_actors|Will Smith
Heat|release_year|1995
Ali|release_year|2001
Alien|release_year|1979
"""
ONE = """which films did [Michael Mann] direct\tHeat|Ali
who directed [Alien]\tRidley Scott
when was [Heat] released\t1996
"""
TWO = "which actors worked with [Michael Mann]\tAl Pacino|Will Smith\n"


def write_films(folder: Path) -> None:
    """The graph, its questions and their types, as files."""
    (folder / "kb.txt").write_text(KB)
    (folder / "qa_dev_1hop.txt").write_text(ONE)
    types = "director_to_movie\nmovie_to_director\nmovie_to_year\n"
    (folder / "qa_dev_qtype_1hop.txt").write_text(types)
    (folder / "qa_dev_2hop.txt").write_text(TWO)
    (folder / "qa_dev_qtype_2hop.txt").write_text("director_to_movie_to_actor\n")
