:param n0 => '4:db:2';
MATCH (heat)-[e0:`DIRECTED`]-(who)
WHERE elementId(heat) = $n0
  AND NOT (who:`Film`)
  AND heat <> who
UNWIND [] + who.`title` AS what
WITH *
WHERE NOT coalesce(what IN [heat.`name`], false)
  AND NOT coalesce((heat:`Film`) AND heat.`title` = what, false)
RETURN DISTINCT heat, who, what, e0, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;
