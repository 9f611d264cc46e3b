import Foundation
import NeuroViewsClient
import TestSupport
import Testing

@testable import neuroviews

@Suite("The file of the editor", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct EditorTests {
    private let home = Sandbox.makeFolder()

    /// A call with a line of the shell as its editor; the file is "$1".
    private func call(_ words: [String], editor: String) throws -> CommandCall {
        let environment = ["HOME": home, "PATH": "/usr/bin:/bin", "EDITOR": "f() { \(editor); }; f"]
        let call = try CommandCall.parse(words, environment)
        try call.profile.remember(server: #require(URL(string: "https://cloud.example.org")))
        return call
    }

    /// The files of editors that are left, by their paths.
    private func texts(_ call: CommandCall) throws -> [String: String] {
        var texts: [String: String] = [:]
        let folder = call.profile.folder
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("edit-") {
            texts["\(folder)/\(name)"] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        }
        return texts
    }

    @Test("A text that can't be stored stays in its file, which the failure names", arguments: ["edit", "new"])
    func unstored(command: String) async throws {
        let first = try call(["new"], editor: "true")
        let id = try await first.device().save(CameraConfiguration(name: "Reef")).id
        let words = command == "edit" ? ["edit", id.uuidString] : ["new"]
        let store = first.profile.folder + "/cloud.example.org/first"
        // A file takes the place of the store.
        let editor = #"sed -i 's/"name": ".*"/"name": "Typed"/' "$1"; rm -r \#(store); touch \#(store)"#
        let call = try call(words + ["--offline"], editor: editor)
        let failure = await #expect(throws: Failure.self) { _ = try await call.entry.run(call) }
        let left = try #require(try texts(call).first)
        #expect(left.value.contains(#""name": "Typed""#))
        #expect(failure?.status.rawValue == 74)
        #expect(failure?.sentence.hasSuffix(". The text is in \(left.key).") == true)
    }

    static let failing: [(editor: String, keeps: Bool)] = [
        ("return 3", false), (#": >"$1"; return 3"#, false), (#"sed -i s/Reef/Moor/ "$1"; return 3"#, true),
        // It fails when it is opened again, with the fault on top.
        (#"grep -q '^// Line [0-9]' "$1" && return 3; echo '{' >"$1""#, true),
    ]

    @Test("A text of an editor that fails stays if it was changed, and the failure names its file", arguments: failing)
    func failed(editor: String, keeps: Bool) throws {
        let call = try call(["new"], editor: editor)
        let failure = #expect(throws: Failure.self) { _ = try EditorSession.edit(["name": "Reef"], call) }
        #expect(failure?.status.rawValue == 69)
        let left = try texts(call).keys.first
        #expect((left != nil) == keeps)
        let end = left.map { "The text is in \($0)." } ?? "nothing was changed."
        #expect(failure?.sentence.hasSuffix(end) == true)
    }

    @Test("A program in the editor's place that writes the same wrong text again is not asked for ever")
    func again() throws {
        let call = try call(["new"], editor: #"echo '{' >"$1""#)
        let failure = #expect(throws: Failure.self) { _ = try EditorSession.edit(["name": "Reef"], call) }
        #expect(failure?.status.rawValue == 65)
        #expect(failure?.sentence.contains("Nothing was changed. The text is in ") == true)
    }

    @Test("A file that is not UTF-8 is refused, not changed")
    func encoding() throws {
        let path = home + "/latin-1.json"
        try Data([0x22, 0xE9, 0x22]).write(to: URL(fileURLWithPath: path))
        let failure = #expect(throws: Failure.self) { _ = try FileText.read(path, maxBytes: 100) }
        #expect(failure?.status.rawValue == 65)
        #expect(failure?.sentence == "\(path) is not valid UTF-8.")
    }

    @Test("A log out that discards edits finds the texts that editors have left")
    func discarded() throws {
        for name in ["one", "two"] { try DraftFile(in: home).write(name) }
        DraftFile.removeAll(in: home)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    @Test("A text that can't be written leaves the one of before")
    func unwritten() throws {
        let file = DraftFile(in: home)
        try file.write("one")
        #expect(mkdir(file.path + ".new", 0o700) == 0)
        #expect(throws: Failure.self) { try file.write("two") }
        #expect(try file.read() == "one")
    }
}
