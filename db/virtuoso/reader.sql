-- A user who may query, and nothing else. Run it with isql as dba, and change the password:
--   isql-vt 1111 dba PASSWORD reader.sql
-- Its endpoint is /sparql-auth, with digest authentication.
DB.DBA.USER_CREATE ('isomatch', 'change me');
GRANT SPARQL_SELECT TO "isomatch";

-- Every graph may be read (1); a private one is taken out by a line of its own.
DB.DBA.RDF_DEFAULT_USER_PERMS_SET ('isomatch', 1);
-- DB.DBA.RDF_GRAPH_USER_PERMS_SET ('urn:private', 'isomatch', 0);
