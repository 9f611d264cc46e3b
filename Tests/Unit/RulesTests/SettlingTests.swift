import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Answers to requests")
struct SettlingTests {
    private static let sent = Given.edit(#"{"a":2}"#, at: 5, ["/a": 5])
    private let single = PendingRequest(
        method: "PUT",
        path: "/configurations/" + Given.id,
        fields: [],
        body: [],
        ids: [Given.id]
    )
    private let batch = PendingRequest(
        method: "POST",
        path: "/configurations/batch",
        fields: [],
        body: [],
        ids: [Given.id, Given.otherID]
    )
    private let tag = HeaderField("ETag", "\"2-b\"")
    private let head = HeaderField("Sync-Head", "42.h")

    private struct Settled {
        var items: [String: Item] = [:]
        var push = PushState()
        var lost: [Loss] = []
    }

    private func settle(_ request: PendingRequest, _ answer: Answer, refusals: Int64 = 0) -> Settled {
        var settled = Settled(push: PushState(seen: ["old"], refusals: refusals))
        for id in request.ids {
            settled.items[id] = Given.item(Given.copy("1-a", #"{"a":1}"#), part: Self.sent, id: id)
        }
        settled.lost = request.settle(answer, &settled.items, &settled.push, at: Given.at(20))
        return settled
    }

    private func results(_ outcome: String, _ first: String, _ second: String) -> Answer {
        let body = """
            {"outcome":"\(outcome)","results":[{"id":"\(Given.id.uppercased())",\(first)},{"id":"\(Given.otherID)",\(second)}]}
            """
        return Given.answer(200, body, [head])
    }

    private let done = #""status":200,"version":"2-b""#
    private let conflict = #""status":412,"problem":{"type":"https://example.org/problems/version-mismatch"}"#

    @Test("The answer to one write settles its item, and its head is seen once")
    func one() {
        let settled = settle(single, Given.answer(200, #"{"updated_at":"2026-11-20T18:00:00Z"}"#, [tag, head]))
        #expect(settled.items[Given.id] == Given.item(Given.copy("2-b", #"{"a":2}"#, at: 5)))
        #expect(settled.push.seen == ["old", "42.h"])
        let again = settle(
            single,
            Given.answer(412, Given.problem("version-mismatch"), [HeaderField("sync-head", "old")])
        )
        #expect(again.items[Given.id]?.waits == true)
        #expect(again.push.seen == ["old"])
    }

    @Test(
        "The status and problem of a refusal decide whether the item waits or is refused",
        arguments: [
            // status, code, waits
            (404, "not-found", true), (409, "id-taken", true), (412, "version-mismatch", true),
            (424, "not-applied", true),
            (422, "idempotency-key-reused", true), (422, "invalid-document", false), (400, "invalid-json", false),
            (403, "quota-exceeded", false), (413, "body-too-large", false), (501, "not-implemented", false),
        ] as [(Int64, String, Bool)]
    )
    func refusals(status: Int64, code: String, waits: Bool) {
        let item = settle(single, Given.answer(status, Given.problem(code))).items[Given.id]
        #expect(item?.edit == Self.sent)
        #expect(item?.waits == waits)
        #expect(item?.refusal?.problem.code == (waits ? nil : code))
        #expect(item?.isUnsure == false)
    }

    @Test("Others' deletion is known by its tag; without one the item waits")
    func deleted() {
        let named = Given.answer(409, Given.problem("configuration-deleted", more: #","version":"3-c""#))
        let settled = settle(single, named)
        #expect(settled.items[Given.id]?.copy == Given.tombstone("3-c"))
        #expect(settled.lost == [Given.lostDocument(#"{"a":2}"#, at: 5, .deletedElsewhere)])
        let unnamed = settle(
            single,
            Given.answer(409, Given.problem("configuration-deleted", more: #","version":null"#))
        )
        #expect(unnamed.items[Given.id]?.waits == true && unnamed.lost == [])
    }

    @Test("A write that is given up, and a 413 of a proxy, leave an unsure item")
    func unsure() {
        for answer in [Answer.givenUp, Answer(status: 413, fields: [], body: Array("<html>".utf8))] {
            let item = settle(single, answer).items[Given.id]
            #expect(item?.isUnsure == true && item?.edit == Self.sent)
            #expect(item?.refusal?.problem.status == answer.status)
        }
    }

    @Test("Each result of a batch settles its item")
    func batchResults() {
        let settled = settle(batch, results("partial", done, conflict), refusals: 2)
        #expect(settled.items[Given.id]?.copy?.tag == "2-b")
        #expect(settled.items[Given.otherID]?.waits == true)
        #expect(settled.push == PushState(seen: ["old", "42.h"], refusals: 0))
        let fault = #""status":500,"problem":{"type":"https://example.org/problems/internal-error"}"#
        let faulty = settle(batch, results("partial", done, fault)).items[Given.otherID]
        #expect(faulty?.refusal?.problem.status == 500 && faulty?.isUnsure == false)
    }

    @Test("After three refused batches in a row items go one by one")
    func refusedBatches() {
        let dependent = #""status":424,"problem":{"type":"https://example.org/problems/not-applied"}"#
        for refusals in 0...2 as ClosedRange<Int64> {
            let settled = settle(batch, results("refused", conflict, dependent), refusals: refusals)
            #expect(settled.push.refusals == refusals + 1)
            #expect(settled.push.isOneByOne == (refusals == 2))
        }
    }

    @Test("The refusal of a whole batch returns its members, and items go one by one")
    func wholeBatch() {
        let settled = settle(batch, Given.answer(400, Given.problem("invalid-json")))
        #expect(settled.push.isOneByOne)
        for id in batch.ids {
            #expect(settled.items[id] == Given.item(Given.copy("1-a", #"{"a":1}"#), edit: Self.sent, id: id))
        }
        let doubtful = settle(batch, .givenUp)
        #expect(doubtful.push.isOneByOne)
        #expect(doubtful.items.values.allSatisfy { $0.isUnsure && $0.refusal == nil && $0.edit == Self.sent })
    }

    @Test("The key of a batch used before makes its items wait")
    func keyReused() {
        let settled = settle(batch, Given.answer(422, Given.problem("idempotency-key-reused")))
        #expect(!settled.push.isOneByOne)
        #expect(settled.items.values.allSatisfy { $0.waits && $0.edit == Self.sent })
    }
}
