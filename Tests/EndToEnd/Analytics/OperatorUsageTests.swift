import Foundation
import TestSupport
import Testing

@Suite("The command neuroviews-server usage", .blocking)
struct OperatorUsageTests {
    /// This suite needs a server of its own, because the figures include all accounts.
    private static let server = Result { try ServerProcess(["--registration", "open", "--signatures", "optional"]) }
    private static let filled = Result {
        let server = try OperatorUsageTests.server.get()
        for number in 1...2 {
            let usage = RandomUsage(userID: try Device.new(server.client).userID, server: server)
            try usage.fill(seed: Double(number) / 10)
        }
        let hostile = "<script>alert(1)</script>\u{1b}[31m"
        let userID = try Device.new(server.client).userID
        try server.sql(
            "INSERT INTO analytics_name_days VALUES ('\(userID)', now()::date, '\(hostile)', 1000000, '{0}', '{1000000}')"
        )
        return server
    }

    private static func run(_ arguments: String...) throws -> Program {
        try Program.run([Program.server, "usage", "--data", filled.get().data] + arguments)
    }

    private static func json(_ arguments: String...) throws -> [String: Any] {
        let program = try Program.run([Program.server, "usage", "--json", "--data", filled.get().data] + arguments)
        #expect(program.status == 0, "\(program.complaint)")
        let value = try JSONSerialization.jsonObject(with: Data(program.output.utf8)) as? [String: Any]
        return try #require(value?["usage"] as? [String: Any])
    }

    /// The same figures by plain SQL over the raw rows.
    private static func recount(_ sql: String) throws -> [Int] {
        try #require(try filled.get().sql(sql).first).split(separator: "|").map { Int($0) ?? -1 }
    }

    @Test("Operator figures equal a recount from the raw rows of all accounts")
    func figures() throws {
        let (from, to) = ("2026-01-15", "2026-11-20")
        let usage = try Self.json("--from", from, "--to", to)
        let totals = try #require(usage["totals"] as? [String: Any])
        func within(_ column: String) -> String { "\(column) >= '\(from)' AND \(column) < '\(to)'::date + 1" }
        let events = try Self.recount(
            """
            SELECT count(*), count(DISTINCT (user_id, device_id)), count(DISTINCT user_id) FROM analytics_events
            WHERE \(within("occurred_at"))
            """
        )
        #expect(["events", "active_devices", "active_accounts"].map { totals[$0] as? Int } == events)
        #expect(events[0] > 1000)
        let recordings = try Self.recount("SELECT count(*) FROM recording_files WHERE \(within("recorded_at"))")
        #expect([totals["recordings"] as? Int] == recordings)
        let uploads = try Self.recount("SELECT sum(size) FROM recording_files WHERE \(within("uploaded_at"))")
        #expect([totals["uploaded_bytes"] as? Int] == uploads)
        let changes = try Self.recount(
            "SELECT count(DISTINCT (user_id, id)) FROM configuration_versions WHERE \(within("changed_at"))"
        )
        #expect([totals["configurations_changed"] as? Int] == changes)
        let days = try #require(usage["days"] as? [[String: Any]])
        #expect(days.count == 310)
        #expect(days.reduce(0) { $0 + ($1["events"] as? Int ?? 0) } == events[0])
        #expect(days.reduce(0) { $0 + ($1["recordings"] as? Int ?? 0) } == recordings[0])
        let formats = try #require(usage["recordings_by_format"] as? [[String: Any]])
        #expect(formats.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == recordings[0])
        let now = try #require(usage["now"] as? [String: Any])
        #expect(now["accounts"] as? Int == 3)
    }

    @Test("usage without a range shows 30 days, and escapes names with escape sequences")
    func hostileName() throws {
        let days = try #require(try Self.json()["days"] as? [[String: Any]])
        #expect(days.count == 30)
        let text = try Self.run()
        #expect(text.status == 0, "\(text.complaint)")
        #expect(text.output.contains("<script>alert(1)</script>\\u{1b}[31m") && !text.output.contains("\u{1b}"))
        #expect(text.output.contains("█") && text.output.contains("Recordings by format"))
    }

    @Test("usage --crashes lists the crash reports of its days, as text and as JSON, without escape sequences")
    func crashes() throws {
        let parameters = #"{"reason":"a\u001b[31m","n":123456789012345678901234567890}"#
        try Self.filled.get().sql(
            """
            INSERT INTO crash_reports SELECT (now() AT TIME ZONE 'UTC')::date, 'crash ' || chr(155), '\(parameters)'
            FROM generate_series(1, 2);
            INSERT INTO crash_reports VALUES ('2026-01-15', 'long ago', '{}')
            """
        )
        let text = try Self.run("--crashes")
        #expect(text.status == 0, "\(text.complaint)")
        #expect(text.output.contains("crash \\u{9b}  2  █") && text.output.contains("\"n\":12345678901234567890"))
        #expect(!text.output.contains("\u{9b}") && !text.output.contains("long ago"))
        let json = try Self.run("--crashes", "--json", "--from", "2026-01-01", "--to", "2026-01-31")
        let all = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [String: Any]]
        let crashes = try #require(all?["crashes"])
        #expect(crashes["start_date"] as? String == "2026-01-01" && crashes["end_date"] as? String == "2026-01-31")
        let reports = try #require(crashes["reports"] as? [[String: Any]])
        #expect(reports.map { $0["name"] as? String } == ["long ago"])
        #expect(reports.first?["day"] as? String == "2026-01-15" && reports.first?["parameters"] is [String: Any])
    }

    @Test(
        "usage with a wrong argument fails with a sentence that names the remedy",
        arguments: [
            (["--from", "yesterday"], "write a date"),
            (["--from", "2026-03-02", "--to", "2026-03-01"], "write a later day"),
            (["--from", "2024-01-01", "--to", "2026-03-01"], "write at most 366"),
            (["now"], "takes no \"now\""), (["--html", "x"], "--html"),
        ]
    )
    func refused(arguments: [String], complaint: String) throws {
        let program = try Program.run([Program.server, "usage", "--data", Self.filled.get().data] + arguments)
        #expect(program.status != 0)
        #expect(program.complaint.contains(complaint), "\(program.complaint)")
    }
}
