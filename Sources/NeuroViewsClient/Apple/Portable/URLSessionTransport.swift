import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

/// The transport over URLSession.
package final class URLSessionTransport: Transport {
    /// Written anew for each request for a part of a file. The system keeps this folder short.
    private static let piecesFolder = "neuroviews-pieces"

    private let trust: Trust
    private let pieceBytes: Int64
    private let session: URLSession
    private let transfers: SessionTransfers

    /// `limits` and `pieceBytes` are for tests. With `allowsCellularUploads` false, files stay off the mobile network.
    package init(
        _ trust: Trust,
        limits: TransportLimits = TransportLimits(),
        allowsCellularUploads: Bool = true,
        pieceBytes: Int64 = 128 << 20,
        configuration: URLSessionConfiguration
    ) {
        (self.trust, self.pieceBytes) = (trust, pieceBytes)
        let pieces = PieceFolder(FileManager.default.temporaryDirectory.path + "/" + Self.piecesFolder)
        transfers = SessionTransfers(trust, limits, pieces, allowsCellularUploads: allowsCellularUploads)
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    /// The session keeps its delegate until now.
    deinit { session.invalidateAndCancel() }

    /// URLSession sends bytes and whole files: of a part, a copy goes through the disk.
    package var pieceMaxBytes: Int64? { pieceBytes }

    package func send(
        _ request: TransferRequest,
        into file: DownloadFile?
    ) async throws(TransportError) -> TransferAnswer {
        try request.checkLines()
        let exchange = Exchange(request, into: file, origin: try trust.origin(of: request.url))
        let outcome = await withTaskCancellationHandler {
            await exchange.outcome { transfers.submit(exchange, session) }
        } onCancel: {
            exchange.cancel()
            transfers.cancel(exchange)
        }
        return try outcome.get()
    }
}

extension URLSessionConfiguration {
    /// A session that keeps nothing, and tells the server nothing of the device but what requests have.
    package static func neuroViews(_ limits: TransportLimits = TransportLimits()) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = limits.connectionsMax
        configuration.timeoutIntervalForRequest = TimeInterval(limits.stallS)
        configuration.keepNothing()
        return configuration
    }

    /// No cookies, no credentials, no cache, and no fields of the system's own.
    func keepNothing() {
        httpShouldSetCookies = false
        httpCookieStorage = nil
        urlCredentialStorage = nil
        urlCache = nil
        // The system would send the app's name and version, and the languages of the user.
        httpAdditionalHeaders = ["User-Agent": "NeuroViewsClient", "Accept-Language": "*"]
    }
}

extension URLRequest {
    private static let ownFields: Set = ["host", "content-length"]

    /// The same request, without a file. Throws `.badRequest` for a URL that would be changed: its text is part of the signature.
    init(_ request: TransferRequest, stallS: Int) throws(TransportError) {
        guard let url = URL(string: request.url, encodingInvalidCharacters: false), url.absoluteString == request.url
        else { throw .badRequest("its URL") }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: TimeInterval(stallS))
        httpMethod = request.method
        httpShouldHandleCookies = false
        // A server or proxy that compressed might leave the length out, and parts of files would not fit.
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        for field in request.fields where !Self.ownFields.contains(field.name.lowercased()) {
            setValue(field.value, forHTTPHeaderField: field.name)
        }
        switch (request.body, request.method) {
        case (.bytes(let bytes), _): httpBody = Data(bytes)
        case (.none, "GET"), (.none, "HEAD"), (.none, "DELETE"), (.file, _): break
        // With Content-Length: 0, which these methods need (RFC 9110, 8.6).
        case (.none, _): httpBody = Data()
        }
    }
}
