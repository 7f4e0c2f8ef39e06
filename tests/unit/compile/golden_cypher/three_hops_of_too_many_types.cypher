// columns: i n0 n1 n2 n3
// parameters: asked limit wanted
UNWIND $asked.rows AS row
CALL (row) {
MATCH (n0)-[e0:`DIRECTED`]-(n1), (n2)-[e1:`DIRECTED`]-(n1), (n2)-[e2:`ACTED_IN`]-(n3)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
  AND n0 <> n2
  AND n0 <> n3
  AND n1 <> n2
  AND n1 <> n3
  AND n2 <> n3
WITH DISTINCT [elementId(n0), elementId(n1), elementId(n2), elementId(n3)] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS n2, found[3] AS n3
