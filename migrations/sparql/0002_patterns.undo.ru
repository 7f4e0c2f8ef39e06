# The named graph of saved patterns, with every pattern that was saved there.
DROP SILENT GRAPH <urn:isomatch:patterns>
