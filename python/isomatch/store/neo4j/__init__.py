"""Neo4j over its official driver."""

from isomatch.store.neo4j.store import Neo4jStore as Neo4jStore
