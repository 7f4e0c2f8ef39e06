:param n0 => '4:db:2';
MATCH (n0),
      (n2)
WHERE elementId(n0) = $n0
  AND n0 <> n2
UNWIND [] + n0.`genres` AS n1
WITH *
WHERE n1 IN [] + n2.`genres`
RETURN DISTINCT n0, n1, n2
LIMIT 1000;
