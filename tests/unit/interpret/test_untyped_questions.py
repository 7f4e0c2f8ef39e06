"""Questions about a table of facts, which has no types: nothing wrong may look understood."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from isomatch import Answer, Session
from isomatch.factories import make_index
from isomatch.lexicon.lexicon import draft_words
from isomatch.settings import Settings
from isomatch.store.load import load

TABLE = """
Alice Brown,works for,Acme
Bob Stone,works for,Acme
Carla Diaz,works for,Globex
Dan Wu,works for,Globex
Erik Holm,works for,Initech
Alice Brown,manages,Bob Stone
Carla Diaz,manages,Dan Wu
Alice Brown,lives in,Berlin
Bob Stone,lives in,Paris
Carla Diaz,lives in,Berlin
Dan Wu,lives in,Madrid
Erik Holm,lives in,Paris
Acme,located in,Berlin
Globex,located in,Paris
Initech,located in,Madrid
Acme,founded in,1990
Globex,founded in,2005
Initech,founded in,1978
Alice Brown,age,52
Bob Stone,age,33
Carla Diaz,age,41
Dan Wu,age,29
Erik Holm,age,60
Alice Brown,is married to,Carla Diaz
Berlin,capital of,Germany
Paris,capital of,France
Madrid,capital of,Spain
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("table")
    (folder / "facts.csv").write_text(TABLE.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as opened:
        yield opened


def names(answer: Answer) -> set[str]:
    return {str(node.name) for node in answer.answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who works for Acme?", {"Alice Brown", "Bob Stone"}),
        ("which company is located in Paris?", {"Globex"}),
        ("which employees work for Globex?", {"Carla Diaz", "Dan Wu"}),
        ("when was Globex founded?", {"2005"}),
        ("who works for a company located in Berlin?", {"Alice Brown", "Bob Stone"}),
    ],
)
def test_a_table_answers(session: Session, question: str, expected: set[str]) -> None:
    answer = session.ask(question)
    assert answer.supported
    assert names(answer) == expected


@pytest.mark.parametrize(
    "question",
    [
        "which employees live in the capital of France?",  # not whom they work for
        "which company has the most employees?",
        "which companies were founded before 2000?",
        "who does not live in Berlin?",
    ],
)
def test_what_is_not_read_of_a_table_is_refused(session: Session, question: str) -> None:
    answer = session.ask(question)
    assert not answer.supported
    assert answer.text.startswith("The whole question was not understood")


def test_no_is_proven_of_a_relation_between_two_names(session: Session) -> None:
    assert session.ask("does Alice Brown live in Paris?").holds is False
    assert session.ask("does Alice Brown live in Berlin?").holds


def test_a_kind_that_nothing_stands_for_is_told(session: Session) -> None:
    answer = session.ask("which company is located in Paris?")
    assert answer.hypothesis is not None
    assert answer.hypothesis.coverage is not None
    assert [span.text for span in answer.hypothesis.coverage.left_out] == ["company"]


def test_words_that_say_what_a_name_is_do_not_refuse(session: Session) -> None:
    answer = session.ask("who is from the French town Initech?", interpreter="schema")
    assert not answer.supported  # a word with a capital may tell which is meant
    answer = session.ask("who is at the esteemed office Initech?", interpreter="schema")
    assert names(answer) == {"Erik Holm"}
    assert "This leaves out “esteemed” and “office”" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "who owns the firm Initech?",
        "who is the firm Initech?",
        "who is with the firm Initech?",
    ],
)
def test_words_before_a_name_link_nothing_to_it(session: Session, question: str) -> None:
    assert not session.ask(question, interpreter="schema").supported


def test_nouns_for_who_does_something() -> None:
    assert draft_words("acted in").inverse_nouns == ("actor",)
    assert draft_words("lives in").inverse_nouns == ("resident",)
    assert draft_words("founded in").inverse_nouns == ()
    assert draft_words("located in").inverse_nouns == ()


