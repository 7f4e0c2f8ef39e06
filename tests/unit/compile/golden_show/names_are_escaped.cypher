:param n0 => 'it\'s \\u0027;\n//';
MATCH (n0)-[e0:`a``]-(b)\u001b[31m//`]-(n1:```) RETURN 1 //`)
WHERE elementId(n0) = $n0
  AND n0 <> n1
UNWIND [] + n1.`\u005Cu0060``` AS n2
WITH *
WHERE NOT coalesce(n2 IN [n0.`name`], false)
  AND NOT coalesce((n0:`Film`) AND n0.`title` = n2, false)
RETURN DISTINCT n0, n1, n2, e0
LIMIT 1000;
