:param n0 => '4:db:2';
:param e0 => ['title', 'year'];
:param names => [['title', 'Film']];
MATCH (n0)
WHERE elementId(n0) = $n0
UNWIND $e0 AS e0
UNWIND [] + n0[e0] AS n1
WITH *
WHERE none(pair IN $names WHERE e0 = pair[0] AND pair[1] IN labels(n0))
RETURN DISTINCT n0, n1, e0
LIMIT 1000
UNION
MATCH (n0)-[e0]-(n1)
WHERE elementId(n0) = $n0
  AND n0 <> n1
RETURN DISTINCT n0, n1, e0
LIMIT 1000;
