// columns: n1 e0 e1 t0
// parameters: limit lists naming
CALL () {
UNWIND $lists.t0 AS t0
MATCH (n0)-[e0]-(n1)
  WHERE t0 IN labels(n0)
  AND elementId(n1) IN $lists.n1
  AND n0 <> n1
  AND type(e0) IN $lists.e0
UNWIND $lists.k1 AS k1
UNWIND [] + n0[k1] AS n2
WITH *
  WHERE NOT coalesce(n1.`name` = n2, false)
  AND NOT coalesce((n1:`Film`) AND n1.`title` = n2, false)
  AND none(l IN labels(n0) WHERE l IN coalesce($naming[k1], []))
RETURN elementId(n1) AS n1, ':' + type(e0) AS e0, '.' + k1 AS e1, ':' + t0 AS t0
}
RETURN DISTINCT n1, e0, e1, t0 LIMIT $limit
