// columns: i r
// parameters: asked places naming called most
UNWIND $asked.rows AS row
CALL (row) {
UNWIND row.ways AS way
CALL (way) {
  MATCH (n) WHERE elementId(n) = way.id
  RETURN [n] AS ns
  UNION ALL
  WITH way WHERE way.id IS NULL
  RETURN [null] AS ns
}
WITH way, ns, [way.value] AS vs, [] AS es
WITH way, ns, vs, es, coalesce(way.hops[0], {f: 0, how: 'stay'}) AS h
CALL (h, ns, vs) {
  WITH h, ns[h.f] AS a WHERE h.how = 'walk' AND h.id IS NOT NULL
  MATCH (b) WHERE elementId(b) = h.id
  MATCH (a)-[e]-(b)
  WHERE type(e) = h.r AND (h.out IS NULL OR h.out = (startNode(e) = a) OR a = b)
  RETURN b, null AS v, e
  UNION ALL
  WITH h, ns[h.f] AS a WHERE h.how = 'walk' AND h.id IS NULL
  WITH h, a, h.g IS NOT NULL AND count { (a)--() } > 64 AS hub
  CALL (h, a, hub) {
    WITH h, a WHERE NOT hub
    MATCH (a)-[e]-(b) WHERE type(e) = h.r
    RETURN b, e
    UNION ALL
    WITH h, a WHERE hub
    CALL (h, a) {
      WITH h, a WHERE h.g = 0
      MATCH (a)-[e:`ACTED_IN`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 1
      MATCH (a)-[e:`DIRECTED`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 2
      MATCH (a)-[e:`T0`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 3
      MATCH (a)-[e:`T1`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 4
      MATCH (a)-[e:`T10`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 5
      MATCH (a)-[e:`T11`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 6
      MATCH (a)-[e:`T12`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 7
      MATCH (a)-[e:`T13`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 8
      MATCH (a)-[e:`T14`|`T21`|`T29`|`WROTE`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 9
      MATCH (a)-[e:`T15`|`T22`|`T3`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 10
      MATCH (a)-[e:`T16`|`T23`|`T4`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 11
      MATCH (a)-[e:`T17`|`T24`|`T5`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 12
      MATCH (a)-[e:`T18`|`T25`|`T6`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 13
      MATCH (a)-[e:`T19`|`T26`|`T7`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 14
      MATCH (a)-[e:`T2`|`T27`|`T8`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 15
      MATCH (a)-[e:`T20`|`T28`|`T9`]-(b) WHERE type(e) = h.r
      RETURN b, e
    }
    RETURN b, e
  }
  WITH h, a, b, e WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
  RETURN b, null AS v, e
  UNION ALL
  UNWIND CASE h.how WHEN 'read' THEN [] + ns[h.f][h.r] WHEN 'stay' THEN [null] END AS v
  RETURN null AS b, v, null AS e
}
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, ns, vs, es, coalesce(way.hops[1], {f: 0, how: 'stay'}) AS h
CALL (h, ns, vs) {
  WITH h, ns[h.f] AS a WHERE h.how = 'walk' AND h.id IS NOT NULL
  MATCH (b) WHERE elementId(b) = h.id
  MATCH (a)-[e]-(b)
  WHERE type(e) = h.r AND (h.out IS NULL OR h.out = (startNode(e) = a) OR a = b)
  RETURN b, null AS v, e
  UNION ALL
  WITH h, ns[h.f] AS a WHERE h.how = 'walk' AND h.id IS NULL
  WITH h, a, h.g IS NOT NULL AND count { (a)--() } > 64 AS hub
  CALL (h, a, hub) {
    WITH h, a WHERE NOT hub
    MATCH (a)-[e]-(b) WHERE type(e) = h.r
    RETURN b, e
    UNION ALL
    WITH h, a WHERE hub
    CALL (h, a) {
      WITH h, a WHERE h.g = 0
      MATCH (a)-[e:`ACTED_IN`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 1
      MATCH (a)-[e:`DIRECTED`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 2
      MATCH (a)-[e:`T0`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 3
      MATCH (a)-[e:`T1`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 4
      MATCH (a)-[e:`T10`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 5
      MATCH (a)-[e:`T11`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 6
      MATCH (a)-[e:`T12`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 7
      MATCH (a)-[e:`T13`]-(b)
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 8
      MATCH (a)-[e:`T14`|`T21`|`T29`|`WROTE`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 9
      MATCH (a)-[e:`T15`|`T22`|`T3`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 10
      MATCH (a)-[e:`T16`|`T23`|`T4`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 11
      MATCH (a)-[e:`T17`|`T24`|`T5`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 12
      MATCH (a)-[e:`T18`|`T25`|`T6`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 13
      MATCH (a)-[e:`T19`|`T26`|`T7`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 14
      MATCH (a)-[e:`T2`|`T27`|`T8`]-(b) WHERE type(e) = h.r
      RETURN b, e
      UNION ALL
      WITH h, a WHERE h.g = 15
      MATCH (a)-[e:`T20`|`T28`|`T9`]-(b) WHERE type(e) = h.r
      RETURN b, e
    }
    RETURN b, e
  }
  WITH h, a, b, e WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
  RETURN b, null AS v, e
  UNION ALL
  UNWIND CASE h.how WHEN 'read' THEN [] + ns[h.f][h.r] WHEN 'stay' THEN [null] END AS v
  RETURN null AS b, v, null AS e
}
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, $asked.forms[way.form] AS form, ns, vs, es
  WHERE none(p IN form.apart WHERE coalesce(ns[p[0]] = ns[p[1]] OR vs[p[0]] = vs[p[1]], false))
  AND none(p IN form.edges WHERE coalesce(es[p[0]] = es[p[1]], false))
  AND none(p IN form.labels WHERE NOT p[1] IN labels(ns[p[0]]))
  AND none(p IN form.facts WHERE ns[p[0]] = ns[p[2]] AND vs[p[1]] = vs[p[3]])
  AND none(p IN form.names WHERE any(l IN labels(ns[p[0]]) WHERE l IN coalesce($naming[p[1]], [])))
  AND none(p IN form.called WHERE any(c IN $called WHERE coalesce((c[0] IS NULL OR c[0] IN labels(ns[p[0]])) AND ns[p[0]][c[1]] = vs[p[1]], false)))
WITH row, ns[way.at] AS end LIMIT $most
RETURN collect(DISTINCT end) AS ends, count(*) AS walked
}
CALL (row, ends, walked) {
  UNWIND CASE WHEN row.out IS NULL AND walked < $most THEN ends END AS n
  MATCH (n)-[e]-()
  RETURN DISTINCT type(e) AS type
  UNION ALL
  UNWIND CASE WHEN row.out AND walked < $most THEN ends END AS n
  MATCH (n)-[e]->()
  RETURN DISTINCT type(e) AS type
  UNION ALL
  UNWIND CASE WHEN NOT row.out AND walked < $most THEN ends END AS n
  MATCH (n)<-[e]-()
  RETURN DISTINCT type(e) AS type
  UNION ALL
  WITH walked WHERE walked >= $most
  RETURN null AS type
}
WITH row, type WHERE type IS NULL OR type IN row.types
RETURN row.i AS i, ':' + type AS r
