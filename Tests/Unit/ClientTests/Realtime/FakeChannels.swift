import Foundation
import TestSupport

@testable import NeuroViewsClient

/// Sockets with their other ends in the test.
final class FakeChannels: ChannelTransport {
    enum Answer: Sendable {
        case opens
        /// It opens, too late for `channels`, when the test opens the gate.
        case waits(Gate)
        case fails(TransportError)
        case refuses(TransferAnswer)
    }

    private struct State {
        var answers: [Answer] = []
        var requests: [TransferRequest] = []
        var channels: [FakeChannel] = []
    }

    private let state = Guarded(State())

    var requests: [TransferRequest] { state.withLock { $0.requests } }
    /// Those that were opened, in their order.
    var channels: [FakeChannel] { state.withLock { $0.channels } }

    /// The next openings get these answers; all others succeed.
    func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    func open(_ request: TransferRequest) async throws(TransportError) -> ChannelOpening {
        let (answer, channel) = state.withLock { state in
            state.requests.append(request)
            let answer = state.answers.isEmpty ? .opens : state.answers.removeFirst()
            let channel = FakeChannel()
            if case .opens = answer { state.channels.append(channel) }
            return (answer, channel)
        }
        switch answer {
        case .opens: return .opened(channel)
        case .waits(let gate):
            await gate.pass()
            return .opened(channel)
        case .fails(let error): throw error
        case .refuses(let answer): return .refused(answer)
        }
    }

    /// Waits for a socket, and returns it.
    func channel(_ number: Int) async throws -> FakeChannel {
        try await eventually("socket \(number)") { channels.count > number }
        return channels[number]
    }
}

/// A socket. The test is the server.
final class FakeChannel: Channel {
    private struct State {
        var sent: [[UInt8]] = []
        var incoming: [ChannelEvent] = []
        var reader: CheckedContinuation<ChannelEvent, Never>?
        var isClosed = false
        var hasEnded = false
    }

    private let state = Guarded(State())

    /// The client's messages so far.
    var sent: [JSON] { state.withLock { $0.sent }.map { Given.json(String(decoding: $0, as: UTF8.self)) } }
    /// True if the client began the closing handshake.
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// True after the end of reading.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The server sends a message.
    func say(_ text: String, at arrival: ContinuousClock.Instant = .now) {
        give(.message(Array(text.utf8), at: arrival))
    }

    /// The server ends it.
    func end(_ code: Int? = nil, _ reason: String = "") { give(.ended(ChannelEnd(code: code, reason: reason))) }

    private func give(_ event: ChannelEvent) {
        let reader = state.withLock { state in
            guard let reader = state.reader else {
                state.incoming.append(event)
                return nil as CheckedContinuation<ChannelEvent, Never>?
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: event)
    }

    func send(_ message: [UInt8]) { state.withLock { $0.sent.append(message) } }

    func receive() async -> ChannelEvent {
        let event = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let event = state.withLock { state in
                    if state.incoming.isEmpty { state.reader = continuation }
                    return state.incoming.isEmpty ? nil : state.incoming.removeFirst()
                }
                if let event { continuation.resume(returning: event) }
            }
        } onCancel: {
            give(.ended(ChannelEnd()))
        }
        if case .ended = event { state.withLock { $0.hasEnded = true } }
        return event
    }

    func close() {
        state.withLock { $0.isClosed = true }
        end(1000)
    }
}

/// Messages of a server.
enum Said {
    static func heads(_ configurations: String, recordings: String = "r0") -> String {
        #"{"type":"account_changed","data":{"configurations":"\#(configurations)","recordings":"\#(recordings)"}}"#
    }

    static func status(_ device: String, _ status: String) -> String {
        #"{"type":"device_status","from":"\#(device)","data":{"device_id":"\#(device)","status":\#(status)}}"#
    }

    static func command(_ id: UUID, timeoutMs: Int = 10_000) -> String {
        """
        {"type":"remote_command","id":"\(id.uuidString.lowercased())","from":"watch","timeout_ms":\(timeoutMs),\
        "data":{"command":"set_zoom","parameters":{"factor":2}}}
        """
    }
}
