// columns: id
// parameters: nodes
UNWIND $nodes AS id
MATCH (n) WHERE elementId(n) = id
RETURN id
