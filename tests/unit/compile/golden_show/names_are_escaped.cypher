:param n0 => 'it\'s \\u0027;\n//';
MATCH (heat)-[e0:`a``]-(b)\u001b[31m//`]-(who:```) RETURN 1 //`)
WHERE elementId(heat) = $n0
  AND heat <> who
UNWIND [] + who.`\u005Cu0060``` AS what
WITH *
WHERE NOT coalesce(what IN [heat.`name`], false)
  AND NOT coalesce((heat:`Film`) AND heat.`title` = what, false)
RETURN DISTINCT heat, who, what, e0, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;
