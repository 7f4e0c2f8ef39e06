"""A trading company as a property graph: the labels, keys and relationships of Northwind.

The names are made up here. As in the published graph, ids and dates are texts, an order says
again who it is shipped to, and every category has a picture as a very long text.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neo4j import Driver

SEED = 1996
CUSTOMERS, ORDERS, FIRST_ORDER = 91, 830, 10248
PICTURE = 28_810  # characters
CATEGORIES = {
    "Beverages": "Soft drinks, coffees, teas and ales",
    "Condiments": "Sweet and savory sauces, relishes and spreads",
    "Confections": "Desserts, candies and sweet breads",
    "Dairy Products": "Milk, butter and cheeses",
    "Grains and Cereals": "Breads, crackers, pasta and cereal",
    "Meat and Poultry": "Prepared meats",
    "Produce": "Dried fruit and bean curd",
    "Seafood": "Seaweed and fish",
}
PLACES = {
    "Berlin": "Germany",
    "Cologne": "Germany",
    "Lisbon": "Portugal",
    "Lyon": "France",
    "Nantes": "France",
    "Osaka": "Japan",
    "Tokyo": "Japan",
    "London": "UK",
    "Cork": "Ireland",
    "Turin": "Italy",
    "Bergamo": "Italy",
    "Seattle": "USA",
    "Portland": "USA",
    "Madrid": "Spain",
    "Graz": "Austria",
    "Bern": "Switzerland",
}
# Their first ones: the questions name them.
PRODUCTS = ("Chaya", "Tarn Syrup", "Marrow Bread", "Kelp Crisps", "Old Gromund", "Velvet Fudge")
SUPPLIERS = ("Harbour Liquids", "Saito Traders", "Widow Pratt's Kitchen", "Nordlicht Fisch")
COMPANIES = ("Alma Fischer Foods", "Bern Bakery", "Casa Montes", "The Crooked Spoon")

QUESTIONS = (
    "Which customers bought Chaya?",
    "Which products are in the category Beverages?",
    "Who supplies Tarn Syrup?",
    "Which products does Harbour Liquids supply?",
    "Which orders did Alma Fischer Foods purchase?",
    "What is the unit price of Chaya?",
    "Which category is Chaya part of?",
    "In which city is Harbour Liquids?",
    "Which country does Alma Fischer Foods come from?",
    "Which suppliers are in Japan?",
    "Which customers are in Lisbon?",
    "Which products did Alma Fischer Foods buy?",
    "Which categories does Harbour Liquids supply?",
    "Who is the contact of Harbour Liquids?",
    "What is the phone number of Bern Bakery?",
    "Which products contain Old Gromund?",
    "Which suppliers supply Seafood?",
    "Which customers bought Dairy Products?",
    "How many units of Chaya are in stock?",
    "Which orders were shipped to Berlin?",
    "Which products were in order 10248?",
    "Who purchased order 10250?",
    "Which customers bought both Tarn Syrup and Chaya?",
    "What is the reorder level of Marrow Bread?",
    "To which country was order 10252 shipped?",
    "Which supplier supplies the products that Casa Montes bought?",
    "What is the description of Confections?",
    "Which products does a supplier from Japan supply?",
    "What is the order date of order 10255?",
    "Which customers from Germany bought Kelp Crisps?",
)

_STARTS = ("Al", "Bre", "Cor", "Dun", "El", "Fen", "Gar", "Hol", "Is", "Jor", "Kel", "Lum", "Mor")
_ENDS = ("bach", "dale", "den", "ford", "gate", "lund", "mar", "nis", "quist", "ris", "ter", "vik")
_GOODS = ("Ale", "Beans", "Biscuits", "Cheese", "Ham", "Jam", "Noodles", "Pickles", "Prawns")
_TRADES = ("Delicatessen", "Market", "Provisions", "Stores", "Trading")
_FIRST = ("Ana", "Bo", "Carla", "Dirk", "Eva", "Finn", "Greta", "Hugo", "Ines", "Jan")

Row = dict[str, Any]


def nodes() -> dict[str, list[Row]]:
    """The properties of all nodes, by label; the same in every run."""
    random = Random(SEED)
    coined = _coined(random)
    products = [*PRODUCTS, *(f"{next(coined)} {random.choice(_GOODS)}" for _ in range(71))]
    suppliers = [*SUPPLIERS, *(f"{next(coined)} {random.choice(_TRADES)}" for _ in range(25))]
    companies = [*COMPANIES, *(f"{next(coined)} {random.choice(_TRADES)}" for _ in range(87))]
    customers = [
        {"customerID": f"{name.replace(' ', '')[:4].upper()}{i:02}", **_firm(name, random, coined)}
        for i, name in enumerate(companies)
    ]
    return {
        "Category": [
            {
                "categoryID": str(i),
                "categoryName": name,
                "description": description,
                "picture": "0x" + "".join(random.choices("0123456789ABCDEF", k=PICTURE - 2)),
            }
            for i, (name, description) in enumerate(CATEGORIES.items(), 1)
        ],
        "Supplier": [
            {"supplierID": str(i), **_firm(name, random, coined)}
            for i, name in enumerate(suppliers, 1)
        ],
        "Product": [_product(i, name, random) for i, name in enumerate(products, 1)],
        "Customer": customers,
        "Order": [_order(i, customers, random) for i in range(ORDERS)],
    }


def relationships(found: dict[str, list[Row]]) -> Iterator[tuple[str, str, str, Row]]:
    """(type, key of the source, key of the target, properties) for the nodes of `nodes`."""
    random = Random(SEED)
    for product in found["Product"]:
        yield "PART_OF", product["productID"], product["categoryID"], {}
        yield "SUPPLIES", product["supplierID"], product["productID"], {}
    for order in found["Order"]:
        yield "PURCHASED", order["customerID"], order["orderID"], {}
        for product in random.sample(found["Product"], random.randint(1, 4)):
            more = {
                "quantity": random.randint(1, 60),
                "unitPrice": product["unitPrice"],
                "discount": random.choice((0.0, 0.05, 0.15)),
            }
            yield "ORDERS", order["orderID"], product["productID"], more


ENDS = {
    "PART_OF": ("Product", "Category"),
    "SUPPLIES": ("Supplier", "Product"),
    "PURCHASED": ("Customer", "Order"),
    "ORDERS": ("Order", "Product"),
}


def key(label: str) -> str:
    """The property whose values are the label's alone."""
    return f"{label.lower()}ID"


