// columns: i count
// parameters: keys naming no_labels nodes
UNWIND $nodes AS row
MATCH (n) WHERE elementId(n) = row.id
WITH row, n, [k IN keys(n) WHERE k IN $keys AND none(l IN labels(n) WHERE l IN coalesce($naming[k], []))] AS facts
RETURN row.i AS i, COUNT { (n)--() } + reduce(values = 0, k IN facts | values + size([] + n[k])) AS count
