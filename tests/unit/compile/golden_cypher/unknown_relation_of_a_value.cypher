// columns: i n0 n1 e0
// parameters: asked limit wanted naming keys
UNWIND $asked.rows AS row
CALL (row) {
CALL (row) {
  MATCH (n0:`Film`)
  WHERE n0.`year` = row.n1
  RETURN n0, $keys[0] AS k0
  UNION
  MATCH (n0:`Film`)
  WHERE row.n1 IN [] + n0.`genres`
  RETURN n0, $keys[1] AS k0
  UNION
  MATCH (n0)
  WHERE row.n1 IN [] + n0.`genres` AND labels(n0) = []
  RETURN n0, $keys[1] AS k0
  UNION
  MATCH (n0:`Person`)
  WHERE n0.`title` = row.n1
  RETURN n0, $keys[2] AS k0
}
WITH *
  WHERE none(l IN labels(n0) WHERE l IN coalesce($naming[k0], []))
WITH DISTINCT [elementId(n0), [row.n1], '.' + k0] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS e0
