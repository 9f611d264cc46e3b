import Foundation
import Postgres
import TestSupport
import Testing

/// The statements run as in a request: by the application's login, in the caller's session, over the extended protocol.
@Suite("SQL injection of one statement", .blocking)
struct InjectionTests {
    /// The answer to one statement: PostgreSQL's refusal, or rows.
    private enum Answer: CustomStringConvertible {
        case refused(ServerRefusal)
        case rows([String])

        var description: String {
            switch self {
            case .refused(let refusal): "\(refusal.state) \(refusal.message)"
            case .rows(let rows): rows.isEmpty ? "0 rows" : "\(rows.count) rows: \(rows[0])"
            }
        }
    }

    private func ask(_ statement: String, as device: Device, on server: ServerProcess) throws -> Answer {
        let session = try BlockingSession(server.applicationConnectionString)
        let settings = "SET application_name = 'test'; SET search_path = neuroviews, pg_temp"
        try session.execute("\(settings); SET statement_timeout = '20s'; BEGIN")
        try session.execute("SELECT enter_session($1, $2, 1, NULL)", [device.userID, device.sessionID])
        let rows: Rows
        do throws(DatabaseError) {
            rows = try session.execute(statement, [])
            try session.execute("COMMIT")
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return .refused(refusal)
        }
        return .rows((0..<rows.count).map { rows[$0].text(0) ?? "NULL" })
    }

    @Test("An injected statement reads and changes the caller's rows only")
    func injections() throws {
        let server = try Shared.server.get()
        let (attacker, victim) = (try FilledAccount().device, try FilledAccount().device)
        // After this, PostgreSQL's own statistics have values of all users.
        try server.sql("ANALYZE")
        let before = try state(of: victim, server)
        var table: [String] = []
        for injection in Injection.all {
            let answer = try ask(
                injection.statement.replacing("$VICTIM", with: victim.userID),
                as: attacker,
                on: server
            )
            switch answer {
            case .refused(let refusal):
                #expect(refusal.state == injection.refusal, "\(injection.statement): \(answer)")
            case .rows(let rows):
                #expect(injection.refusal == nil && rows.isEmpty, "\(injection.statement): \(answer)")
            }
            table.append("\(injection.statement)\t\("\(answer)".replacing(victim.userID, with: "$VICTIM"))\n")
        }
        #expect(Injection.all.count >= 40)
        #expect(try state(of: victim, server) == before)
        // Tests/Exams/Injection/run makes a page from this table.
        if let path = ProcessInfo.processInfo.environment["NEUROVIEWS_TEST_INJECTIONS"] {
            let version = try server.sql("SHOW server_version").joined().prefix { $0 != " " }
            try Data("\(version)\n\(table.joined())".utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    /// All stored rows of an account, and the roles with their memberships.
    private func state(of device: Device, _ server: ServerProcess) throws -> [String] {
        let roles = "SELECT r::text FROM pg_roles r UNION ALL SELECT m::text FROM pg_auth_members m ORDER BY 1"
        return try Catalogue.rows(of: device.userID, server) + server.sql(roles)
    }
}

extension ServerProcess {
    /// The login that requests use.
    var applicationConnectionString: String {
        connectionString.replacing("user=neuroviews", with: "user=neuroviews_app")
    }
}
