import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("Sealed recordings by the command", .blocking, .timeLimit(.minutes(Patience.minutes(4))))
struct CommandSealedTests {
    @Test("A second device opens what the first one has sealed once it has the key")
    func twoDevices() throws {
        let scene = try CommandScene()
        try scene.open("phone", "tablet")
        let (file, back, raw) = (scene.home + "/harbour.bin", scene.home + "/back.bin", scene.home + "/raw.bin")
        let bytes = Data(BytePattern.bytes(1_200_000))
        try bytes.write(to: URL(fileURLWithPath: file))
        let keyless = try scene.run(["upload", file, "--sealed"])
        #expect(keyless.status == 77 && keyless.complaint.contains("neuroviews keys show"))
        let unasked = try scene.run(["keys", "show"])
        #expect(unasked.status == 64 && unasked.complaint.contains("lost") && unasked.output.isEmpty)
        #expect(try scene.output(["keys"]) == "")
        let made = try scene.run(["keys", "show", "--yes"])
        #expect(made.status == 0 && made.complaint.contains("lost"))
        #expect(made.output.wholeMatch(of: #/([A-Z2-7]{4}-){13}[A-Z2-7]{4}\n/#) != nil)
        let again = try scene.run(["keys", "show"])
        #expect(again.output == made.output && again.complaint.isEmpty)
        let keyID = String(try scene.output(["keys"]).prefix(16))

        let recording = String(try scene.output(["upload", file, "--sealed"]).prefix { $0 != "\t" })
        #expect(try scene.output(["recordings"]).hasSuffix("\tharbour.bin\n"))
        #expect(try scene.output(["recordings"], on: "tablet").hasSuffix("\tsealed, key \(keyID)\n"))
        let refused = try scene.run(["download", recording, back], on: "tablet")
        #expect(refused.status == 77 && refused.complaint.contains("neuroviews keys enter"))
        #expect(!FileManager.default.fileExists(atPath: back))
        try scene.output(["download", recording, raw, "--raw"], on: "tablet")
        #expect(FileManager.default.contents(atPath: raw)?.count == bytes.count + 40 + 2 * 16)

        #expect(try scene.run(["keys", "enter"], "AAAA\n", on: "tablet").status == 65)
        #expect(try scene.output(["keys", "enter"], made.output, on: "tablet") == keyID + "\n")
        try scene.output(["download", "harbour.bin", back], on: "tablet")
        #expect(FileManager.default.contents(atPath: back) == bytes)
        let listed = try scene.json(["recordings"], on: "tablet")["recordings"]?.array ?? []
        #expect(listed.first?["filename"]?.string == "harbour.bin")
    }
}
