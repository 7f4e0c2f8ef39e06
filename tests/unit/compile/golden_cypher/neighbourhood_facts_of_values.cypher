// columns: i r x back
// parameters: keys naming no_labels limit values
UNWIND $values AS row
CALL (row) {
  MATCH (n:`Film`) WHERE n.`year` = row.value
    AND none(l IN labels(n) WHERE l IN coalesce($naming[$keys[0]], []))
  WITH n LIMIT $limit
  RETURN '.' + $keys[0] AS r, elementId(n) AS x
  UNION
  MATCH (n:`Film`) WHERE row.value IN [] + n.`genres`
    AND none(l IN labels(n) WHERE l IN coalesce($naming[$keys[1]], []))
  WITH n LIMIT $limit
  RETURN '.' + $keys[1] AS r, elementId(n) AS x
  UNION
  MATCH (n) WHERE row.value IN [] + n.`genres` AND labels(n) = []
    AND none(l IN labels(n) WHERE l IN coalesce($naming[$keys[1]], []))
  WITH n LIMIT $limit
  RETURN '.' + $keys[1] AS r, elementId(n) AS x
  UNION
  MATCH (n:`Person`) WHERE n.`title` = row.value
    AND none(l IN labels(n) WHERE l IN coalesce($naming[$keys[2]], []))
  WITH n LIMIT $limit
  RETURN '.' + $keys[2] AS r, elementId(n) AS x
}
RETURN row.i AS i, r, x, true AS back
