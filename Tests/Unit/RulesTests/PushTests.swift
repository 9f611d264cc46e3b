import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Requests made of edits")
struct PushTests {
    private let now = Given.at(20)
    private let copy = Given.copy("1-a", #"{"a":1,"o":{"x":1}}"#)
    private let json = HeaderField("Content-Type", "application/json")
    private let ifMatch = HeaderField("If-Match", "\"1-a\"")
    private let merge = HeaderField("Prefer", "merge")
    private let path = "/configurations/" + Given.id

    private func changed(_ id: String = Given.id) -> Item {
        Given.item(copy, edit: Given.edit(#"{"a":2,"o":{"x":1}}"#, at: 5, ["/a": 5]), id: id)
    }

    private func make(_ items: [Item], _ style: PushStyle, _ push: PushState = PushState())
        -> PendingRequest.Made?
    {
        PendingRequest.make(of: items, style, push, key: "k", at: now)
    }

    private func text(_ request: PendingRequest?) -> JSONValue? {
        request.flatMap { try? JSONParser.parse($0.body, policy: .rfc8259) }
    }

    private func wrapped(_ edit: String) -> JSONValue {
        let document = Given.document(edit, at: 5)
        return .object(JSONObject([.init(name: "configuration", value: .object(document.object))]))
    }

    @Test("The part is the copy and the edit, and a refusal ends")
    func part() {
        let refused = Given.marked(changed(), refused: -5000)
        let made = make([refused], .automatic)
        #expect(made?.items == [Given.item(copy, part: changed().edit)])
        #expect(made?.request.ids == [Given.id])
        let deleted = make([Given.item(copy, edit: .deletion)], .automatic)
        #expect(deleted?.items == [Given.item(copy, part: .deletion)])
    }

    @Test("A clean, waiting, refused or held item makes no request, nor does a deletion over no document")
    func nothing() {
        let items = [
            Given.item(copy), Given.marked(changed(), held: true), Given.marked(changed(), refused: 19),
            Given.marked(changed(), waits: true), Given.item(edit: .deletion),
            Given.item(Given.tombstone("2-b"), edit: .deletion),
        ]
        for style in [PushStyle.automatic, .put, .merge, .patch, .batch, .atomic] {
            #expect(make(items, style) == nil)
        }
    }

    @Test("With 16 heads a pull comes first")
    func heads() {
        let heads = (1...16).map { "head\($0)" }
        #expect(make([changed()], .automatic, PushState(seen: heads, refusals: 0)) == nil)
        #expect(make([changed()], .automatic, PushState(seen: Array(heads.dropLast()), refusals: 0)) != nil)
    }

    @Test("One edited document is a PUT that the server may merge")
    func oneMerge() {
        let request = make([changed()], .automatic)?.request
        #expect(request?.method == "PUT" && request?.path == path)
        #expect(request?.fields == [json, ifMatch, merge])
        #expect(text(request) == wrapped(#"{"a":2,"o":{"x":1}}"#))
    }

    @Test(
        "A member that is an object, or equals the copy's, is not for the server to merge",
        arguments: ["/o", "/same", "/gone"]
    )
    func noMerge(pointer: String) {
        let edit = Given.edit(#"{"a":2,"o":{"x":2},"same":1}"#, at: 5, ["/a": 5, pointer: 5])
        let item = Given.item(Given.copy("1-a", #"{"a":1,"o":{"x":1},"same":1.0}"#), edit: edit)
        #expect(make([item], .merge)?.request.fields == [json, ifMatch])
    }

    @Test("A document without a copy is a POST without a condition")
    func post() {
        let request = make([Given.item(edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))], .automatic)?.request
        #expect(request?.method == "POST" && request?.path == "/configurations")
        #expect(request?.fields == [json])
        #expect(text(request) == wrapped(#"{"a":2}"#))
    }

    @Test("A document over a tombstone is a PUT with the tombstone's tag")
    func overTombstone() {
        let item = Given.item(Given.tombstone("1-a"), edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        let request = make([item], .patch)?.request
        #expect(request?.method == "PUT" && request?.fields == [json, ifMatch])
    }

    @Test("A deletion is a DELETE with the copy's tag")
    func deletion() {
        let request = make([Given.item(copy, edit: .deletion)], .automatic)?.request
        #expect(request?.method == "DELETE" && request?.path == path)
        #expect(request?.fields == [ifMatch])
        #expect(request?.body == [])
    }

    @Test("A patch has the difference, and a PUT takes its place when a null is to be set")
    func patch() {
        let request = make([changed()], .patch)?.request
        #expect(request?.method == "PATCH" && request?.path == path)
        #expect(request?.fields == [HeaderField("Content-Type", "application/merge-patch+json"), ifMatch])
        #expect(text(request) == Given.json(#"{"a":2,"modified_at":"\#(Given.at(5).text)"}"#))
        let null = Given.item(copy, edit: Given.edit(#"{"a":null}"#, at: 5, ["/a": 5]))
        #expect(make([null], .patch)?.request.method == "PUT")
    }

    @Test("Several items are a batch with a key, each with the tag of its copy")
    func batch() {
        let made = Given.item(edit: Given.edit(#"{"a":3}"#, at: 5, ["/a": 5]), id: Given.otherID)
        let deleted = Given.item(copy, edit: .deletion, id: "d")
        let request = make([changed(), made, deleted], .automatic)?.request
        #expect(request?.method == "POST" && request?.path == "/configurations/batch")
        #expect(request?.fields == [json, HeaderField("Idempotency-Key", "\"k\"")])
        #expect(request?.ids == [Given.id, Given.otherID, "d"])
        let operations = text(request)?["operations"]?.array ?? []
        #expect(operations.map { $0["operation"]?.string } == ["replace", "create", "delete"])
        #expect(operations.map { $0["if_match"]?.string } == ["1-a", nil, "1-a"])
        #expect(operations.map { $0["id"]?.string } == [nil, nil, "d"])
        #expect(operations.first?["configuration"] == wrapped(#"{"a":2,"o":{"x":1}}"#)["configuration"])
        #expect(text(request)?["atomic"] == nil)
    }

    @Test("The styles batch and atomic send one item as a batch, until batches were refused three times")
    func styles() {
        #expect(make([changed()], .batch)?.request.isBatch == true)
        let atomic = make([changed()], .atomic)?.request
        #expect(atomic?.isBatch == true && text(atomic)?["atomic"] == .bool(true))
        let refused = PushState(seen: [], refusals: 3)
        #expect(make([changed(), changed("d")], .atomic, refused)?.request.method == "PUT")
        #expect(make([changed(), changed("d")], .automatic, refused)?.items.count == 1)
        #expect(PushStyle(name: "atomic") == .atomic && PushStyle(name: "other") == nil)
    }

    @Test("A batch has at most 50 items and 1 MiB, and a larger document goes alone")
    func bounds() {
        let small = (0..<60).map { changed("id\($0)") }
        #expect(make(small, .automatic)?.request.ids.count == 50)
        let long = String(repeating: "x", count: 300_000)
        let large = (0..<5).map { Given.item(edit: Given.edit("{\"a\":\"\(long)\"}", at: 5, ["/a": 5]), id: "id\($0)") }
        let batch = make(large, .automatic)?.request
        #expect(batch?.ids == ["id0", "id1", "id2"])
        #expect((batch?.body.count ?? .max) <= 1 << 20)
        let huge = String(repeating: long, count: 4)
        let alone = Given.item(edit: Given.edit("{\"a\":\"\(huge)\"}", at: 5, ["/a": 5]), id: "a")
        #expect(make([alone, changed()], .automatic)?.request.path == "/configurations")
        #expect(make([alone, changed()], .batch)?.request.ids == ["a"])
    }

    @Test("The tenth try of a request may be its last")
    func tries() {
        var request = PendingRequest(method: "PUT", path: path, fields: [], body: [], ids: [Given.id], failures: 8)
        #expect(!request.isNextTryLast)
        request.failures += 1
        #expect(request.isNextTryLast)
    }
}
