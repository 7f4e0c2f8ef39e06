MATCH (who)
WHERE NOT (who:`Film`)
UNWIND [] + who.`title` AS what
RETURN DISTINCT who, what, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;
