// What `isomatch migrate` itself needs, and nothing else: your data stays as it is.

// Records of migrations, in nodes labelled :IsomatchMigration: each version once,
// also when two processes migrate at the same time.
CREATE CONSTRAINT isomatch_migration_version IF NOT EXISTS
FOR (m:IsomatchMigration) REQUIRE m.version IS UNIQUE;
