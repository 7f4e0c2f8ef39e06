:param n1 => 1995;
MATCH (film:`Film`)
WHERE film.`year` = $n1
RETURN DISTINCT film, $n1 AS `1995`, film.`title` AS filmLabel
LIMIT 1000;
