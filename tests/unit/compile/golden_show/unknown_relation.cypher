:param n0 => '4:db:2';
:param e0 => ['title', 'year'];
:param names => [['title', 'Film']];
MATCH (heat)
WHERE elementId(heat) = $n0
UNWIND $e0 AS relation
UNWIND [] + heat[relation] AS what
WITH *
WHERE none(pair IN $names WHERE relation = pair[0] AND pair[1] IN labels(heat))
RETURN DISTINCT heat, what, relation, what AS whatLabel
LIMIT 1000
UNION
MATCH (heat)-[relation]-(what)
WHERE elementId(heat) = $n0
  AND heat <> what
RETURN DISTINCT heat, what, relation, coalesce(what.`name`, what.`title`) AS whatLabel
LIMIT 1000;
