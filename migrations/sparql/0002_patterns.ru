# Room for patterns that you save, by name: your data stays as it is.

# A named graph for saved patterns, apart from your data.
CREATE SILENT GRAPH <urn:isomatch:patterns>
;
# What is kept in it, in one sentence, for who finds it.
INSERT DATA {
  GRAPH <urn:isomatch:patterns> {
    <urn:isomatch:patterns> <urn:isomatch:kept:about> "Patterns saved for isomatch: each has a name, its text, a note, who saved it and when."
  }
}
