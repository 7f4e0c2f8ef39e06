:param n0 => '4:db:2';
MATCH (n0)
WHERE elementId(n0) = $n0
UNWIND [] + n0.`year` AS n1
WITH *
WHERE n1 IS :: INTEGER | FLOAT
RETURN DISTINCT n0, n1
LIMIT 1000;
