import Foundation
import TestSupport

/// A client that follows the contract: after a 503 or a broken connection it sends the same request again.
final class LoadClient {
    private let server: ServerProcess
    private let device: Device
    private let observations: Observations
    private var connection: HTTPConnection?
    /// The longest time without an answer to one request.
    private static let patienceSeconds = 60.0

    init(_ server: ServerProcess, _ device: Device, _ observations: Observations) {
        self.server = server
        self.device = device
        self.observations = observations
    }

    /// Returns the first answer other than 503. Throws after the time limit.
    func send(
        _ method: String,
        _ target: String,
        _ fields: APIClient.Fields = [],
        body: String? = nil
    ) throws -> HTTPAnswer {
        let request = APIClient.request(
            method,
            target,
            host: "127.0.0.1",
            [("Authorization", "Bearer \(device.token)")] + fields,
            body: body.map { Array($0.utf8) }
        )
        var final: HTTPAnswer?
        try Deadline.wait("an answer to \(method) \(target)", seconds: Self.patienceSeconds) {
            final = attempt(request)
            return final != nil && final?.status != 503
        }
        return try final ?? { throw Program.Failure("no answer") }()
    }

    private func attempt(_ request: [UInt8]) -> HTTPAnswer? {
        let begin = ContinuousClock.now
        do {
            let connection = try self.connection ?? HTTPConnection(port: server.client.port)
            try connection.send(request)
            guard let answer = try connection.receive() else { throw Program.Failure("the connection ended") }
            observations.note(answer, ContinuousClock.now - begin)
            self.connection = answer.field("connection") == "close" ? nil : connection
            return answer
        } catch {
            observations.noteBroken("\(error)")
            connection = nil
            return nil
        }
    }
}
