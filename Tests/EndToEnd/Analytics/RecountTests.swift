import Foundation
import TestSupport
import Testing

@Suite("Figures of usage, against a recount from the raw rows", .blocking)
struct RecountTests {
    private static let zones = [
        "UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Havana",
        "America/Santiago", "Asia/Beirut", "Africa/Cairo", "Pacific/Kiritimati", "Pacific/Pago_Pago",
        "Antarctica/Troll", "Atlantic/Azores", "Pacific/Chatham",
    ]
    private static let accounts = TestRun.isFull ? 100 : 3
    private static let questionsEach = 14

    /// A query with the server's answer, in the format of recount.py.
    private static func answer(_ query: [(String, String)], _ device: Device) throws -> String {
        let text = query.map { "\($0)=\($1)" }.joined(separator: "&")
        let answer = try device.send("GET", "/v2/analytics/usage?\(text)")
        guard answer.status == 200 else { throw Program.Failure("\(text): \(answer.verdict) \(answer.text)") }
        let members = query.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        return "{\"query\":{\(members)},\"body\":\(answer.text)}"
    }

    private static func recount(_ usage: RandomUsage, _ answers: [String]) throws -> Program {
        let input = "{\"rows\":\(try usage.rows()),\"answers\":[\(answers.joined(separator: ","))]}"
        return try Program.run(
            ["python3", Repository.path + "/Tests/Exams/Analytics/recount.py"],
            input: input,
            seconds: 120
        )
    }

    /// A random range of days within the last 400.
    private static func range(_ random: inout SeededRandom, daysMax: Int) -> [(String, String)] {
        let today = Int(Date().timeIntervalSince1970) / 86400
        let length = Int.random(in: 0..<daysMax, using: &random)
        let last = today - Int.random(in: 0..<max(1, 398 - length), using: &random)
        return [("start_date", date(last - length)), ("end_date", date(last))]
    }

    private static func date(_ day: Int) -> String {
        String(ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(day) * 86400)).prefix(10))
    }

    @Test("Every figure of usage equals a recount, for random accounts, ranges and zones", arguments: 0..<accounts)
    func figures(account: Int) throws {
        var random = SeededRandom(seed: UInt64(account) + 1)
        let device = try Shared.newDevice()
        let usage = RandomUsage(userID: device.userID, server: try Shared.server.get())
        var size = RandomUsage.Size()
        size.names = [12, 150, 300][account % 3]
        size.countedNames = [12, 120, 110][account % 3]
        size.devices = Int.random(in: 1...9, using: &random)
        try usage.fill(size, seed: Double.random(in: -1...1, using: &random))
        var answers: [String] = []
        for question in 0..<Self.questionsEach {
            let zone = [("tz", Self.zones[(account + question) % Self.zones.count])]
            let range = Self.range(&random, daysMax: question == 0 ? 366 : 100)
            answers.append(try Self.answer(range + zone, device))
        }
        let recount = try Self.recount(usage, answers)
        #expect(recount.status == 0, "\(recount.output.prefix(2000)) \(recount.complaint.prefix(2000))")
        #expect(recount.output.contains("answers: \(answers.count), "), "\(recount.output.prefix(500))")
    }

    @Test(
        "The recount detects a wrong figure",
        arguments: [
            "UPDATE analytics_name_days SET events = events + 1 WHERE %@",
            "UPDATE analytics_device_days SET counts[1] = counts[1] + 1 WHERE %@",
            "DELETE FROM analytics_device_days WHERE %@ AND device_id = 'device-1'",
            "UPDATE recording_files SET stated_ms = 1, probe = NULL WHERE %@",
            "UPDATE recording_files SET resolution = 'SD 480p' WHERE %@",
        ]
    )
    func wrong(change: String) throws {
        let device = try Shared.newDevice()
        let (server, today) = (try Shared.server.get(), Int(Date().timeIntervalSince1970) / 86400)
        let usage = RandomUsage(userID: device.userID, server: server)
        try usage.fill(seed: 0.5)
        let raw = try usage.rows()
        try server.sql(change.replacing("%@", with: "user_id = '\(device.userID)'"))
        let query = [("start_date", Self.date(today - 360)), ("end_date", Self.date(today)), ("tz", "Asia/Kathmandu")]
        let answer = try Self.answer(query, device)
        let recount = try Program.run(
            ["python3", Repository.path + "/Tests/Exams/Analytics/recount.py"],
            input: "{\"rows\":\(raw),\"answers\":[\(answer)]}",
            seconds: 120
        )
        #expect(recount.status == 1, "\(recount.output) \(recount.complaint)")
    }
}
