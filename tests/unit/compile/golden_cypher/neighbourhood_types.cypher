// columns: i type
// parameters: nodes
UNWIND $nodes AS row
MATCH (n) WHERE elementId(n) = row.id
UNWIND labels(n) AS label
RETURN row.i AS i, ':' + label AS type
