:param n0 => '4:db:2';
MATCH (heat)
WHERE elementId(heat) = $n0
UNWIND [] + heat.`year` AS year
WITH *
WHERE year IS :: INTEGER | FLOAT
RETURN DISTINCT heat, year
LIMIT 1000;
