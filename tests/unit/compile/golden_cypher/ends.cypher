// columns: i found
// parameters: asked limit
UNWIND $asked.rows AS row
CALL (row) {
MATCH (n0)-[e0:$(row.r0)]-(n1), (n2)-[e1:$(row.r1)]-(n1), (n2)-[e2:$(row.r2)]-(n3)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
  AND n0 <> n2
  AND n0 <> n3
WITH DISTINCT elementId(n3) AS found LIMIT $limit
RETURN found
}
RETURN row.i AS i, found
