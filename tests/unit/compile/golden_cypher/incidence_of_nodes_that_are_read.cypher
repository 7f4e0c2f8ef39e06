// columns: n r out into
// parameters: asked
UNWIND $asked.nodes AS id
MATCH (n) WHERE elementId(n) = id
WITH n, id, count { (n)--() } AS degree
CALL (n, degree) {
  WITH n WHERE degree <= 1000
  MATCH (n)-[e]-() WHERE ':' + type(e) IN $asked.types
  RETURN DISTINCT [':' + type(e), startNode(e) = n, endNode(e) = n] AS port
  UNION ALL
  UNWIND [k IN $asked.keys | ['.' + k, n[k] IS NOT NULL, false]] AS port
  RETURN port
  UNION ALL
  WITH n WHERE degree > 1000
  RETURN [null, true, true] AS port
}
WITH id, port WHERE port[1] OR port[2]
RETURN id AS n, port[0] AS r, port[1] AS out, port[2] AS into
