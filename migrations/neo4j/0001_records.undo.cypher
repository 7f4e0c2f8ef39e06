// The constraint on the records of migrations.
DROP CONSTRAINT isomatch_migration_version IF EXISTS;
