// columns: hops degree cut a r x
// parameters: keys naming no_labels nodes config
CALL isomatch.subgraph.stream($nodes, $config) YIELD node, hops, degree, relationships, cut
WITH node, hops, degree, relationships, cut, CASE WHEN hops < $config.hops THEN [k IN keys(node) WHERE k IN $keys AND none(l IN labels(node) WHERE l IN coalesce($naming[k], []))] ELSE [] END AS facts
CALL (node, relationships, facts) {
  RETURN elementId(node) AS a, null AS r, null AS x
  UNION ALL
  UNWIND relationships AS e
  RETURN elementId(startNode(e)) AS a, ':' + type(e) AS r, elementId(endNode(e)) AS x
  UNION ALL
  UNWIND facts AS k
  UNWIND [] + node[k] AS v
  RETURN elementId(node) AS a, '.' + k AS r, [v] AS x
}
RETURN hops, degree, cut, a, r, x
