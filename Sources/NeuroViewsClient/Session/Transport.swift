/// Sends requests to the server, and to the stores that it names.
///
/// - At most four connections are open. Large files leave one of them to other requests.
/// - Redirects are answers: whoever downloads follows them.
/// - A cancelled task ends its request: the call throws `.cancelled`.
/// - Files belong to the transport until a call returns or throws, and then to the caller again.
package protocol Transport: Sendable {
    /// Sends a request and returns its answer, whatever its status is. With `file`, the body of a 200 or 206 goes there,
    /// and `body` is empty.
    func send(
        _ request: TransferRequest,
        into file: DownloadFile?
    ) async throws(TransportError) -> TransferAnswer

    /// The bytes of a file that a request should have at most, since each part of a file costs a copy; nil: any number.
    var pieceMaxBytes: Int64? { get }
}

extension Transport {
    /// Parts of files need no copy.
    package var pieceMaxBytes: Int64? { nil }

    /// Sends a request and returns its whole answer.
    package func send(_ request: TransferRequest) async throws(TransportError) -> TransferAnswer {
        try await send(request, into: nil)
    }
}

/// The limits of a transport. Only tests change them.
package struct TransportLimits: Sendable {
    /// Of the body of an answer in memory.
    package var answerMaxBytes = 16 << 20
    /// Of the status line and the fields of an answer.
    package var headMaxBytes = 64 << 10
    /// The time without progress that ends a request, in seconds; also the limit for connecting.
    package var stallS = 60
    /// Open connections.
    package var connectionsMax = 4
    /// Connections that files may use at the same time.
    package var filesMax = 3

    package init() {}
}
