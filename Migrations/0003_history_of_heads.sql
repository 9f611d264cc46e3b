-- Versions belong to an item without a foreign key: its look-up was a fifth of PostgreSQL's work for each write of a batch. Writes lock the
-- head before they add versions, and versions are deleted with their head (`forget_history`), so that none outlives its account.
ALTER TABLE configuration_versions DROP CONSTRAINT configuration_versions_user_id_id_fkey;
ALTER TABLE recording_versions DROP CONSTRAINT recording_versions_user_id_id_fkey;
