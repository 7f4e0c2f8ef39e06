// columns: i c0 c1 c2 c3
// parameters: asked places naming called limit wanted
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
WITH way, ns, vs, es, coalesce($asked.hops[way.hops[0]], {f: 0, how: 'stay'}) AS h
WITH way, ns, vs, es, h, ns[h.f] AS a
WITH way, ns, vs, es, h, a, CASE
  WHEN h.how = 'walk' AND h.id IS NULL AND h.g IS NOT NULL THEN
    CASE WHEN h.g < 16 THEN
    CASE WHEN h.g < 8 THEN
    CASE WHEN h.g < 4 THEN
    CASE WHEN h.g < 2 THEN
    CASE WHEN h.g < 1 THEN
    COLLECT { MATCH (a)-[e:`ACTED_IN`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`DIRECTED`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 3 THEN
    COLLECT { MATCH (a)-[e:`T0`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T1`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 6 THEN
    CASE WHEN h.g < 5 THEN
    COLLECT { MATCH (a)-[e:`T10`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T11`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 7 THEN
    COLLECT { MATCH (a)-[e:`T12`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T13`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 12 THEN
    CASE WHEN h.g < 10 THEN
    CASE WHEN h.g < 9 THEN
    COLLECT { MATCH (a)-[e:`T14`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T15`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 11 THEN
    COLLECT { MATCH (a)-[e:`T16`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T17`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 14 THEN
    CASE WHEN h.g < 13 THEN
    COLLECT { MATCH (a)-[e:`T18`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T19`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 15 THEN
    COLLECT { MATCH (a)-[e:`T2`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T20`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    ELSE
    CASE WHEN h.g < 24 THEN
    CASE WHEN h.g < 20 THEN
    CASE WHEN h.g < 18 THEN
    CASE WHEN h.g < 17 THEN
    COLLECT { MATCH (a)-[e:`T21`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T22`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 19 THEN
    COLLECT { MATCH (a)-[e:`T23`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T24`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 22 THEN
    CASE WHEN h.g < 21 THEN
    COLLECT { MATCH (a)-[e:`T25`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T26`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 23 THEN
    COLLECT { MATCH (a)-[e:`T27`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T28`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 28 THEN
    CASE WHEN h.g < 26 THEN
    CASE WHEN h.g < 25 THEN
    COLLECT { MATCH (a)-[e:`T29`|`WROTE`]-() WHERE type(e) = h.r RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T3`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 27 THEN
    COLLECT { MATCH (a)-[e:`T4`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T5`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 30 THEN
    CASE WHEN h.g < 29 THEN
    COLLECT { MATCH (a)-[e:`T6`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T7`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 31 THEN
    COLLECT { MATCH (a)-[e:`T8`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T9`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    END
  WHEN h.how = 'read' THEN [] + a[h.r]
  WHEN h.how = 'stay' THEN [null]
  END AS found
CALL (h, a, vs, found) {
  UNWIND CASE WHEN h.how <> 'walk' OR size(found) < 50000 THEN found END AS x
  RETURN x, null AS c
  UNION ALL
  WITH h, a, found WHERE h.how = 'walk' AND h.id IS NULL AND (found IS NULL OR size(found) = 50000)
  MATCH (a)-[e]-() WHERE type(e) = h.r
  RETURN e AS x, null AS c
  UNION ALL
  WITH h, a WHERE h.how = 'walk' AND h.id IS NOT NULL
  MATCH (b) WHERE elementId(b) = h.id
  MATCH (a)-[e]-(b) WHERE type(e) = h.r
  RETURN e AS x, null AS c
}
WITH way, ns, vs, es, h, a, CASE h.how WHEN 'walk' THEN x END AS e,
  CASE h.how WHEN 'read' THEN x END AS v, c
WITH way, ns, vs, es, h, a, e, v,
  CASE WHEN e IS NULL THEN c WHEN startNode(e) = a THEN endNode(e) ELSE startNode(e) END AS b
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, ns, vs, es, coalesce($asked.hops[way.hops[1]], {f: 0, how: 'stay'}) AS h
WITH way, ns, vs, es, h, ns[h.f] AS a
WITH way, ns, vs, es, h, a, CASE
  WHEN h.how = 'walk' AND h.id IS NULL AND h.g IS NOT NULL THEN
    CASE WHEN h.g < 16 THEN
    CASE WHEN h.g < 8 THEN
    CASE WHEN h.g < 4 THEN
    CASE WHEN h.g < 2 THEN
    CASE WHEN h.g < 1 THEN
    COLLECT { MATCH (a)-[e:`ACTED_IN`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`DIRECTED`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 3 THEN
    COLLECT { MATCH (a)-[e:`T0`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T1`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 6 THEN
    CASE WHEN h.g < 5 THEN
    COLLECT { MATCH (a)-[e:`T10`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T11`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 7 THEN
    COLLECT { MATCH (a)-[e:`T12`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T13`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 12 THEN
    CASE WHEN h.g < 10 THEN
    CASE WHEN h.g < 9 THEN
    COLLECT { MATCH (a)-[e:`T14`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T15`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 11 THEN
    COLLECT { MATCH (a)-[e:`T16`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T17`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 14 THEN
    CASE WHEN h.g < 13 THEN
    COLLECT { MATCH (a)-[e:`T18`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T19`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 15 THEN
    COLLECT { MATCH (a)-[e:`T2`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T20`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    ELSE
    CASE WHEN h.g < 24 THEN
    CASE WHEN h.g < 20 THEN
    CASE WHEN h.g < 18 THEN
    CASE WHEN h.g < 17 THEN
    COLLECT { MATCH (a)-[e:`T21`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T22`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 19 THEN
    COLLECT { MATCH (a)-[e:`T23`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T24`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 22 THEN
    CASE WHEN h.g < 21 THEN
    COLLECT { MATCH (a)-[e:`T25`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T26`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 23 THEN
    COLLECT { MATCH (a)-[e:`T27`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T28`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 28 THEN
    CASE WHEN h.g < 26 THEN
    CASE WHEN h.g < 25 THEN
    COLLECT { MATCH (a)-[e:`T29`|`WROTE`]-() WHERE type(e) = h.r RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T3`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 27 THEN
    COLLECT { MATCH (a)-[e:`T4`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T5`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 30 THEN
    CASE WHEN h.g < 29 THEN
    COLLECT { MATCH (a)-[e:`T6`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T7`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 31 THEN
    COLLECT { MATCH (a)-[e:`T8`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T9`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    END
  WHEN h.how = 'read' THEN [] + a[h.r]
  WHEN h.how = 'stay' THEN [null]
  END AS found
CALL (h, a, vs, found) {
  UNWIND CASE WHEN h.how <> 'walk' OR size(found) < 50000 THEN found END AS x
  RETURN x, null AS c
  UNION ALL
  WITH h, a, found WHERE h.how = 'walk' AND h.id IS NULL AND (found IS NULL OR size(found) = 50000)
  MATCH (a)-[e]-() WHERE type(e) = h.r
  RETURN e AS x, null AS c
  UNION ALL
  WITH h, a WHERE h.how = 'walk' AND h.id IS NOT NULL
  MATCH (b) WHERE elementId(b) = h.id
  MATCH (a)-[e]-(b) WHERE type(e) = h.r
  RETURN e AS x, null AS c
}
WITH way, ns, vs, es, h, a, CASE h.how WHEN 'walk' THEN x END AS e,
  CASE h.how WHEN 'read' THEN x END AS v, c
WITH way, ns, vs, es, h, a, e, v,
  CASE WHEN e IS NULL THEN c WHEN startNode(e) = a THEN endNode(e) ELSE startNode(e) END AS b
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, ns, vs, es, coalesce($asked.hops[way.hops[2]], {f: 0, how: 'stay'}) AS h
WITH way, ns, vs, es, h, ns[h.f] AS a
WITH way, ns, vs, es, h, a, CASE
  WHEN h.how = 'walk' AND h.id IS NULL AND h.g IS NOT NULL THEN
    CASE WHEN h.g < 16 THEN
    CASE WHEN h.g < 8 THEN
    CASE WHEN h.g < 4 THEN
    CASE WHEN h.g < 2 THEN
    CASE WHEN h.g < 1 THEN
    COLLECT { MATCH (a)-[e:`ACTED_IN`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`DIRECTED`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 3 THEN
    COLLECT { MATCH (a)-[e:`T0`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T1`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 6 THEN
    CASE WHEN h.g < 5 THEN
    COLLECT { MATCH (a)-[e:`T10`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T11`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 7 THEN
    COLLECT { MATCH (a)-[e:`T12`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T13`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 12 THEN
    CASE WHEN h.g < 10 THEN
    CASE WHEN h.g < 9 THEN
    COLLECT { MATCH (a)-[e:`T14`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T15`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 11 THEN
    COLLECT { MATCH (a)-[e:`T16`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T17`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 14 THEN
    CASE WHEN h.g < 13 THEN
    COLLECT { MATCH (a)-[e:`T18`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T19`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 15 THEN
    COLLECT { MATCH (a)-[e:`T2`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T20`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    ELSE
    CASE WHEN h.g < 24 THEN
    CASE WHEN h.g < 20 THEN
    CASE WHEN h.g < 18 THEN
    CASE WHEN h.g < 17 THEN
    COLLECT { MATCH (a)-[e:`T21`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T22`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 19 THEN
    COLLECT { MATCH (a)-[e:`T23`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T24`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 22 THEN
    CASE WHEN h.g < 21 THEN
    COLLECT { MATCH (a)-[e:`T25`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T26`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 23 THEN
    COLLECT { MATCH (a)-[e:`T27`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T28`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    ELSE
    CASE WHEN h.g < 28 THEN
    CASE WHEN h.g < 26 THEN
    CASE WHEN h.g < 25 THEN
    COLLECT { MATCH (a)-[e:`T29`|`WROTE`]-() WHERE type(e) = h.r RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T3`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 27 THEN
    COLLECT { MATCH (a)-[e:`T4`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T5`]-() RETURN e LIMIT 50000 }
    END
    END
    ELSE
    CASE WHEN h.g < 30 THEN
    CASE WHEN h.g < 29 THEN
    COLLECT { MATCH (a)-[e:`T6`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T7`]-() RETURN e LIMIT 50000 }
    END
    ELSE
    CASE WHEN h.g < 31 THEN
    COLLECT { MATCH (a)-[e:`T8`]-() RETURN e LIMIT 50000 }
    ELSE
    COLLECT { MATCH (a)-[e:`T9`]-() RETURN e LIMIT 50000 }
    END
    END
    END
    END
    END
  WHEN h.how = 'read' THEN [] + a[h.r]
  WHEN h.how = 'stay' THEN [null]
  END AS found
CALL (h, a, vs, found) {
  UNWIND CASE WHEN h.how <> 'walk' OR size(found) < 50000 THEN found END AS x
  RETURN x, null AS c
  UNION ALL
  WITH h, a, found WHERE h.how = 'walk' AND h.id IS NULL AND (found IS NULL OR size(found) = 50000)
  MATCH (a)-[e]-() WHERE type(e) = h.r
  RETURN e AS x, null AS c
  UNION ALL
  WITH h, a WHERE h.how = 'walk' AND h.id IS NOT NULL
  MATCH (b) WHERE elementId(b) = h.id
  MATCH (a)-[e]-(b) WHERE type(e) = h.r
  RETURN e AS x, null AS c
}
WITH way, ns, vs, es, h, a, CASE h.how WHEN 'walk' THEN x END AS e,
  CASE h.how WHEN 'read' THEN x END AS v, c
WITH way, ns, vs, es, h, a, e, v,
  CASE WHEN e IS NULL THEN c WHEN startNode(e) = a THEN endNode(e) ELSE startNode(e) END AS b
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, $asked.forms[way.form] AS form, ns, vs, es
  WHERE none(p IN form.apart WHERE coalesce(ns[p[0]] = ns[p[1]], vs[p[0]] = vs[p[1]], false))
  AND none(p IN form.edges WHERE coalesce(es[p[0]] = es[p[1]], false))
  AND none(p IN form.labels WHERE NOT p[1] IN labels(ns[p[0]]))
  AND none(p IN form.facts WHERE ns[p[0]] = ns[p[2]] AND vs[p[1]] = vs[p[3]])
  AND none(p IN form.names WHERE any(l IN labels(ns[p[0]]) WHERE l IN coalesce($naming[p[1]], [])))
  AND none(p IN form.called WHERE any(c IN $called WHERE coalesce((c[0] IS NULL OR c[0] IN labels(ns[p[0]])) AND ns[p[0]][c[1]] = vs[p[1]], false)))
WITH DISTINCT CASE WHEN form.told IS NULL THEN [p IN form.shown | coalesce(elementId(ns[p]), [vs[p]])]
  ELSE reduce(ids = '', p IN form.told | ids + ' ' + coalesce(elementId(ns[p]), '')) END AS found LIMIT $limit
RETURN collect(found) AS matches
}
WITH row, matches WHERE size(matches) > 0 LIMIT $wanted
UNWIND range(0, size(matches) - 1, 1000) AS first
RETURN row.i AS i, matches[first..first + 1000] AS matches


