:param n2 => 'crime';
MATCH (n0)-[e0:`ACTED_IN`]-(n1)
WHERE any(key IN keys(e0) WHERE $n2 IN [] + e0[key])
  AND n0 <> n1
RETURN DISTINCT n0, n1, $n2 AS n2, e0
LIMIT 1000;
