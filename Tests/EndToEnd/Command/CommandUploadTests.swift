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
        #expect(try scene.run(["recordings", "delete", "take one.bin"]).status == 64)
        #expect(try scene.output(["recordings", "delete", "take one.bin", recording, "--yes"]) == recording + "\n")
        #expect(try scene.output(["recordings"]) == "")
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
        #expect(try scene.output(["uploads", "cancel", id]) == "\(id)\tdone\n")
        #expect(try scene.output(["uploads"]) == "")
        try scene.output(["upload", file, "--offline"])
        // A busy server may verify it later.
        let synced = try scene.output(["sync"])
        #expect(["Synced: 1 uploaded.\n", "Synced: 1 verifying.\n"].contains(synced))
    }

    @Test("The same file again goes on with the upload that has not ended")
    func again() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let file = scene.home + "/take.bin"
        _ = FileManager.default.createFile(atPath: file, contents: Data(repeating: 7, count: 100_000))
        let id = String(try scene.output(["upload", file, "--offline"]).dropLast())
        try scene.output(["uploads", "pause", id])
        #expect(try scene.output(["upload", scene.home + "/./take.bin"]).hasPrefix(id + "\t"))
        #expect(try scene.json(["recordings"])["recordings"]?.array?.count == 1)
    }

    @Test("A failed upload is counted by status and by each sync until it is cancelled")
    func failed() throws {
        let scene = try CommandScene()
        try scene.open("phone")
        let file = scene.home + "/take.bin"
        _ = FileManager.default.createFile(atPath: file, contents: Data(repeating: 7, count: 100_000))
        let id = String(try scene.output(["upload", file, "--offline"]).dropLast())
        #expect(try scene.json(["status"])["uploading"]?.number?.int64 == 1)
        try FileManager.default.removeItem(atPath: file)
        for _ in 1...2 {
            let synced = try scene.run(["sync"])
            #expect(synced.status == 1 && synced.output == "Synced: 1 not uploaded.\n")
        }
        let status = try scene.run(["status"])
        #expect(status.status == 1 && status.output.contains("not uploaded\t1\n"))
        #expect(
            try scene.json(["uploads"])["uploads"]?.array?.first?["failure"]?.string?.contains("No such file") == true
        )
        try scene.output(["uploads", "cancel", id])
        #expect(try scene.run(["status"]).status == 0)
    }
}
