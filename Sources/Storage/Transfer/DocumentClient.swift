import Net
import Synchronization

/// A small document of another service, such as the public keys of an OpenID provider.
package struct FetchedDocument: Sendable {
    /// The content.
    package let bytes: [UInt8]
    /// The caching time in seconds (RFC 9111, 5.2.2.1); 0 forbids caching, nil means unspecified.
    package let maxAgeSeconds: Int?
}

/// Fetches small documents by GET. Follows no redirects and keeps no connections. Every function blocks.
package final class DocumentClient: Sendable {
    private let isStopping = Atomic(false)

    /// Checks certificates with the system's authorities.
    package init() {}

    /// Aborts current and future waits for a server.
    package func stop() { isStopping.store(true, ordering: .relaxed) }

    /// Returns the document at an http or https URL. `limitMs` is for the whole transfer, in milliseconds. Throws
    /// `StorageError.unavailable`, also for a status other than 200 and for more than `maxBytes`.
    package func fetch(_ url: String, maxBytes: Int, limitMs: Int) throws -> FetchedDocument {
        let endMs = Monotonic.nowMs() + UInt64(limitMs)
        let transfer = try open(url, accepting: "application/json", limitMs)
        guard transfer.head.status == 200 else {
            throw StorageError.unavailable("the status is \(transfer.head.status)")
        }
        let maxAge = transfer.head.cacheControl.flatMap(Self.maxAgeSeconds)
        return FetchedDocument(bytes: try Self.body(of: transfer, maxBytes: maxBytes, endMs), maxAgeSeconds: maxAge)
    }

    /// Returns the document with any status. Otherwise like `fetch`.
    package func read(_ url: String, maxBytes: Int, limitMs: Int) throws -> (status: Int, bytes: [UInt8]) {
        let endMs = Monotonic.nowMs() + UInt64(limitMs)
        let transfer = try open(url, accepting: "*/*", limitMs)
        return (transfer.head.status, try Self.body(of: transfer, maxBytes: maxBytes, endMs))
    }

    private func open(_ url: String, accepting type: String, _ limitMs: Int) throws -> HTTPTransfer {
        let transfer = try HTTPTransfer(isStopped: { [self] in isStopping.load(ordering: .relaxed) })
        let fields = [(name: "accept", value: type)]
        try transfer.start(HTTPRequest(method: "GET", url: url, fields: fields, headLimitMs: limitMs), caFile: nil)
        return transfer
    }

    private static func body(of transfer: HTTPTransfer, maxBytes: Int, _ endMs: UInt64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            // The limit is for the whole, not for each piece.
            transfer.pieceLimitMs = Int(endMs - min(endMs, Monotonic.nowMs()))
            guard let piece = try transfer.piece() else { return bytes }
            bytes += piece
            guard bytes.count <= maxBytes else {
                throw StorageError.unavailable("the answer is larger than \(maxBytes) bytes")
            }
        }
    }

    /// Parses a Cache-Control field.
    static func maxAgeSeconds(_ field: String) -> Int? {
        let directives = field.lowercased().split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        }
        if directives.contains(where: { ["no-store", "no-cache"].contains($0) }) { return 0 }
        return directives.lazy.compactMap { $0.hasPrefix("max-age=") ? Int($0.dropFirst(8)) : nil }.first
    }
}
