:param n1 => '4:db:1';
MATCH (n0:`Film`)-[e0:`DIRECTED`]-(n1)
WHERE elementId(n1) = $n1
  AND n0 <> n1
RETURN DISTINCT n0, n1, e0
LIMIT 1000;
