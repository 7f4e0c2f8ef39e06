:param n0 => '4:db:2';
MATCH (n0)-[e0:`DIRECTED`]->(n1),
      (n2)-[e1:`DIRECTED`]->(n1),
      (n2)-[e2:`ACTED_IN`]->(n3)
WHERE elementId(n0) = $n0
  AND n0 <> n1
  AND n0 <> n2
  AND n0 <> n3
  AND n1 <> n2
  AND n1 <> n3
  AND n2 <> n3
RETURN DISTINCT n0, n1, n2, n3, e0, e1, e2
LIMIT 1000;
