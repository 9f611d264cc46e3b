-- Retention of the history: old versions' documents are emptied and old conflicts deleted, in the background role.

-- How far each walk over the changes has come. A change is looked at once, when it is old enough to push a version out:
-- nothing has to be searched for, and a run that finds nothing new reads one row. `kept` is the number of versions that the
-- walk was made for (another number starts it anew), `began_at` when it began.
CREATE TABLE sweeps (
    name text PRIMARY KEY,
    kept integer NOT NULL DEFAULT 0,
    reached timestamptz NOT NULL DEFAULT '-infinity',
    began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO sweeps (name) VALUES ('versions by count'), ('versions by age'), ('conflicts by count');

-- The walks' order. Items that were never changed push nothing out, and are not in it.
CREATE INDEX configuration_versions_sweep_key ON configuration_versions (changed_at) WHERE version > 1;
CREATE INDEX configuration_conflicts_sweep_key ON configuration_conflicts (received_at);

CREATE POLICY all_rows ON configuration_versions TO neuroviews_background USING (true);
CREATE POLICY all_rows ON configuration_conflicts TO neuroviews_background USING (true);
GRANT SELECT, UPDATE ON sweeps TO neuroviews_background;
GRANT SELECT, UPDATE (document) ON configuration_versions TO neuroviews_background;
-- UPDATE is what a row lock asks for. What retention empties is counted in the head.
GRANT UPDATE (history_bytes) ON sync_heads TO neuroviews_background;
-- As above; digest is part of the key, which nobody changes.
GRANT SELECT, DELETE, UPDATE (document) ON configuration_conflicts TO neuroviews_background;

-- Whoever has resolved a conflict takes it off the list.
GRANT DELETE ON configuration_conflicts TO neuroviews_app;
