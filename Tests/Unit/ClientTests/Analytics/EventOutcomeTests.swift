import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Answers to events")
struct EventOutcomeTests {
    private static let batch = {
        var batch = EventBatch()
        batch.add(EventBatchTests.event("tap"))
        batch.add(EventBatchTests.event("crash", .crashReports))
        batch.add(EventBatchTests.event("used", .usageMetrics))
        return batch
    }()

    private func outcome(_ status: Int64, _ body: String) -> EventOutcome {
        let type = status < 400 ? "application/json" : "application/problem+json"
        let answer = Answer(status: status, fields: [HeaderField("Content-Type", type)], body: Array(body.utf8))
        return EventOutcome(answer, to: Self.batch)
    }

    private func problem(_ code: String, _ more: String = "") -> String {
        #"{"type":"https://x/v2/problems/\#(code)","title":"T","detail":"D"\#(more)}"#
    }

    private let all = ["tap", "crash", "used"].map { EventRefusal(name: $0, pointer: nil, detail: "D") }

    @Test("200 drops the batch and names the refused events")
    func received() {
        #expect(outcome(200, #"{"processed":2,"repeated":1,"refused":[]}"#) == .dropped([], without: []))
        let refused = """
            {"processed":1,"repeated":0,"refused":[\
            {"index":0,"pointer":"/events/0/parameters/a~1b","detail":"must be short"},\
            {"index":1,"pointer":"/events/1/category","detail":"must have consent"}]}
            """
        let refusals = [
            EventRefusal(name: "tap", pointer: "/parameters/a~1b", detail: "must be short"),
            EventRefusal(name: "crash", pointer: "/category", detail: "must have consent"),
        ]
        #expect(outcome(200, refused) == .dropped(refusals, without: [.crashReports]))
    }

    @Test(
        "200 without a receipt repeats the batch",
        arguments: [
            "{}", "<html>", #"{"processed":1,"repeated":0}"#, #"{"processed":"1","repeated":0,"refused":[]}"#,
            #"{"processed":1,"repeated":0,"refused":[{"pointer":"/events/3/name","detail":"x"}]}"#,
            #"{"processed":1,"repeated":0,"refused":[{"pointer":"/events","detail":"x"}]}"#,
        ]
    )
    func strange(_ body: String) { #expect(outcome(200, body) == .repeated) }

    @Test("403 consent-required drops the batch and stops its categories")
    func consent() {
        let stopped: Set<ConsentCategory> = [.analytics, .crashReports, .usageMetrics]
        #expect(outcome(403, problem("consent-required")) == .dropped(all, without: stopped))
    }

    @Test("403 quota-exceeded keeps the batch for another day")
    func quota() { #expect(outcome(403, problem("quota-exceeded")) == .full) }

    @Test("422 and 400 drop the batch, and 422 stops the categories that it names")
    func refused() {
        let errors = #","errors":[{"pointer":"/events/2/category","keyword":"consent","detail":"no consent"}]"#
        let refusal = EventRefusal(name: "used", pointer: "/category", detail: "no consent")
        #expect(outcome(422, problem("invalid-document", errors)) == .dropped([refusal], without: [.usageMetrics]))
        #expect(outcome(422, problem("invalid-document")) == .dropped(all, without: []))
        #expect(outcome(400, problem("invalid-json")) == .dropped(all, without: []))
    }

    @Test("Each other answer repeats the batch", arguments: [Int64(403), 404, 409, 413, 415, 501])
    func others(_ status: Int64) { #expect(outcome(status, problem("not-found")) == .repeated) }
}
