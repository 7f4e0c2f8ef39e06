:param n0 => '4:db:2';
MATCH (heat)-[e0:`ACTED_IN`]-(who)
WHERE elementId(heat) = $n0
  AND heat <> who
UNWIND keys(e0) AS k0
UNWIND [] + e0[k0] AS role
RETURN DISTINCT heat, who, role, e0, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;
