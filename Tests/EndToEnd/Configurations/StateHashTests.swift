import Foundation
import TestSupport
import Testing

@Suite("The state hash by which clients detect divergence", .blocking)
struct StateHashTests {
    private static let empty = String(repeating: "0", count: 64)

    /// The state hash of a full answer, computed as in docs/client.md by a program in another language.
    private func computed(_ answer: HTTPAnswer) throws -> String {
        let program = try Program.run(
            ["python3", Repository.path + "/Tests/Interface/state_hash.py"],
            input: answer.text
        )
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return program.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("An independent program computes the same state hash after every kind of write")
    func independent() throws {
        let device = try Shared.newDevice()
        var seen: [String] = []
        func check(_ comment: Comment) throws {
            let answer = try device.pull()
            let hash = answer.string("state_hash")
            #expect(try computed(answer) == hash, comment)
            #expect(!seen.contains(hash), comment)
            seen.append(hash)
        }
        try check("nothing")
        #expect(seen == [Self.empty])
        let odd = #","x":[1,-0.0,1.50e+0,123456789012345678901,1e21,1.5e-7,0.000001,-12e40,9007199254740993,1e-40]"#
        let names = #","y":{"\ud83d\udcf7":1,"\ufb01":2,"":null,"a\"\\\/\b\u0001\u007f":true,"é":[],"z":{}}"#
        let lower = UUID().uuidString.lowercased()
        let presets = [Preset(), Preset("Ünï\\u0007", more: odd), Preset("N", id: lower, more: names)]
        for preset in presets {
            #expect(try device.post(preset.json).status == 201)
            try check("created")
        }
        #expect(try device.put(presets[0].id, presets[0].edited("Other", minute: 3).json).status == 200)
        try check("changed")
        #expect(try device.delete(presets[1].id).status == 200)
        try check("deleted")
        #expect(try device.delete(presets[2].id).status == 200)
        #expect(try device.delete(presets[0].id).status == 200)
        #expect(try device.pull().string("state_hash") == Self.empty)
    }

    @Test("Only the answer that reaches the head has a state hash")
    func pages() throws {
        let device = try Shared.newDevice()
        for number in 0..<5 { #expect(try device.post(Preset("\(number)").json).status == 201) }
        let full = try device.pull()
        let hash = full.string("state_hash")
        #expect(hash.count == 64)
        #expect(try device.pull("sync_token=\(full.string("sync_token"))").string("state_hash") == hash)
        #expect(try device.pull("last_sync=2025-01-01T00:00:00Z").string("state_hash") == hash)
        let first = try device.pull("limit=3")
        #expect(first.json["state_hash"] == nil)
        let token = first.string("sync_token")
        #expect(try device.pull("limit=3&sync_token=\(token)").string("state_hash") == hash)
        #expect(try device.pull("limit=2&sync_token=\(token)").string("state_hash") == hash)
        #expect(try device.pull("limit=1&sync_token=\(token)").json["state_hash"] == nil)
    }

    @Test("The worked example of the state hash in docs/client.md is right")
    func example() throws {
        let readme = try String(contentsOfFile: Repository.path + "/docs/client.md", encoding: .utf8)
        let document = try #require(readme.firstMatch(of: /\n(\{"id":"6F96.*\})\n/)).1
        let device = try Shared.newDevice()
        #expect(try device.post(String(document)).status == 201)
        let answer = try device.pull()
        let hash = answer.string("state_hash")
        #expect(try computed(answer) == hash)
        #expect(readme.contains(hash), "state_hash is \(hash)")
        let canonical = try #require(readme.firstMatch(of: /\n(\{"created_at".*\})\n/)).1
        let digest = try Program.run(["sha256sum"], input: String(canonical)).output.prefix(64)
        #expect(readme.contains(digest), "the digest is \(digest)")
    }
}
