import Net
import Synchronization

/// A small document of another service, such as the public keys of an OpenID provider.
public struct FetchedDocument: Sendable {
    /// The content.
    public let bytes: [UInt8]
    /// For how long caches may keep it (RFC 9111, 5.2.2.1); 0 when they may not, nil when it does not say.
    public let maxAgeSeconds: Int?
}

/// Fetches small documents by GET. Follows no redirect, and keeps no connection. Every function blocks.
public final class DocumentClient: Sendable {
    private let isStopping = Atomic(false)

    /// Checks certificates with the system's authorities.
    public init() {}

    /// Breaks off what waits for a server, and what would.
    public func stop() { isStopping.store(true, ordering: .relaxed) }

    /// The document at an http or https URL, within so many milliseconds in all. Throws `StorageError.unavailable`, also for a status other than
    /// 200 and for more than `maxBytes`.
    public func fetch(_ url: String, maxBytes: Int, limitMs: Int) throws -> FetchedDocument {
        let endMs = Monotonic.nowMs() + UInt64(limitMs)
        let transfer = try HTTPTransfer(isStopped: { [self] in isStopping.load(ordering: .relaxed) })
        let fields = [(name: "accept", value: "application/json")]
        try transfer.start(HTTPRequest(method: "GET", url: url, fields: fields, headLimitMs: limitMs), caFile: nil)
        guard transfer.head.status == 200 else {
            throw StorageError.unavailable("the status is \(transfer.head.status)")
        }
        let maxAge = transfer.head.cacheControl.flatMap(Self.maxAgeSeconds)
        return FetchedDocument(bytes: try Self.body(of: transfer, maxBytes: maxBytes, endMs), maxAgeSeconds: maxAge)
    }

    private static func body(of transfer: HTTPTransfer, maxBytes: Int, _ endMs: UInt64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            // Of the whole, not of each piece.
            transfer.pieceLimitMs = Int(endMs - min(endMs, Monotonic.nowMs()))
            guard let piece = try transfer.piece() else { return bytes }
            bytes += piece
            guard bytes.count <= maxBytes else {
                throw StorageError.unavailable("the answer is larger than \(maxBytes) bytes")
            }
        }
    }

    /// Of a Cache-Control field.
    static func maxAgeSeconds(_ field: String) -> Int? {
        let directives = field.lowercased().split(separator: ",").map {
            $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        }
        if directives.contains(where: { ["no-store", "no-cache"].contains($0) }) { return 0 }
        return directives.lazy.compactMap { $0.hasPrefix("max-age=") ? Int($0.dropFirst(8)) : nil }.first
    }
}
