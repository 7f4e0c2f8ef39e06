// columns: i v
// parameters: asked limit wanted naming
CALL () {
UNWIND $asked.rows AS row
CALL (row) {
CALL () {
  MATCH (n0:`Film`)
  WHERE n0.`year` IS NOT NULL
  RETURN n0
}
WITH *
  WHERE none(l IN labels(n0) WHERE l IN coalesce($naming[row.r0], []))
UNWIND [] + n0[row.r0] AS n1
WITH DISTINCT [elementId(n0), [n1]] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1
}
RETURN 0 AS i, collect([n1]) AS matches
