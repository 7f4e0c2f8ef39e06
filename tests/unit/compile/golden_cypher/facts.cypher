// columns: i id start key value
// parameters: edges most
UNWIND $edges AS f
MATCH (a) WHERE elementId(a) = f.a
CALL (f) {
  MATCH (b) WHERE elementId(b) = f.b
  RETURN b
}
CALL (f, a, b) {
  MATCH (a)-[e]-(b)
  WHERE type(e) = f.r AND (f.value IS NULL OR any(k IN CASE WHEN f.key IS NULL THEN keys(e) ELSE [f.key] END WHERE f.value IN [] + e[k]))
  RETURN e LIMIT $most
}
UNWIND [null] + keys(e) AS key
UNWIND CASE WHEN key IS NULL THEN [null] ELSE [] + e[key] END AS value
RETURN f.i AS i, elementId(e) AS id, elementId(startNode(e)) AS start, key,
  CASE WHEN value IS NULL THEN null ELSE [value] END AS value
