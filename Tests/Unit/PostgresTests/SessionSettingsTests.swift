import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Settings of database sessions", .timeLimit(.minutes(Patience.minutes(2))))
struct SessionSettingsTests {
    /// A setting, a value that a database or a role may have, and the value of each session.
    private static let settings = [
        ("statement_timeout", "30s", "0"), ("lock_timeout", "31s", "0"),
        ("idle_in_transaction_session_timeout", "32s", "0"), ("idle_session_timeout", "33s", "0"),
        ("search_path", "elsewhere", "\"$user\", public"), ("client_encoding", "LATIN1", "UTF8"),
        ("DateStyle", "German, DMY", "ISO, MDY"), ("IntervalStyle", "iso_8601", "postgres"),
        ("TimeZone", "Asia/Kathmandu", "UTC"), ("timezone_abbreviations", "India", "Default"),
        ("bytea_output", "escape", "hex"), ("extra_float_digits", "0", "1"), ("xmlbinary", "hex", "base64"),
        ("xmloption", "document", "content"), ("array_nulls", "off", "on"), ("transform_null_equals", "on", "off"),
        ("quote_all_identifiers", "on", "off"), ("standard_conforming_strings", "off", "on"),
        ("escape_string_warning", "off", "on"), ("backslash_quote", "on", "safe_encoding"),
        ("row_security", "off", "on"), ("exit_on_error", "on", "off"), ("check_function_bodies", "off", "on"),
        ("plpgsql.extra_errors", "all", "none"), ("default_table_access_method", "other", "heap"),
        ("default_transaction_isolation", "serializable", "read committed"),
        ("default_transaction_read_only", "on", "off"), ("default_transaction_deferrable", "on", "off"),
        ("synchronous_commit", "off", "on"), ("session_replication_role", "replica", "origin"),
        ("role", "stranger", "none"),
    ]

    /// A new database, its name, and a superuser's login that no other test has.
    private struct Place {
        let cluster: TestCluster
        let database: String
        let role: String
        let connectionString: String

        init() throws {
            cluster = try TestCluster.shared.get()
            let url = try cluster.makeDatabase()
            database = String(url.split(separator: "=").last ?? "")
            role = "login_\(database)"
            connectionString = cluster.connectionString(database, user: role)
            try cluster.execute("CREATE ROLE \(role) LOGIN SUPERUSER")
        }

        func set(_ name: String, _ value: String, for target: String) throws {
            try cluster.execute("ALTER \(target) SET \(name) = '\(value)'")
        }

        func current(_ name: String) throws -> String? {
            try BlockingSession(connectionString).execute("SELECT current_setting($1)", [name]).first?.text(0)
        }
    }

    @Test("A session has the server's settings, whatever its database and its role have")
    func foreign() async throws {
        try await onThread {
            let place = try Place()
            let stranger = "stranger_\(place.database)"
            try place.cluster.execute("CREATE ROLE \(stranger)")
            try place.cluster.execute(
                "CREATE ACCESS METHOD other TYPE TABLE HANDLER heap_tableam_handler",
                in: place.connectionString
            )
            for target in ["DATABASE \(place.database)", "ROLE \(place.role)"] {
                for (name, foreign, _) in Self.settings {
                    try place.set(name, foreign == "stranger" ? stranger : foreign, for: target)
                }
                let session = try BlockingSession(place.connectionString)
                for (name, foreign, own) in Self.settings {
                    let row = try session.execute(
                        """
                        SELECT current_setting($1),
                            (SELECT reset_val = setting FROM pg_settings WHERE name = $1)
                        """,
                        [name]
                    ).first
                    #expect(row?.text(0) == own, "\(name) of \(target)")
                    // PostgreSQL shows no default of a role, and libpq sends the encoding.
                    let isHidden = ["role", "client_encoding"].contains(name)
                    #expect(isHidden || row?.isTrue(1) == false, "\(name) = \(foreign) of \(target) did not arrive")
                }
                try place.cluster.execute("ALTER \(target) RESET ALL")
            }
        }
    }

    @Test("A session keeps a synchronous_commit that keeps acknowledged writes on the disk")
    func synchronousCommit() async throws {
        try await onThread {
            let place = try Place()
            for value in ["local", "remote_write", "remote_apply"] {
                try place.set("synchronous_commit", value, for: "DATABASE \(place.database)")
                #expect(try place.current("synchronous_commit") == value)
            }
        }
    }

    @Test("A login whose triggers are off and that can't switch them on is refused with the remedy")
    func triggers() async throws {
        try await onThread {
            let place = try Place()
            try place.set("session_replication_role", "replica", for: "ROLE \(place.role)")
            try place.cluster.execute("ALTER ROLE \(place.role) NOSUPERUSER")
            #expect {
                _ = try BlockingSession(place.connectionString)
            } throws: { error in
                guard case DatabaseError.unusable(.triggersOff("replica")) = error else { return false }
                return "\(error)".contains("ALTER ROLE … RESET session_replication_role")
            }
        }
    }
}
