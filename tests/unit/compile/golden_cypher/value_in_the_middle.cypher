// columns: i n0 n1 n2 n3
// parameters: rows limit wanted naming
UNWIND $rows AS row
CALL (row) {
MATCH (n0)
  WHERE elementId(n0) = row.n0
  AND none(l IN labels(n0) WHERE l IN coalesce($naming[row.r0], []))
UNWIND [] + n0[row.r0] AS n1
CALL (n1) {
  MATCH (n2:`Film`)
  WHERE n2.`year` = n1
  RETURN n2
}
WITH *
  WHERE n0 <> n2
  AND none(l IN labels(n2) WHERE l IN coalesce($naming[row.r1], []))
MATCH (n2)-[e2:$(row.r2)]-(n3)
  WHERE n0 <> n3
WITH DISTINCT [elementId(n0), [n1], elementId(n2), elementId(n3)] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS n2, found[3] AS n3
