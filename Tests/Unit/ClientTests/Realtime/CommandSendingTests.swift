import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Commands for other devices", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct CommandSendingTests {
    private static let path = "/realtime/commands"
    private let done = AnswerTable.json(200, #"{"id":"1","status":"done","result":{"url":"x"}}"#)

    /// A client whose commands get these answers, one after the other; nil for a lost one.
    private func client(_ answers: [TransferAnswer?]) async throws -> (NeuroViews, AnswerTable) {
        let left = Guarded(answers)
        let table = AnswerTable { request throws(TransportError) in
            guard request.path == Self.path else { return AnswerTable.problem(404, "not-found") }
            let answer = left.withLock { left in left.isEmpty ? nil : left.removeFirst() }
            guard let answer else { throw .cut("the network") }
            return answer
        }
        return (try await Given.client(table), table)
    }

    @Test("A command is sent with its name, parameters, target and timeout, and its outcome is returned")
    func outcome() async throws {
        let (client, table) = try await client([done])
        let command = RemoteCommand.setZoom(factor: 2)
        let outcome = try await client.send(command, to: "phone")
        #expect(outcome.status == .done && outcome.result == ["url": "x"] && outcome.error == nil)
        let sent = try #require(table.requests.first)
        #expect(sent.name == "POST \(Self.path)" && sent.fields["x-signature"] != nil)
        #expect(sent.json["id"]?.string == command.id.uuidString.lowercased() && sent.json["to"]?.string == "phone")
        #expect(sent.json["command"]?.string == "set_zoom" && sent.json["parameters"] == Given.json(#"{"factor":2.0}"#))
        #expect((9000...10_000).contains(sent.json["timeout_ms"]?.number?.int64 ?? 0))
    }

    @Test("A lost answer is asked for by the same command with less time")
    func lost() async throws {
        let (client, table) = try await client([nil, AnswerTable.problem(503, "overloaded"), done])
        #expect(try await client.send(RemoteCommand("capture_photo")).status == .done)
        let sent = table.requests.map(\.json)
        #expect(sent.count == 3 && Set(sent.map { $0["id"]?.string }).count == 1)
        let times = sent.compactMap { $0["timeout_ms"]?.number?.int64 }
        #expect(times.count == 3 && times[0] > times[1] && times[1] > times[2])
        #expect(sent.allSatisfy { $0["to"] == nil && $0["parameters"] == nil })
    }

    @Test("Nothing is sent after a command's timeout, and its result is unknown then")
    func over() async throws {
        let (client, table) = try await client([])
        var command = RemoteCommand("capture_photo")
        command.timeout = .seconds(1)
        let short = command
        await #expect(throws: ClientError.offline(.cut("the network"))) { try await client.send(short) }
        #expect((1...2).contains(table.requests.count))
    }

    @Test("A refused command is sent once", arguments: [(409, "ambiguous-target"), (422, "idempotency-key-reused")])
    func refused(_ status: Int, _ code: String) async throws {
        let (client, table) = try await client([AnswerTable.problem(status, code)])
        do throws(ClientError) {
            _ = try await client.send(RemoteCommand("capture_photo"))
            Issue.record("no refusal")
        } catch {
            guard case .refused(let problem) = error else { throw Program.Failure("\(error)") }
            #expect(problem.code == code)
        }
        #expect(table.requests.count == 1)
    }

    @Test("A timeout that the server does not take is refused here", arguments: [0.4, 31])
    func timeout(_ seconds: Double) async throws {
        let (client, table) = try await client([done])
        var command = RemoteCommand("capture_photo")
        command.timeout = .seconds(seconds)
        let wrong = command
        await #expect(throws: ClientError.self) { try await client.send(wrong) }
        #expect(table.requests.isEmpty)
    }

    @Test("The shortest timeout is enough for an attempt")
    func shortest() async throws {
        let (client, _) = try await client([done])
        var command = RemoteCommand("capture_photo")
        command.timeout = .milliseconds(500)
        #expect(try await client.send(command).status == .done)
    }
}
