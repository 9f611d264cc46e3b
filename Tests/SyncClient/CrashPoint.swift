import Foundation
import NeuroViewsClient

/// Ends the process by itself at a place that the kit has chosen, without cleaning up.
final class CrashPoint: @unchecked Sendable {
    private let lock = NSLock()
    private var placesLeft: Int64?

    /// Crashes when so many places were passed.
    func arm(after places: Int64) { lock.withLock { placesLeft = places } }

    /// A place: before or after a commit or a message.
    func pass() {
        lock.withLock {
            guard let left = placesLeft else { return }
            if left == 0 { _exit(9) }
            placesLeft = left - 1
        }
    }
}

/// The transport, with a place before and after each message.
struct CrashingTransport: Transport {
    private let transport: any Transport
    private let crash: CrashPoint

    init(_ transport: any Transport, _ crash: CrashPoint) { (self.transport, self.crash) = (transport, crash) }

    func send(_ request: TransferRequest, into file: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        crash.pass()
        defer { crash.pass() }
        return try await transport.send(request, into: file)
    }
}
