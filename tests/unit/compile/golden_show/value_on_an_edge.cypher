:param n0 => '4:db:2';
MATCH (n0)-[e0:`ACTED_IN`]-(n1)
WHERE elementId(n0) = $n0
  AND n0 <> n1
UNWIND keys(e0) AS k0
UNWIND [] + e0[k0] AS n2
RETURN DISTINCT n0, n1, n2, e0
LIMIT 1000;
