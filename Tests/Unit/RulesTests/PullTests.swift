import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Pulls")
struct PullTests {
    private static let hash = String(repeating: "0", count: 64)

    /// A page with its members replaced or, by nil, removed.
    private func page(_ changes: [String: String?] = [:]) -> JSONValue {
        var members: [String: String] = [
            "configurations": #"[{"id":"\#(Given.id.uppercased())","a":1}]"#, "deleted": #"["\#(Given.otherID)"]"#,
            "versions": #"{"\#(Given.id.uppercased())":"1-a","\#(Given.otherID)":"2-b"}"#, "sync_token": #""t2""#,
            "server_time": #""2026-11-20T18:00:00Z""#, "reset": "false", "state_hash": #""\#(Self.hash)""#,
        ]
        for (name, value) in changes { members[name] = value }
        return Given.json("{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")
    }

    private func step(_ pull: Pull, _ status: Int64, _ body: JSONValue) -> Pull.Step {
        let type = HeaderField("Content-Type", "application/problem+json")
        return pull.step(Answer(status: status, fields: [type], body: body.serialized()))
    }

    @Test("A page has copies by ids in lower case, whose time counts to a second after the server's")
    func copies() {
        let found = Page(page())
        let latest = Instant("2026-11-20T18:00:01Z")
        let document = Document(Given.json(#"{"id":"\#(Given.id.uppercased())","a":1}"#))
        #expect(
            found?.copies == [
                StagedCopy(id: Given.id, copy: Copy(tag: "1-a", document: document), latest: latest),
                StagedCopy(id: Given.otherID, copy: Given.tombstone("2-b"), latest: latest),
            ]
        )
        #expect(found?.token == "t2" && found?.isReset == false && found?.hasMore == false)
    }

    @Test(
        "A page that is not as the interface has it is rejected",
        arguments: [
            // member, value; nil removes it
            ("configurations", nil), ("configurations", "{}"), ("configurations", "[1]"), ("configurations", "[{}]"),
            ("configurations", #"[{"id":"not-a-uuid"}]"#), ("configurations", #"[{"id":7}]"#), ("deleted", nil),
            ("deleted", "[null]"), ("deleted", #"["../x"]"#), ("versions", nil), ("versions", "{}"), ("versions", "[]"),
            ("sync_token", nil), ("sync_token", "7"), ("sync_token", "\"\""), ("sync_token", #""a b""#),
            ("sync_token", #""a\r\nb""#), ("server_time", nil), ("server_time", #""now""#), ("server_time", "7"),
            ("reset", nil),
            ("reset", "0"), ("has_more", "1"), ("state_hash", nil), ("state_hash", #""00""#), ("state_hash", "0"),
        ] as [(String, String?)]
    )
    func rejected(name: String, value: String?) {
        #expect(Page(page()) != nil)
        #expect(Page(page([name: value])) == nil)
    }

    @Test("A page before the last needs no hash")
    func moreToCome() {
        #expect(Page(page(["has_more": "true", "state_hash": nil]))?.hasMore == true)
    }

    @Test("A pull without a token is a full set, and names no heads")
    func first() {
        let pull = Pull(token: nil, seen: ["h"])
        #expect(pull.isFull && pull.path() == "/configurations" && pull.path(limit: 7) == "/configurations?limit=7")
    }

    @Test("A pull names its token and heads, and keeps the heads from page to page")
    func path() throws {
        var pull = Pull(token: "a+b/c=", seen: ["1.h", "2,h"])
        #expect(pull.path() == "/configurations?sync_token=a%2Bb%2Fc%3D&seen=1.h,2%2Ch")
        pull.take(try #require(Page(page())))
        #expect(pull.path(limit: 2) == "/configurations?sync_token=t2&seen=1.h,2%2Ch&limit=2")
        #expect(!pull.isFull && pull.bringsDeletion && pull.stateHash == StateHash())
    }

    @Test("A page with a reset makes a full set, and forgets the deletions before it")
    func reset() throws {
        var pull = Pull(token: "t", seen: ["h"])
        pull.take(try #require(Page(page())))
        pull.take(try #require(Page(page(["reset": "true", "deleted": "[]"]))))
        #expect(pull.isFull && !pull.bringsDeletion)
        pull.take(try #require(Page(page())))
        #expect(pull.isFull && pull.bringsDeletion)
    }

    @Test("The answer to a pull decides its next step")
    func steps() throws {
        let delta = Pull(token: "t", seen: [])
        let full = Pull(token: nil, seen: [])
        let problem = Given.json(Given.problem("invalid-parameter"))
        let expected = try #require(Page(page()))
        #expect(step(delta, 200, page()) == .page(expected))
        #expect(delta.step(Answer(status: 304, fields: [], body: [])) == .unchanged)
        for status in [400, 414] as [Int64] {
            #expect(step(delta, status, problem) == .restart)
            #expect(step(full, status, problem) == .failed(Problem(status: status, problem.object ?? JSONObject())))
        }
        #expect(step(delta, 403, problem) == .failed(Problem(status: 403, problem.object ?? JSONObject())))
    }
}

@Suite("State hashes")
struct StateHashTests {
    private let document = Document(
        text: Array(
            """
            {"id":"6F9619FF-8B86-4D11-B42D-00C04FC964FF","name":"Café","preset":"night","video_format":"H.265",\
            "resolution":"4K UHD","frame_rate":30,"exposure_settings":{"mode":"manual","shutter_speed":0.020,"iso":4e2},\
            "created_at":"2026-11-20T18:00:00Z","modified_at":"2026-11-20T18:00:00Z"}
            """.utf8
        )
    )
    private let text = "96cd3e49805e79912a75767d1033bdbad93be1a9212cd214d41647b993a3397e"

    private func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }

    @Test("The document of docs/client.md has the state hash of docs/client.md")
    func vector() {
        var hash = StateHash()
        hash.change(Given.id, from: nil, to: document, sha256)
        #expect(hash.text == text)
        #expect(StateHash(text: text) == hash && StateHash(bytes: hash.bytes) == hash)
        hash.change(Given.id, from: document, to: nil, sha256)
        #expect(hash == StateHash() && hash.text == String(repeating: "0", count: 64))
    }

    @Test("A change takes the old document out and the new one in, in any order of items")
    func changes() {
        let other = Given.document(#"{"a":1}"#)
        var (changed, made) = (StateHash(), StateHash())
        changed.change(Given.id, from: nil, to: other, sha256)
        changed.change(Given.otherID, from: nil, to: other, sha256)
        changed.change(Given.id, from: other, to: document, sha256)
        made.change(Given.otherID, from: nil, to: other, sha256)
        made.change(Given.id, from: nil, to: document, sha256)
        #expect(changed == made)
    }

    @Test(
        "A hash of another length or with other digits is rejected",
        arguments: ["", "00", String(repeating: "F", count: 64)]
    )
    func rejected(text: String) {
        #expect(StateHash(text: text) == nil)
        #expect(StateHash(bytes: Array(text.utf8)) == nil)
    }

    @Test("A wrong hash leads to one full set, then to a report, and to no other within a day")
    func check() {
        var check = StateCheck(wrongAt: nil)
        #expect(check.next(isRight: false, isRepeat: false, at: Given.at(0)) == .pullFullSet)
        #expect(check.next(isRight: false, isRepeat: true, at: Given.at(1)) == .report)
        #expect(check.next(isRight: false, isRepeat: false, at: Given.at(86_400)) == .nothing)
        #expect(check.next(isRight: false, isRepeat: false, at: Given.at(86_401)) == .pullFullSet)
        #expect(check.next(isRight: false, isRepeat: false, at: Given.at(0)) == .pullFullSet)
        #expect(check.next(isRight: true, isRepeat: false, at: Given.at(2)) == .nothing)
        #expect(check.wrongAt == nil)
    }
}

@Suite("Pauses")
struct PauseTests {
    @Test("Pauses grow twofold from a second to five minutes, less a random third")
    func growth() {
        var (whole, least) = (GrowingPause(), GrowingPause())
        let seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        let lengths = seconds.map { _ in whole.next(fraction: 1).length }
        #expect(lengths == seconds.map { Duration.seconds($0) })
        #expect(least.next(fraction: 0).length == .milliseconds(666))
        #expect(least.next(fraction: .nan).length == .milliseconds(1333))
        #expect(least.next(fraction: 7).isOfServer == false)
    }

    @Test("A shorter longest pause bounds each pause of the client's own")
    func bound() {
        var pause = GrowingPause(maxMs: 500)
        #expect(pause.next(fraction: 1).length == .milliseconds(500))
        #expect(pause.next(fraction: 1).length == .milliseconds(500))
        #expect(pause.minute.length == .milliseconds(500) && GrowingPause().minute.length == .seconds(60))
    }

    @Test("A pause by Retry-After is the server's")
    func server() {
        #expect(Pause(retryAfterSeconds: 7).length == .seconds(7) && Pause(retryAfterSeconds: 7).isOfServer)
    }
}
