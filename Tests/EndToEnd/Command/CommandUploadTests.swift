import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("Recordings by the command", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandUploadTests {
    @Test("A file goes to the server, is listed, and comes back the same under its name")
    func thereAndBack() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let (file, back) = (scene.home + "/take one.bin", scene.home + "/back.bin")
        let bytes = Data(BytePattern.bytes(2_000_000))
        try bytes.write(to: URL(fileURLWithPath: file))
        let id = try scene.make("Harbour")
        let sent = try scene.output(["upload", file, "--configuration", id])
        let recording = String(sent.prefix { $0 != "\t" })
        #expect(sent.hasSuffix("\tdone\tthe local file may go\n"))
        let listed = try scene.json(["recordings"])["recordings"]?.array ?? []
        try #require(listed.count == 1)
        #expect(listed[0]["id"]?.string == recording)
        #expect(listed[0]["configuration_id"]?.string == id)
        try scene.output(["download", "take one.bin", back])
        #expect(FileManager.default.contents(atPath: back) == bytes)
        let again = try scene.run(["download", recording, back])
        #expect(again.status == 73)
        #expect(try scene.run(["download", "nothing.bin"]).status == 66)
    }

    @Test("Lines of JSON tell an upload's states, and a missing file gets status 66")
    func lines() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let file = scene.home + "/take.bin"
        _ = FileManager.default.createFile(atPath: file, contents: Data(repeating: 7, count: 100_000))
        let lines = try scene.output(["upload", file, "--json"]).split(separator: "\n")
        let states = try lines.map { try JSONParser.parse(Array($0.utf8), policy: .requestBody)["state"]?.string }
        #expect(states.last == "done")
        #expect(Set(states).count == states.count)
        #expect(try scene.run(["upload", file + "x"]).status == 66)
    }

    @Test("An upload that is queued without a network is listed, and is sent by uploads resume and by a sync")
    func resume() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let file = scene.home + "/take.bin"
        _ = FileManager.default.createFile(atPath: file, contents: Data(repeating: 7, count: 100_000))
        let id = String(try scene.output(["upload", file, "--offline"]).dropLast())
        #expect(try scene.output(["uploads"]).hasPrefix(id + "\t"))
        #expect(try scene.output(["uploads", "pause", id]) == "\(id)\tpaused\n")
        #expect(try scene.output(["uploads", "resume", id]).hasSuffix("\tdone\tthe local file may go\n"))
        try scene.output(["uploads", "cancel", id])
        #expect(try scene.output(["uploads"]) == "")
        try scene.output(["upload", file, "--offline"])
        // A busy server may verify it later.
        let synced = try scene.output(["sync"])
        #expect(["Synced: 1 uploaded.\n", "Synced: 1 verifying.\n"].contains(synced))
    }
}