STAFF = """
Ann Lee,reports to,Olga Berg
Ben Roy,reports to,Ann Lee
Cy Dahl,reports to,Olga Berg
Ann Lee,works in,Sales
Ben Roy,works in,Sales
Cy Dahl,works in,Support
Ann Lee,lives in,Basel
Ben Roy,lives in,Zug
Cy Dahl,lives in,Zug
Falcon,led by,Ann Lee
Heron,led by,Cy Dahl
Falcon,member,Ben Roy
Falcon,customer,Acme
Heron,customer,Borealis
Acme,located in,Basel
Borealis,located in,Zug
"""


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("staff")
    (folder / "facts.csv").write_text(STAFF.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who reports to Olga Berg?", {"Ann Lee", "Cy Dahl"}),
        ("who did Ben Roy report to?", {"Ann Lee"}),
        ("who leads Falcon?", {"Ann Lee"}),
        ("what is led by Cy Dahl?", {"Heron"}),
        ("who is the customer of Heron?", {"Borealis"}),
        ("who is the customer in Basel?", {"Acme"}),
        ("who works in Sales?", {"Ann Lee", "Ben Roy"}),
        ("who is the leader of Heron?", {"Cy Dahl"}),
    ],
)
def test_a_relation_is_walked_in_the_direction_of_its_words(
    staff: Session, question: str, expected: set[str]
) -> None:
    answer = staff.ask(question)
    assert answer.supported
    assert names(answer) == expected


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("who reports to Cy Dahl?", "reports"),
        ("what is led by Heron?", "led"),
        ("who leads Cy Dahl?", "leads"),
        ("who works in Ann Lee?", "works"),
        ("who works with Ben Roy?", "works"),
        ("how many people live in Zug?", "people"),
    ],
)
def test_a_relation_is_not_walked_against_its_words(
    staff: Session, question: str, word: str
) -> None:
    answer = staff.ask(question)
    assert not answer.supported
    assert answer.hypothesis is not None
    assert answer.hypothesis.coverage is not None
    assert word in [span.text for span in answer.hypothesis.coverage.left_out]


TITLES = (
    STAFF
    + """
Ann Lee,job title,Sales Manager
Ben Roy,job title,Sales Agent
Cy Dahl,job title,Support Manager
Falcon,started,2019-04-01
Heron,started,2021-02-03
"""
)
KINDS = "\n".join(
    f"{name},<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>,{kind}"
    for kind, names in {
        "Employee": ("Ann Lee", "Ben Roy", "Cy Dahl", "Olga Berg"),
        "Project": ("Falcon", "Heron"),
    }.items()
    for name in names
)
PAID = """
Ann Lee,salary,70
Ben Roy,salary,50
Cy Dahl,salary,70
Olga Berg,salary,90.5
Ann Lee,joined,2011-03-01
Ben Roy,joined,1998-09-15
Cy Dahl,joined,1899-06-01
Olga Berg,joined,1990-01-01
"""


def _table(tmp_path_factory: pytest.TempPathFactory, rows: str) -> Settings:
    folder = tmp_path_factory.mktemp("rows")
    (folder / "facts.csv").write_text(rows.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    return settings


@pytest.fixture(scope="module")
def titles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with Session.open(_table(tmp_path_factory, TITLES)) as opened:
        yield opened


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with Session.open(_table(tmp_path_factory, TITLES + KINDS + PAID)) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "who is the manager of Ben Roy?",  # a title is not somebody
        "who did Ann Lee lead?",  # projects
    ],
)
def test_who_asks_for_no_titles_and_no_projects(
    titles: Session, typed: Session, question: str
) -> None:
    assert not titles.ask(question, interpreter="schema").supported
    assert not typed.ask(question, interpreter="schema").supported


def test_a_kind_that_a_typed_graph_lacks_is_refused(typed: Session) -> None:
    assert not typed.ask("which manager lives in Basel?", interpreter="schema").supported


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who joined before 2000?", {"Ben Roy", "Cy Dahl", "Olga Berg"}),
        ("who joined in the nineties?", {"Ben Roy", "Olga Berg"}),
        ("which employees joined in the 19th century?", {"Cy Dahl"}),
        ("which employees joined in the year 1998?", {"Ben Roy"}),
        ("who joined first?", {"Cy Dahl"}),
        ("which employee joined last?", {"Ann Lee"}),
        ("which projects started after 2019?", {"Heron"}),
        ("who earns the most?", {"Olga Berg"}),
        ("who has the lowest salary?", {"Ben Roy"}),
        ("what is the lowest salary?", {"50"}),
        ("who earns more than Ann Lee?", {"Olga Berg"}),
        ("who earns 70?", {"Ann Lee", "Cy Dahl"}),
        ("who has the same salary as Ann Lee?", {"Cy Dahl"}),
        ("who does Ben Roy report to?", {"Ann Lee"}),
        ("who never led a project?", {"Ben Roy", "Olga Berg"}),
        ("how many people work in Sales?", {"2"}),
        ("what is the average salary of the employees?", {"70.125"}),
    ],
)
def test_numbers_and_dates_of_a_table_are_values(
    typed: Session, question: str, expected: set[str]
) -> None:
    answer = typed.ask(question, interpreter="schema")
    assert answer.supported
    assert names(answer) == expected


