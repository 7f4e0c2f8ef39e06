# What `isomatch migrate` itself needs, and nothing else: your data stays as it is.

# Records of migrations, in a named graph of their own.
CREATE SILENT GRAPH <urn:isomatch:migrations>
