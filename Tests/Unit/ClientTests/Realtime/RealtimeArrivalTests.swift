import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("Messages of the server in realtime")
struct RealtimeArrivalTests {
    private static let id = UUID()

    private func read(_ text: String) -> RealtimeArrival? { RealtimeArrival(Array(text.utf8)) }

    @Test("Each type of message is read")
    func types() {
        let id = Self.id
        let stream = { (type: String, more: String) in
            read(#"{"type":"\#(type)","from":"phone","data":{"session_id":"\#(id.uuidString)"\#(more)}}"#)
        }
        #expect(read(Said.heads("c1", recordings: "r1")) == .heads(configurations: "c1", recordings: "r1"))
        #expect(read(Said.status("phone", "[1]")) == .status(device: "phone", [1]))
        #expect(stream("streaming_started", #","destinations":[{}]"#) == .streamStarted(device: "phone", id, [[:]]))
        #expect(stream("streaming_metrics", #","metrics":{}"#) == .streamMetrics(device: "phone", id, [:]))
        #expect(stream("streaming_error", #","error":null"#) == .streamError(device: "phone", id, .null))
        #expect(stream("streaming_stopped", "") == .streamStopped(device: "phone", id))
        let command = ArrivedCommand(
            id: id,
            sender: "watch",
            command: "set_zoom",
            parameters: ["factor": 2],
            timeoutMs: 10_000
        )
        #expect(read(Said.command(id)) == .command(command))
        let refusal = read(
            #"{"type":"error","data":{"reply_to":"\#(id)","problem":{"type":"/problems/rate-limited","status":429}}}"#
        )
        guard case .refused(let problem, let command)? = refusal else {
            Issue.record("no refusal")
            return
        }
        #expect(problem.code == "rate-limited" && problem.status == 429 && command == id)
    }

    @Test(
        "A message of another type, or without a member, is nothing",
        arguments: [
            "", "[]", #"{"type":"hello","data":{}}"#, #"{"type":"account_changed","data":{"configurations":"c1"}}"#,
            #"{"type":"device_status","data":{"device_id":"phone"}}"#, #"{"type":"device_status"}"#,
            #"{"type":"remote_command","id":"1","from":"watch","timeout_ms":1,"data":{"command":"a"}}"#,
            #"{"type":"streaming_stopped","from":"phone","data":{"session_id":"1"}}"#, #"{"type":"error","data":{}}"#,
        ]
    )
    func others(_ text: String) { #expect(read(text) == nil) }

    @Test("A command gets no more than 30 seconds, whatever its message says")
    func longest() {
        guard case .command(let command)? = read(Said.command(Self.id, timeoutMs: 1_000_000)) else {
            Issue.record("no command")
            return
        }
        #expect(command.timeoutMs == 30_000)
    }
}