@pytest.mark.parametrize(
    "question",
    [
        "which projects started at the end of 2019?",
        "which employees joined and started in 2011?",
        "which employees joined around 2011?",
        "who does not work in Sales and lives in Zug?",
    ],
)
def test_what_else_is_said_of_dates_is_refused(typed: Session, question: str) -> None:
    assert not typed.ask(question, interpreter="schema").supported


BOOKS = """
Tides,author,Sora Ito
Tides,genre,poetry
Tides,genre,nature
Ferns,author,Ines Paz
Ferns,author,Otto Berg
Orchard,author,Otto Berg
Orchard,translated by,Ines Paz
Ferns,language,German
Tides,published,1999
Orchard,published,1962
Sora Ito,born in,Kobe
Ines Paz,born in,Seville
Otto Berg,born in,Graz
Loan One,book,Tides
Loan Two,book,Tides
Loan Three,book,Ferns
Loan One,borrower,Dev Pal
Loan Two,borrower,Edith Moor
Dev Pal,lives in,Kobe
Edith Moor,lives in,Graz
Dev Pal,member since,2018-03-24
Edith Moor,member since,2023-01-11
"""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("books")
    (folder / "facts.csv").write_text(BOOKS.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who wrote Tides?", {"Sora Ito"}),
        ("Who wrote Ferns?", {"Ines Paz", "Otto Berg"}),
        ("How many genres does Tides have?", {"2"}),
        ("In what language is Ferns written?", {"German"}),
    ],
)
def test_one_relation_of_a_name_is_read_by_its_words(
    books: Session, question: str, expected: set[str]
) -> None:
    answer = books.ask(question, interpreter="schema")
    assert answer.supported
    assert names(answer) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who illustrated Ferns?",  # not who borrowed it
        "Who owns Tides?",
        "Who read Tides?",
        "Where is Tides published?",
        "Who is Edith Moor?",
        "Which books were published after 1990?",  # not the loans of these
        "What is the newest book by Otto Berg?",
        "Which books by Otto Berg were published before 1970?",
    ],
)
def test_what_a_table_has_to_do_with_a_name_is_no_answer(books: Session, question: str) -> None:
    assert not books.ask(question, interpreter="schema").supported


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which authors were born in Seville?", "Ines Paz"),  # not of what she translated
        ("Which author was born in Graz?", "Otto Berg"),
        ("Which borrowers live in Kobe?", "Dev Pal"),
        ("Which members live in Kobe?", "Dev Pal"),  # not since when
    ],
)
def test_a_noun_of_a_relation_is_for_what_it_leads_to(
    books: Session, question: str, expected: str
) -> None:
    assert names(books.ask(question, interpreter="schema")) == {expected}


def test_a_noun_before_a_preposition_is_for_those_who_have_it() -> None:
    assert draft_words("member since").nouns == ()
    assert draft_words("member since").inverse_nouns == ("member",)


