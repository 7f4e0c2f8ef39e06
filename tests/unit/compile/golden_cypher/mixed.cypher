// columns: i c0 c1
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
CALL (h, ns, vs) {
  WITH h, ns[h.f] AS a WHERE h.how = 'walk'
  MATCH (a)-[e:$(h.r)]-(b)
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
  RETURN b, null AS v, e
  UNION ALL
  UNWIND CASE h.how WHEN 'read' THEN [] + ns[h.f][h.r] WHEN 'stay' THEN [null] END AS v
  RETURN null AS b, v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[0] IN h.places

  MATCH (b) WHERE v IN [] + b[h.r] AND labels(b) = []
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[1] IN h.places

  MATCH (b:`Film`) WHERE v IN [] + b[h.r]
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[2] IN h.places

  MATCH (b:`Film`) WHERE b.`year` = v
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[3] IN h.places

  MATCH (b:`Person`) WHERE b.`title` = v
  RETURN b, null AS v, null AS e
}
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, ns, vs, es, coalesce($asked.hops[way.hops[1]], {f: 0, how: 'stay'}) AS h
CALL (h, ns, vs) {
  WITH h, ns[h.f] AS a WHERE h.how = 'walk'
  MATCH (a)-[e:$(h.r)]-(b)
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
  RETURN b, null AS v, e
  UNION ALL
  UNWIND CASE h.how WHEN 'read' THEN [] + ns[h.f][h.r] WHEN 'stay' THEN [null] END AS v
  RETURN null AS b, v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[0] IN h.places

  MATCH (b) WHERE v IN [] + b[h.r] AND labels(b) = []
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[1] IN h.places

  MATCH (b:`Film`) WHERE v IN [] + b[h.r]
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[2] IN h.places

  MATCH (b:`Film`) WHERE b.`year` = v
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[3] IN h.places

  MATCH (b:`Person`) WHERE b.`title` = v
  RETURN b, null AS v, null AS e
}
WITH way, ns + [b] AS ns, vs + [v] AS vs, es + [e] AS es
  WHERE (h.id IS NULL OR elementId(b) = h.id) AND (h.value IS NULL OR v = h.value)
WITH way, ns, vs, es, coalesce($asked.hops[way.hops[2]], {f: 0, how: 'stay'}) AS h
CALL (h, ns, vs) {
  WITH h, ns[h.f] AS a WHERE h.how = 'walk'
  MATCH (a)-[e:$(h.r)]-(b)
  WHERE h.out IS NULL OR h.out = (startNode(e) = a) OR a = b
  RETURN b, null AS v, e
  UNION ALL
  UNWIND CASE h.how WHEN 'read' THEN [] + ns[h.f][h.r] WHEN 'stay' THEN [null] END AS v
  RETURN null AS b, v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[0] IN h.places

  MATCH (b) WHERE v IN [] + b[h.r] AND labels(b) = []
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[1] IN h.places

  MATCH (b:`Film`) WHERE v IN [] + b[h.r]
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[2] IN h.places

  MATCH (b:`Film`) WHERE b.`year` = v
  RETURN b, null AS v, null AS e
  UNION ALL
  WITH h, vs[h.f] AS v WHERE h.how = 'find' AND $places[3] IN h.places

  MATCH (b:`Person`) WHERE b.`title` = v
  RETURN b, null AS v, null AS e
}
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


