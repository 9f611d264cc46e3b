import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("The command at a real server", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandTableTests {
    /// A call with what it must do. Outputs and complaints are patterns for the whole text.
    private struct Row {
        let words: [String]
        var input = ""
        var profile = "phone"
        var status: Int32 = 0
        var output = ""
        var complaint = ""
    }

    private static let id = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    private static let time = #"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"#
    private static let password = TestSupport.Device.password + "\n"

    private func play(_ rows: [Row], _ scene: CommandScene) throws {
        for row in rows {
            let program = try scene.run(row.words, row.input, on: row.profile)
            let call = row.words.joined(separator: " ")
            #expect(program.status == row.status, "\(call): \(program.complaint)")
            #expect(program.output.wholeMatch(of: try Regex(row.output)) != nil, "\(call) printed \(program.output)")
            #expect(
                program.complaint.wholeMatch(of: try Regex(row.complaint)) != nil,
                "\(call) said \(program.complaint)"
            )
        }
    }

    /// The tablet's login is refused, with a wrong password.
    private func logins(_ scene: CommandScene) -> [Row] {
        let who = NSRegularExpression.escapedPattern(for: scene.email)
        return [
            Row(words: ["list"], status: 77, complaint: "neuroviews: The profile phone has no server: .*\n"),
            Row(
                words: ["register", scene.email, "--server", scene.url, "--password-stdin"],
                input: Self.password,
                output: "Logged in as \(who).\n"
            ),
            Row(
                words: ["login", "other@example.org", "--password-stdin"],
                input: Self.password,
                status: 64,
                complaint: "neuroviews: The profile phone is logged in as \(who): .*\n"
            ),
            Row(
                words: ["login", scene.email, "--server", scene.url, "--password-stdin"],
                input: "wrong password here\n",
                profile: "tablet",
                status: 77,
                complaint: "neuroviews: .+\n"
            ),
        ]
    }

    private func edits(_ scene: CommandScene) -> [Row] {
        let who = NSRegularExpression.escapedPattern(for: scene.email)
        return [
            Row(words: ["new", "--set", #"/name="Harbour""#], output: "\(Self.id)\n"),
            Row(
                words: ["new", "--set", "/frame_rate=999"],
                status: 65,
                complaint: "neuroviews: /frame_rate must be .*\n"
            ),
            Row(words: ["list"], output: "\(Self.id)\tHarbour\tauto\tFull HD 1080p\t30\tsynced\t\(Self.time)\n"),
            Row(
                words: ["login", scene.email, "--server", scene.url, "--password-stdin"],
                input: Self.password,
                profile: "tablet",
                output: "Logged in as \(who).\n"
            ),
            Row(words: ["edit", "Harbour", "--set", "/frame_rate=60"], profile: "tablet", output: "/frame_rate\n"),
            Row(
                words: ["edit", "Harbour", "--remove", "/note"],
                status: 66,
                complaint: "neuroviews: There is no member /note to remove: .*\n"
            ),
            Row(words: ["sync"], output: "Synced: 1 pulled.\n"),
            Row(words: ["sync"], output: "Everything was in sync.\n"),
            Row(words: ["show", "Harbour"], output: #"\{\n(?s:.*)"frame_rate": 60(?s:.*)\}\n"#),
            Row(
                words: ["show", "Pier"],
                status: 66,
                complaint: "neuroviews: There is no configuration \"Pier\": .*\n"
            ),
            Row(words: ["delete", "Harbour"], status: 64, complaint: "neuroviews: delete asks first: .*\n"),
            Row(words: ["delete", "Harbour", "--yes"], output: "\(Self.id)\n"),
            Row(words: ["sync"], profile: "tablet", output: "Synced: 1 pulled.\n"),
            Row(words: ["list"], profile: "tablet"),
            Row(words: ["status"], output: #"profile\tphone\naccount\t\#(who)\nunsent\t0\n(?s:.*)"#),
            Row(words: ["logout"], profile: "tablet", output: "Logged out.\n"),
            Row(words: ["sync"], profile: "tablet", status: 77, complaint: "neuroviews: Nobody is logged in: .*\n"),
        ]
    }

    @Test("Two profiles of one account make, list, edit and delete configurations, with status, output and complaint")
    func configurations() throws {
        let scene = try CommandScene()
        try play(logins(scene) + edits(scene), scene)
    }

    @Test("An older version is shown and restored, also after a deletion")
    func history() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let id = try scene.make("Moss")
        try scene.output(["edit", id, "--set", #"/name="Stone""#])
        try scene.output(["delete", id, "--yes", "--offline"])
        #expect(try scene.json(["list"])["unsynced"]?[id]?.string == "unsent")
        try scene.output(["sync"])
        let deleted = try scene.output(["list", "--deleted"])
        #expect(deleted.hasPrefix("\(id)\tStone\t20"))
        let lines = try scene.output(["history", id]).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        try #require(lines.count == 3)
        #expect(lines[0].last == "deleted")
        #expect(deleted.hasSuffix("\t\(lines[1][0])\n"))
        let first = String(lines[2][0])
        #expect(try scene.json(["show", id, "--version", first])["configuration"]?["name"]?.string == "Moss")
        try scene.output(["restore", id, first, "--offline"])
        #expect(try scene.json(["show", "Moss"])["state"]?.string == "unsent")
        try scene.output(["sync"])
        #expect(try scene.json(["show", "Moss"])["state"]?.string == "synced")
        #expect(try scene.run(["restore", id, "9-0123456789ab"]).status == 66)
    }

    @Test("An edit that the server refuses is kept, named, and gives status 1")
    func refusal() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        try FileManager.default.removeItem(atPath: scene.folder(of: "phone") + "/schema.json")
        let made = try scene.run(["new", "--set", "/frame_rate=999"])
        #expect(made.status == 1)
        #expect(made.complaint.contains("The server refuses ") && made.complaint.contains("/frame_rate"))
        let json = try scene.run(["new", "--set", "/frame_rate=0", "--json"])
        #expect(json.status == 1 && json.complaint.hasPrefix("{\"detail\":\"The server refuses "))
        let synced = try scene.run(["sync"])
        #expect(synced.status == 1 && synced.output == "Synced: 2 refused.\n")
        #expect(try scene.run(["status"]).output.contains("refused\t2\n"))
        #expect(try scene.run(["status"]).status == 1)
    }

    @Test("The later of two values stays, the other is listed as lost and can be brought back")
    func conflict() throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let id = try scene.make("Pier")
        try scene.output(["sync"], on: "tablet")
        try scene.output(["edit", id, "--set", "/frame_rate=60"])
        // Documents have whole seconds, and the times of members all digits: of one second the own member is the later.
        try scene.output(["edit", id, "--set", "/frame_rate=24", "--offline"], on: "tablet")
        let synced = try scene.run(["sync"], on: "tablet")
        #expect(synced.status == 1)
        let lost = try scene.json(["lost"], on: "tablet")["lost"]?.array ?? []
        try #require(lost.count == 1)
        #expect(lost[0]["pointer"]?.string == "/frame_rate")
        #expect(try scene.json(["show", id], on: "tablet")["configuration"]?["frame_rate"]?.number?.int64 == 24)
        let number = try #require(lost[0]["n"]?.number?.literal)
        let refused = try scene.run(["logout"], on: "tablet")
        #expect(refused.status == 64 && refused.complaint.contains("Lost edits that can still be brought back: 1."))
        try scene.output(["lost", "bring-back", number], on: "tablet")
        try scene.output(["sync"])
        #expect(try scene.json(["show", id])["configuration"]?["frame_rate"]?.number?.int64 == 60)
        #expect(try scene.run(["lost", "forget", number], on: "tablet").status == 66)
    }

    @Test("Devices, consents and usage are shown and changed")
    func account() throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let devices = try scene.json(["devices"])["devices"]?.array ?? []
        let other = try #require(devices.first { $0["current"]?.bool == false }?["id"]?.string)
        #expect(devices.count == 2 && devices.filter { $0["name"]?.string?.isEmpty == false }.count == 2)
        for words in [["--device-name", "Studio"], []] {
            let login = ["login", scene.email, "--server", scene.url, "--password-stdin"] + words
            try scene.output(login, Self.password)
        }
        #expect(try scene.output(["devices"]).contains("\tStudio\t"))
        try scene.output(["devices", "remove", other, "--yes"])
        #expect(try scene.run(["sync"], on: "tablet").status == 77)
        let kept = try scene.run(["new", "--set", #"/name="Late""#], on: "tablet")
        #expect(kept.status == 77)
        #expect(kept.complaint.hasPrefix("neuroviews: Kept on this device until the next sync.\n"))
        #expect(try scene.run(["consent", "analytics", "on"]).status == 64)
        try scene.output(["consent", "analytics", "on", "--text", "2026-1"])
        #expect(try scene.json(["consent"])["consents"]?["analytics"]?["granted"]?.bool == true)
        #expect(
            try scene.json(["usage", "--from", "2026-01-01", "--to", "2026-01-03"])["usage"]?["days"]?.array?.count == 3
        )
        #expect(try scene.run(["usage", "--from", "2026-01-32"]).status == 64)
    }
}
