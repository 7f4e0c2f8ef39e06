// columns: i n0 n1 n2
// parameters: asked limit wanted naming
UNWIND $asked.rows AS row
CALL (row) {
CALL (row) {
CALL () {
  MATCH (n0:`Film`)
  WHERE n0.`year` IS NOT NULL
  RETURN n0
}
WITH *
  WHERE none(l IN labels(n0) WHERE l IN coalesce($naming[row.r0], []))
  AND none(l IN labels(n0) WHERE l IN coalesce($naming[row.r1], []))
UNWIND [] + n0[row.r0] AS n1
WITH *
  WHERE NOT coalesce(n1 IS :: INTEGER | FLOAT AND ((n1 < row.w1.least AND n1 >= -1.7976931348623157e308) OR (n1 > row.w1.most AND n1 <= 1.7976931348623157e308)), false) AND NOT CASE WHEN n1 IS :: DATE | ZONED DATETIME | LOCAL DATETIME THEN coalesce(n1.year < row.w1.first, false) OR coalesce(n1.year > row.w1.last, false) ELSE false END
UNWIND [] + n0[row.r1] AS n2
WITH *
  WHERE n1 <> n2
RETURN [elementId(n0), [n1], [n2]] AS found
UNION ALL
CALL () {
  MATCH (n1:`Film`)
  WHERE n1.`year` IS NOT NULL
  RETURN n1
}
WITH *
  WHERE none(l IN labels(n1) WHERE l IN coalesce($naming[row.r0], []))
UNWIND [] + n1[row.r0] AS n0
CALL (n0) {
  MATCH (n2:`Film`)
  WHERE n0 IN [] + n2.`genres`
  RETURN n2
  UNION
  MATCH (n2)
  WHERE n0 IN [] + n2.`genres` AND labels(n2) = []
  RETURN n2
}
WITH *
  WHERE n1 <> n2
  AND none(l IN labels(n2) WHERE l IN coalesce($naming[row.r1], []))
RETURN [[n0], elementId(n1), elementId(n2)] AS found
}
WITH DISTINCT found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND matches AS found
RETURN row.i AS i, found[0] AS n0, found[1] AS n1, found[2] AS n2
