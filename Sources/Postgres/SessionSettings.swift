import CPostgres

/// The settings with which every session begins. A database, a role and postgresql.conf may have others, for other programs, and many of
/// them change answers.
///
/// They are set when the connection is made: poolers refuse `options` in the startup packet. Each is a `SET`, since only the owner's login may
/// execute `set_config`. What changes speed and no answer is left to the operator.
enum SessionSettings {
    /// Each statement of a query has its own time limit, so the first one ends all foreign limits.
    static func statements(serverVersion: Int32) -> String {
        """
        SET statement_timeout = 0; SET ROLE NONE; SET quote_all_identifiers = off; SET search_path = "$user", public;
        SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0;
        \(serverVersion >= 170_000 ? "SET transaction_timeout = 0;" : "")
        SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
        SET default_transaction_deferrable = off; SET exit_on_error = off; SET row_security = on;
        SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres';
        SET TimeZone = 'UTC'; SET timezone_abbreviations = 'Default';
        SET bytea_output = 'hex'; SET extra_float_digits = 1; SET xmlbinary = 'base64'; SET xmloption = 'content';
        SET array_nulls = on; SET transform_null_equals = off;
        SET standard_conforming_strings = on; SET escape_string_warning = on; SET backslash_quote = 'safe_encoding';
        SET check_function_bodies = on; SET plpgsql.extra_errors = 'none'; SET default_table_access_method = 'heap';
        SELECT pg_catalog.current_setting('synchronous_commit'), pg_catalog.current_setting('session_replication_role')
        """
    }
}

extension BlockingSession {
    /// Sets the settings. Throws `.unusable` when triggers are off and the login can't switch them on.
    func useOwnSettings() throws(DatabaseError) {
        let found = try execute(SessionSettings.statements(serverVersion: PQserverVersion(handle))).first
        // Any other value keeps an acknowledged write on this disk, and is the operator's choice about standbys.
        if found?.text(0) == "off" { try execute("SET synchronous_commit = on") }
        guard let role = found?.text(1), role != "origin" else { return }
        do throws(DatabaseError) {
            try execute("SET session_replication_role = origin")
        } catch .refused {
            throw .unusable(.triggersOff(role))
        }
    }
}