CARE = """
Saint Brannoc Hospital,city,Harrowgate
Lakeside Clinic,city,Tarnmouth
Northmoor Infirmary,city,Harrowgate
Ines Varga,works in,Cedar Ward
Ines Varga,specialty,cardiology
Ines Varga,lives in,Harrowgate
Tomas Reiland,works in,Cedar Ward
Tomas Reiland,specialty,cardiology
Tomas Reiland,lives in,Eastwick
Priya Nandakumar,works in,Maple Ward
Priya Nandakumar,specialty,neurology
Priya Nandakumar,lives in,Harrowgate
Owen Castellan,works in,Heron Ward
Owen Castellan,specialty,pediatrics
Owen Castellan,lives in,Tarnmouth
Leila Abadi,works in,Willow Ward
Leila Abadi,specialty,oncology
Leila Abadi,lives in,Eastwick
Marcus Thorne,works in,Willow Ward
Marcus Thorne,specialty,oncology
Marcus Thorne,lives in,Harrowgate
Sofie Lindqvist,works in,Rowan Ward
Sofie Lindqvist,specialty,neurology
Sofie Lindqvist,lives in,Eastwick
Cardoval,manufacturer,Ostara Pharma
Cardoval,treats,Hypertension
Cardoval,treats,Arrhythmia
Cardoval,interacts with,Neurexan
Neurexan,manufacturer,Bluepine Labs
Neurexan,treats,Epilepsy
Neurexan,treats,Migraine
Pulmorin,manufacturer,Ostara Pharma
Pulmorin,treats,Asthma
Tumostat,manufacturer,Bluepine Labs
Tumostat,treats,Leukemia
Tumostat,interacts with,Cardoval
Febrilan,manufacturer,Kestrel Remedies
Febrilan,treats,Influenza
Febrilan,treats,Migraine
Rosa Delmar,treated by,Ines Varga
Rosa Delmar,diagnosed with,Hypertension
Rosa Delmar,lives in,Harrowgate
Rosa Delmar,takes,Cardoval
Hugo Brandt,treated by,Tomas Reiland
Hugo Brandt,treated by,Priya Nandakumar
Hugo Brandt,diagnosed with,Arrhythmia
Hugo Brandt,diagnosed with,Migraine
Hugo Brandt,lives in,Tarnmouth
Hugo Brandt,takes,Cardoval
Hugo Brandt,takes,Febrilan
Amina Yusuf,treated by,Priya Nandakumar
Amina Yusuf,diagnosed with,Epilepsy
Amina Yusuf,lives in,Eastwick
Amina Yusuf,takes,Neurexan
Petra Novak,treated by,Owen Castellan
Petra Novak,diagnosed with,Asthma
Petra Novak,lives in,Tarnmouth
Petra Novak,takes,Pulmorin
Silas Greene,treated by,Leila Abadi
Silas Greene,treated by,Marcus Thorne
Silas Greene,diagnosed with,Leukemia
Silas Greene,lives in,Harrowgate
Silas Greene,takes,Tumostat
Dora Wills,treated by,Marcus Thorne
Dora Wills,diagnosed with,Anemia
Dora Wills,lives in,Harrowgate
Felix Okoro,treated by,Owen Castellan
Felix Okoro,diagnosed with,Influenza
Felix Okoro,diagnosed with,Asthma
Felix Okoro,lives in,Tarnmouth
Felix Okoro,takes,Febrilan
Felix Okoro,takes,Pulmorin
Greta Simms,treated by,Sofie Lindqvist
Greta Simms,diagnosed with,Migraine
Greta Simms,lives in,Eastwick
Greta Simms,takes,Febrilan
"""


@pytest.fixture(scope="module")
def care(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("care")
    (folder / "facts.csv").write_text(CARE.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected", "left_out"),
    [
        ("Which medicines interact with Cardoval?", {"Tumostat"}, "medicines"),
        ("Which diseases does Febrilan treat?", {"Influenza", "Migraine"}, "diseases"),
    ],
)
def test_a_noun_for_what_is_asked_for_adds_no_hop(
    care: Session, question: str, expected: set[str], left_out: str
) -> None:
    answer = care.ask(question, interpreter="schema")
    assert names(answer) == expected
    assert answer.text.endswith(f" This leaves out “{left_out}”, which was not understood.")


def test_what_a_noun_is_left_out_of_says_so(care: Session) -> None:
    answer = care.ask("Which doctors live in the city of Lakeside Clinic?", interpreter="schema")
    assert "This leaves out “doctors”" in answer.text  # of those who live there, not a specialty


@pytest.mark.parametrize(
    "question",
    [
        "Which company manufactures Pulmorin?",  # not another product of its manufacturer
        "Which company makes Pulmorin?",
        "Which medicines treat the disease of Amina Yusuf?",
    ],
)
def test_hops_that_a_guess_of_kinds_adds_are_refused(care: Session, question: str) -> None:
    assert not care.ask(question, interpreter="schema").supported