def load(driver: Driver) -> None:
    """Write the graph into a server's empty database, every label with a unique key."""
    found = nodes()
    for label, rows in found.items():
        driver.execute_query(f"CREATE CONSTRAINT FOR (n:{label}) REQUIRE n.{key(label)} IS UNIQUE")
        driver.execute_query(f"UNWIND $rows AS row CREATE (n:{label}) SET n = row", rows=rows)
    by_type: dict[str, list[list[Any]]] = {}
    for type, source, target, more in relationships(found):
        by_type.setdefault(type, []).append([source, target, more])
    for type, rows in by_type.items():
        source, target = ENDS[type]
        driver.execute_query(
            f"UNWIND $rows AS row MATCH (a:{source} {{{key(source)}: row[0]}}) "
            f"MATCH (b:{target} {{{key(target)}: row[1]}}) CREATE (a)-[e:{type}]->(b) "
            "SET e = row[2]",
            rows=rows,
        )
    driver.execute_query("CALL db.awaitIndexes(300)")


def _coined(random: Random) -> Iterator[str]:
    """Names that come once."""
    names = [start + end for start in _STARTS for end in _ENDS]
    random.shuffle(names)
    yield from names
    yield from (f"{name}{end}" for name in names for end in ("a", "o"))


def _firm(name: str, random: Random, coined: Iterator[str]) -> Row:
    city = random.choice(list(PLACES))
    return {
        "companyName": name,
        "contactName": f"{random.choice(_FIRST)} {next(coined)}",
        "contactTitle": random.choice(("Owner", "Sales Manager", "Order Administrator")),
        "address": f"{random.randint(1, 99)} {random.choice(_STARTS)}{random.choice(_ENDS)} Road",
        "city": city,
        "country": PLACES[city],
        "phone": f"({random.randint(10, 99)}) 555-{random.randint(1000, 9999)}",
    }


def _product(number: int, name: str, random: Random) -> Row:
    return {
        "productID": str(number),
        "productName": name,
        "categoryID": str(random.randint(1, len(CATEGORIES))),
        "supplierID": str(number % 29 + 1),
        "quantityPerUnit": f"{random.randint(6, 48)} {random.choice(('boxes', 'jars', 'bags'))}",
        "unitPrice": random.randint(8, 400) / 4,
        "unitsInStock": random.randint(0, 120),
        "unitsOnOrder": random.choice((0, 0, 0, 10, 40)),
        "reorderLevel": random.choice((0, 5, 10, 25)),
        "discontinued": random.random() < 0.1,
    }


def _order(number: int, customers: list[Row], random: Random) -> Row:
    customer = random.choice(customers)
    day = number * 600 // ORDERS  # of the company's two years
    placed = f"{1996 + (day + 190) // 365}-{(day + 190) % 365 // 31 + 1:02}-{day % 28 + 1:02}"
    return {
        "orderID": str(FIRST_ORDER + number),
        "customerID": customer["customerID"],
        "employeeID": str(random.randint(1, 9)),
        "orderDate": f"{placed} 00:00:00.000",
        "freight": random.randint(100, 30_000) / 100,
        "shipName": customer["companyName"],
        "shipCity": customer["city"],
        "shipCountry": customer["country"],
    }
