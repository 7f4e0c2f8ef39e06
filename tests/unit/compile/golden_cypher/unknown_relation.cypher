// columns: i n0 n1 e0
// parameters: asked limit wanted naming keys
UNWIND $asked.rows AS row
CALL (row) {
CALL (row) {
MATCH (n0)-[e0]-(n1)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
RETURN [elementId(n0), elementId(n1), ':' + type(e0)] AS found
UNION ALL
MATCH (n0)
  WHERE elementId(n0) = row.n0
UNWIND [k IN keys(n0) WHERE k IN $keys] AS k0
UNWIND [] + n0[k0] AS n1
WITH *
  WHERE none(l IN labels(n0) WHERE l IN coalesce($naming[k0], []))
RETURN [elementId(n0), [n1], '.' + k0] AS found
}
WITH DISTINCT found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS e0
