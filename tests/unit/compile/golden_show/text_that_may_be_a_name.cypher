:param n0 => '4:db:2';
MATCH (n0)-[e0:`DIRECTED`]-(n1)
WHERE elementId(n0) = $n0
  AND NOT (n1:`Film`)
  AND n0 <> n1
UNWIND [] + n1.`title` AS n2
WITH *
WHERE NOT coalesce(n2 IN [n0.`name`], false)
  AND NOT coalesce((n0:`Film`) AND n0.`title` = n2, false)
RETURN DISTINCT n0, n1, n2, e0
LIMIT 1000;
