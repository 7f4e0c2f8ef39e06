// columns: i r
// parameters: asked most
UNWIND $asked.rows AS row
CALL (row) {
  MATCH (n) WHERE elementId(n) = row.id
  RETURN collect(n) AS ends0
}
CALL (row, ends0) {
  WITH $asked.hops[row.hops[0]] AS h
  UNWIND CASE WHEN h IS NOT NULL THEN ends0 END AS a
  WITH h, a,
    CASE WHEN h.g < 1 THEN
    COLLECT { MATCH (a)-[e:`ACTED_IN`]-() RETURN e LIMIT 50000 }
    ELSE
    CASE WHEN h.g < 2 THEN
    COLLECT { MATCH (a)-[e:`DIRECTED`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`WROTE`]-() RETURN e LIMIT 50000 }
    END
    END
    AS found
  CALL (h, a, found) {
    UNWIND CASE WHEN size(found) < 50000 THEN found END AS e
    RETURN e
    UNION ALL
    WITH h, a WHERE size(found) = 50000
    MATCH (a)-[e]-() WHERE type(e) = h.r
    RETURN e
  }
  WITH h, a, e, CASE WHEN startNode(e) = a THEN endNode(e) ELSE startNode(e) END AS b
  WHERE (h.out IS NULL OR h.out = (startNode(e) = a) OR a = b)
    AND (h.id IS NULL OR elementId(b) = h.id)
    AND (h.label IS NULL OR h.label IN labels(b))
    AND NOT (h.away AND elementId(b) = row.id)
  WITH DISTINCT b LIMIT $most
  RETURN collect(b) AS ends1
}
CALL (row, ends1) {
  WITH $asked.hops[row.hops[1]] AS h
  UNWIND CASE WHEN h IS NOT NULL THEN ends1 END AS a
  WITH h, a,
    CASE WHEN h.g < 1 THEN
    COLLECT { MATCH (a)-[e:`ACTED_IN`]-() RETURN e LIMIT 50000 }
    ELSE
    CASE WHEN h.g < 2 THEN
    COLLECT { MATCH (a)-[e:`DIRECTED`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`WROTE`]-() RETURN e LIMIT 50000 }
    END
    END
    AS found
  CALL (h, a, found) {
    UNWIND CASE WHEN size(found) < 50000 THEN found END AS e
    RETURN e
    UNION ALL
    WITH h, a WHERE size(found) = 50000
    MATCH (a)-[e]-() WHERE type(e) = h.r
    RETURN e
  }
  WITH h, a, e, CASE WHEN startNode(e) = a THEN endNode(e) ELSE startNode(e) END AS b
  WHERE (h.out IS NULL OR h.out = (startNode(e) = a) OR a = b)
    AND (h.id IS NULL OR elementId(b) = h.id)
    AND (h.label IS NULL OR h.label IN labels(b))
    AND NOT (h.away AND elementId(b) = row.id)
  WITH DISTINCT b LIMIT $most
  RETURN collect(b) AS ends2
}
WITH row, CASE size(row.hops) WHEN 1 THEN ends1 WHEN 2 THEN ends2 END AS ends,
  row.id IS NULL OR size(ends1) = $most OR size(ends2) = $most AS unknown
WITH row, unknown, [n IN ends WHERE count { (n)--() } > 32] AS hubs,
  [n IN ends WHERE count { (n)--() } <= 32] AS others
CALL (row, hubs) {
  UNWIND hubs AS n
  UNWIND row.types AS t
  WITH n, t WHERE
      CASE WHEN t < 1 THEN
      EXISTS { (n)-[:`ACTED_IN`]-() }
      ELSE
      CASE WHEN t < 2 THEN
      EXISTS { (n)-[:`DIRECTED`]-() }
      ELSE
      EXISTS { (n)-[:`WROTE`]-() }
      END
      END
  RETURN collect(DISTINCT $asked.types[toString(t)]) AS there
}
CALL (row, others, there) {
  UNWIND CASE WHEN size(there) < size(row.types) THEN others END AS n
  MATCH (n)-[e]-()
  WITH DISTINCT type(e) AS r WHERE r IN [t IN row.types | $asked.types[toString(t)]] AND NOT r IN there
  RETURN collect(r) AS more
}
UNWIND CASE WHEN unknown THEN [null] ELSE there + more END AS r
RETURN row.i AS i, ':' + r AS r
