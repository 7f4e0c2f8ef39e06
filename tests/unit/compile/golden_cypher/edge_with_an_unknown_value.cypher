// columns: i n0 n1 n2
// parameters: asked limit wanted
UNWIND $asked.rows AS row
CALL (row) {
MATCH (n0)-[e0:$(row.r0)]-(n1)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
UNWIND [k IN keys(e0) | e0[k]] AS n2s
UNWIND [] + n2s AS n2
WITH DISTINCT [elementId(n0), elementId(n1), [n2]] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS n2
