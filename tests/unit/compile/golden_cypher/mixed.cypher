// columns: i n0 n1
// parameters: rows limit wanted naming
UNWIND $rows AS row
CALL (row) {
CALL (row) {
WITH row WHERE row.g = 0
MATCH (n0)-[e0:$(row.r0)]-(n1)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
RETURN [elementId(n0), elementId(n1)] AS found
UNION ALL
WITH row WHERE row.g = 1
MATCH (n0)
  WHERE elementId(n0) = row.n0
  AND none(l IN labels(n0) WHERE l IN coalesce($naming[row.r0], []))
UNWIND [] + n0[row.r0] AS n1
RETURN [elementId(n0), [n1]] AS found
UNION ALL
WITH row WHERE row.g = 2
CALL (row) {
  MATCH (n1:`Film`)
  WHERE n1.`year` = row.n0
  RETURN n1
}
WITH *
  WHERE none(l IN labels(n1) WHERE l IN coalesce($naming[row.r0], []))
RETURN [[row.n0], elementId(n1)] AS found
}
WITH DISTINCT found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1
