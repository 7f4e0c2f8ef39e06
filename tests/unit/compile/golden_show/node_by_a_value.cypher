:param n1 => 1995;
MATCH (n0:`Film`)
WHERE n0.`year` = $n1
RETURN DISTINCT n0, $n1 AS n1
LIMIT 1000;
