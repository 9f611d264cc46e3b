-- What a device tells about itself, and that it can be removed.

ALTER TABLE devices ADD COLUMN model text, ADD COLUMN app_version text;
GRANT DELETE ON devices TO neuroviews_app;
