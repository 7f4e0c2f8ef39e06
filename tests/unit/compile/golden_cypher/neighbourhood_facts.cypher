// columns: i r x back
// parameters: keys naming no_labels limit nodes
UNWIND $nodes AS row
MATCH (n) WHERE elementId(n) = row.id
CALL (n) {
  MATCH (n)-[e]->(m)
  RETURN ':' + type(e) AS r, elementId(m) AS x, false AS back
  UNION ALL
  MATCH (n)<-[e]-(m)
  RETURN ':' + type(e) AS r, elementId(m) AS x, true AS back
  UNION ALL
  UNWIND [k IN keys(n) WHERE k IN $keys AND none(l IN labels(n) WHERE l IN coalesce($naming[k], []))] AS k
  UNWIND [] + n[k] AS v
  RETURN '.' + k AS r, [v] AS x, false AS back
}
RETURN row.i AS i, r, x, back
