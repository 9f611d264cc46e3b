-- The highest version by which a session has signed a request; 0: none yet. `enter` raises it, and nothing lowers it.
ALTER TABLE sessions ADD COLUMN signature_version smallint NOT NULL DEFAULT 0;
