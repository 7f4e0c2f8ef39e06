-- A text index over every literal, for the search by words (bif:contains). Virtuoso fills
-- it in the background from then on; the second line fills it with what is there.
DB.DBA.RDF_OBJ_FT_RULE_ADD (null, null, 'All');
DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ();
DB.DBA.VT_BATCH_UPDATE ('DB.DBA.RDF_OBJ', 'ON', 1);
