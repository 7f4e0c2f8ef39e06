:param n2 => 'crime';
MATCH (film)-[e0:`ACTED_IN`]-(who)
WHERE any(key IN keys(e0) WHERE $n2 IN [] + e0[key])
  AND film <> who
RETURN DISTINCT film, who, $n2 AS crime, e0, coalesce(film.`name`, film.`title`) AS filmLabel, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;
