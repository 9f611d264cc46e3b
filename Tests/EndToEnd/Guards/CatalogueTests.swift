import Foundation
import TestSupport
import Testing

@Suite("Access rules in PostgreSQL's catalogue", .blocking)
struct CatalogueTests {
    private static let ownRows = """
        CREATE POLICY own_rows ON extra TO neuroviews_app
            USING (user_id = nullif(current_setting('app.user_id', true), '')::uuid);
        """
    private static let table =
        "CREATE TABLE extra (user_id uuid, part int, document text);ALTER TABLE extra ALTER document SET STATISTICS 0;"
    private static let secured = table + "ALTER TABLE extra ENABLE ROW LEVEL SECURITY;"

    @Test("Every table of accounts shows the application's role the rows of the set user only")
    func findings() throws {
        let server = try Shared.server.get()
        let findings = try Catalogue.findings(server)
        #expect(findings.isEmpty)
        #expect(try Catalogue.tables(server).contains { $0.name == "idempotency_keys" })
    }

    /// The additional findings after these statements.
    private static func findings(after setup: String) throws -> [String] {
        let server = try Shared.server.get()
        let known = try Catalogue.findings(server)
        return try Catalogue.findings(server, after: setup).filter { !known.contains($0) }
    }

    @Test("A table with all policies and grants is no finding")
    func correct() throws {
        let setup = Self.secured + Self.ownRows + "GRANT SELECT, INSERT, UPDATE, DELETE ON extra TO neuroviews_app"
        #expect(try Self.findings(after: setup) == [])
    }

    @Test(
        "Every missing policy and every grant too many is a finding",
        arguments: [
            (table + ownRows, ["extra: row-level security is off"]),
            (secured, ["extra: no policy gives neuroviews_app the rows of app.user_id"]),
            (
                secured + ownRows.replacing("ON extra TO", with: "ON extra FOR SELECT TO"),
                [
                    "extra: no policy gives neuroviews_app the rows of app.user_id",
                    "extra: the policy own_rows gives neuroviews_app other rows",
                ]
            ),
            (
                secured + ownRows + "CREATE POLICY more ON extra USING (part = 1)",
                ["extra: the policy more gives neuroviews_app other rows"]
            ),
            (
                secured + ownRows + "ALTER POLICY own_rows ON extra WITH CHECK (true)",
                [
                    "extra: no policy gives neuroviews_app the rows of app.user_id",
                    "extra: the policy own_rows gives neuroviews_app other rows",
                ]
            ),
            (
                secured.replacing(");ALTER", with: ") PARTITION BY LIST (part);ALTER") + ownRows
                    + "CREATE TABLE extra_1 PARTITION OF extra FOR VALUES IN (1)",
                [
                    "extra_1: ANALYZE copies values of document",
                    "extra_1: no policy gives neuroviews_app the rows of app.user_id",
                    "extra_1: row-level security is off",
                ]
            ),
            (
                secured + ownRows + "GRANT TRUNCATE ON extra TO neuroviews_app",
                ["extra: neuroviews_app may TRUNCATE, which no policy restricts"]
            ),
            (
                "CREATE TABLE extra (x int, y int); GRANT UPDATE (y) ON extra TO neuroviews_app",
                ["extra: neuroviews_app has a right to it, and its rows have no owner"]
            ),
            (
                "CREATE TABLE extra (x int); GRANT SELECT ON extra TO PUBLIC",
                ["extra: neuroviews_app has a right to it, and its rows have no owner"]
            ),
            (
                "CREATE VIEW extra AS SELECT * FROM configurations; GRANT SELECT ON extra TO neuroviews_app",
                ["extra: neuroviews_app has a right to it, and its rows have no owner"]
            ),
            (
                secured + ownRows + "GRANT SELECT ON extra TO neuroviews_background",
                ["extra: neuroviews_background may read documents"]
            ),
            (
                "CREATE TABLE extra (x text[], y jsonb, z inet); CREATE STATISTICS more (ndistinct) ON x, y FROM extra",
                [
                    "extra: ANALYZE copies values of x", "extra: ANALYZE copies values of y",
                    "extra: ANALYZE copies values of z", "more: extended statistics copy values",
                ]
            ),
            (
                "CREATE INDEX extra ON devices (lower(name))",
                ["extra: ANALYZE copies values of lower"]
            ),
            (
                "CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                [
                    "extra: PUBLIC may execute it",
                    "extra: neuroviews_app may execute it without a grant of its own",
                    "extra: neuroviews_background may execute it without a grant of its own",
                ]
            ),
            (
                """
                CREATE FUNCTION extra() RETURNS text LANGUAGE sql AS 'SELECT set_config(''app.user_id'', ''x'', true)';
                REVOKE ALL ON FUNCTION extra FROM PUBLIC
                """, ["extra: it sets who the caller is"]
            ),
        ]
    )
    func broken(setup: String, findings: [String]) throws {
        #expect(try Self.findings(after: setup) == findings)
    }

    @Test("Security definer functions search PostgreSQL's own schema, except those of each request")
    func searchPaths() throws {
        let others = try Shared.server.get().sql(
            """
            SELECT proname FROM pg_proc WHERE pronamespace = 'neuroviews'::regnamespace AND prosecdef
                AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false) ORDER BY 1
            """
        )
        #expect(others == ["enter_session", "enter_signed_session"])
    }

    @Test("Unique keys of accounts' rows contain the account, except those that docs/scale.md names")
    func keys() throws {
        let others = try Shared.server.get().sql(
            """
            WITH \(CatalogueSQL.relation) SELECT r.relname || ' ' || i.relname FROM pg_index x
            JOIN relation r ON r.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
            WHERE r.owner = 'user_id' AND x.indisunique AND NOT EXISTS (
                SELECT FROM pg_attribute a
                WHERE a.attrelid = r.oid AND a.attname = 'user_id' AND a.attnum = ANY (x.indkey)) ORDER BY 1
            """
        )
        #expect(
            others == [
                "identities identities_subject_key", "passkeys passkeys_credential_key",
                "recording_files recording_files_object_key_key",
                "second_factor_challenges second_factor_challenges_pkey",
            ]
        )
        let page = try String(contentsOfFile: Repository.path + "/docs/scale.md", encoding: .utf8)
        for table in others.compactMap({ $0.split(separator: " ").first }) {
            #expect(page.contains("`\(table)`"), "\(table)")
        }
    }
}
