/// The transport over libcurl.
///
/// A proxy of the environment (`https_proxy`, `all_proxy`, `no_proxy`) is used as curl uses it, but only for https to other
/// hosts: TLS goes through it unread, while it would see everything of plain HTTP.
package final class CurlTransport: Transport {
    private let trust: Trust
    private let thread: CurlThread

    /// `limits` are for tests. Throws `.other` if memory is exhausted.
    package init(_ trust: Trust, limits: TransportLimits = TransportLimits()) throws(TransportError) {
        self.trust = trust
        thread = try CurlThread(trust, limits)
    }

    deinit { thread.end() }

    package func send(
        _ request: TransferRequest,
        into file: DownloadFile?
    ) async throws(TransportError) -> TransferAnswer {
        try request.checkLines()
        let exchange = Exchange(request, into: file, origin: try trust.origin(of: request.url))
        let outcome = await withTaskCancellationHandler {
            await exchange.outcome { thread.submit(exchange) }
        } onCancel: {
            exchange.cancel()
            thread.cancel(exchange)
        }
        return try outcome.get()
    }
}
