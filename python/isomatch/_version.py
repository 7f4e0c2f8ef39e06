"""The version of the package, which the Neo4j plugin has too."""

__version__ = "0.1.0"
