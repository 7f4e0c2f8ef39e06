// columns: i found
// parameters: asked limit naming
UNWIND $asked.rows AS row
CALL (row) {
CALL (row) {
WITH row WHERE row.g = 0
MATCH (n0)-[e0:$(row.r0)]-(n1), (n2)-[e1:$(row.r1)]-(n1)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
  AND n0 <> n2
  AND none(l IN labels(n2) WHERE l IN coalesce($naming[row.r2], []))
UNWIND [] + n2[row.r2] AS n3
WITH *
  WHERE NOT coalesce(n0.`name` = n3, false)
  AND NOT coalesce((n0:`Film`) AND n0.`title` = n3, false)
RETURN [n3] AS found
UNION ALL
WITH row WHERE row.g = 1
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
RETURN elementId(n3) AS found
}
WITH DISTINCT found LIMIT $limit
RETURN found
}
RETURN row.i AS i, found
