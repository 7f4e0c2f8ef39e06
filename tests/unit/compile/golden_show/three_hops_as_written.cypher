:param n0 => '4:db:2';
MATCH (heat)-[e0:`DIRECTED`]->(who),
      (other)-[e1:`DIRECTED`]->(who),
      (other)-[e2:`ACTED_IN`]->(actor)
WHERE elementId(heat) = $n0
  AND heat <> who
  AND heat <> other
  AND heat <> actor
  AND who <> other
  AND who <> actor
  AND other <> actor
RETURN DISTINCT heat, who, other, actor, e0, e1, e2, coalesce(who.`name`, who.`title`) AS whoLabel, coalesce(other.`name`, other.`title`) AS otherLabel, coalesce(actor.`name`, actor.`title`) AS actorLabel
LIMIT 1000;
