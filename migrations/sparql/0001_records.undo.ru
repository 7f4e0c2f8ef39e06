# The named graph of the records, with them.
DROP SILENT GRAPH <urn:isomatch:migrations>
