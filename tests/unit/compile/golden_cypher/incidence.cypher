// columns: n r out into
// parameters: asked
UNWIND $asked.nodes AS id
MATCH (n) WHERE elementId(n) = id
UNWIND [
  [$asked.types[0], EXISTS { (n)-[:`DIRECTED`]->() }, EXISTS { (n)<-[:`DIRECTED`]-() }],
  [$asked.types[1], EXISTS { (n)-[:`WROTE`]->() }, EXISTS { (n)<-[:`WROTE`]-() }]
] + [k IN $asked.keys | ['.' + k, n[k] IS NOT NULL, false]] AS port
WITH id, port WHERE port[1] OR port[2]
RETURN id AS n, port[0] AS r, port[1] AS out, port[2] AS into
