// columns: i n0 n1 n2
// parameters: rows limit wanted naming
UNWIND $rows AS row
CALL (row) {
MATCH (n0)-[e0:$(row.r0)]-(n1)
  WHERE elementId(n0) = row.n0
  AND n0 <> n1
  AND none(l IN labels(n1) WHERE l IN coalesce($naming[row.r1], []))
UNWIND [] + n1[row.r1] AS n2
WITH *
  WHERE NOT coalesce(n0.`name` = n2, false)
  AND NOT coalesce((n0:`Film`) AND n0.`title` = n2, false)
WITH DISTINCT [elementId(n0), elementId(n1), [n2]] AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS n2
