:param n1 => '4:db:1';
MATCH (film:`Film`)-[e0:`DIRECTED`]-(michael_mann)
WHERE elementId(michael_mann) = $n1
  AND film <> michael_mann
RETURN DISTINCT film, michael_mann, e0, film.`title` AS filmLabel
LIMIT 1000;
