:param n0 => '4:db:2';
MATCH (heat),
      (other)
WHERE elementId(heat) = $n0
  AND heat <> other
UNWIND [] + heat.`genres` AS genre
WITH *
WHERE genre IN [] + other.`genres`
RETURN DISTINCT heat, genre, other, coalesce(other.`name`, other.`title`) AS otherLabel
LIMIT 1000;
