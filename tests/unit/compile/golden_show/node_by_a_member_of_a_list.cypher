:param n1 => 'crime';
MATCH (film),
      (other)
WHERE $n1 IN [] + film.`genres`
  AND $n1 IN [] + other.`genres`
  AND film <> other
RETURN DISTINCT film, $n1 AS crime, other, coalesce(film.`name`, film.`title`) AS filmLabel, coalesce(other.`name`, other.`title`) AS otherLabel
LIMIT 1000;
