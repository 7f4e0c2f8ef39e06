// A role that reads, for Neo4j Enterprise. Run it as an administrator; it may be run
// again. `isomatch migrate` needs more, so run that as an administrator too.
CREATE ROLE isomatch_reader IF NOT EXISTS;
GRANT ACCESS ON DATABASE `neo4j` TO isomatch_reader;

// Labels, types and properties, all of them: it is what isomatch matches over.
GRANT MATCH {*} ON GRAPH `neo4j` TO isomatch_reader;

// Which indexes there are, so that isomatch knows what a look-up costs.
GRANT SHOW INDEX ON DATABASE `neo4j` TO isomatch_reader;

// The procedures that isomatch calls, the plugin's where the server has it. Everybody may
// call them, unless that was taken from the role PUBLIC.
GRANT EXECUTE PROCEDURE db.index.vector.queryNodes ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE db.info ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE db.labels ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE db.propertyKeys ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE db.relationshipTypes ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE dbms.components ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE isomatch.match.stream ON DBMS TO isomatch_reader;
GRANT EXECUTE PROCEDURE isomatch.subgraph.stream ON DBMS TO isomatch_reader;
GRANT EXECUTE USER DEFINED FUNCTION isomatch.version ON DBMS TO isomatch_reader;

// Then give the role to a user of isomatch's own:
// CREATE USER isomatch IF NOT EXISTS SET PASSWORD 'a long one' CHANGE NOT REQUIRED;
// GRANT ROLE isomatch_reader TO isomatch;