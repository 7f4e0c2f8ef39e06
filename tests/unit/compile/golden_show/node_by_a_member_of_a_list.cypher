:param n1 => 'crime';
MATCH (n0),
      (n2)
WHERE $n1 IN [] + n0.`genres`
  AND $n1 IN [] + n2.`genres`
  AND n0 <> n2
RETURN DISTINCT n0, $n1 AS n1, n2
LIMIT 1000;
