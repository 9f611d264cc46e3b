/// Limits of one request before its content; anything beyond is rejected before it is stored. The server limits the
/// content itself: it gets the length with the head.
public struct WireLimits: Sendable, Hashable {
    /// The request line without its CRLF; a longer one gets 414.
    public var requestLineMaxBytes: Int
    /// Request line and fields with every CRLF, including the empty line; more gets 431.
    public var headMaxBytes: Int
    /// Field lines in a head, and again in a trailer section; more gets 431.
    public var fieldsMaxCount: Int
    /// Hexadecimal digits of a chunk size, including leading zeros (at most 15, which fit an `Int`).
    public var chunkSizeMaxDigits: Int
    /// All bytes between chunk sizes and their CRLF, summed over one body.
    public var chunkExtensionsMaxBytes: Int
    /// The trailer section with every CRLF; more gets 431.
    public var trailersMaxBytes: Int

    /// The defaults are the ones the server documents.
    public init(
        requestLineMaxBytes: Int = 16384,
        headMaxBytes: Int = 16384,
        fieldsMaxCount: Int = 100,
        chunkSizeMaxDigits: Int = 8,
        chunkExtensionsMaxBytes: Int = 1024,
        trailersMaxBytes: Int = 4096
    ) {
        self.requestLineMaxBytes = requestLineMaxBytes
        self.headMaxBytes = headMaxBytes
        self.fieldsMaxCount = fieldsMaxCount
        self.chunkSizeMaxDigits = chunkSizeMaxDigits
        self.chunkExtensionsMaxBytes = chunkExtensionsMaxBytes
        self.trailersMaxBytes = trailersMaxBytes
    }
}

/// The limits of a server's connections, which share them. They are reduced to the range of the parser's 32-bit offsets and `Int`.
final class BoundedLimits: Sendable {
    let values: WireLimits

    init(_ limits: WireLimits) {
        var values = limits
        values.headMaxBytes = min(limits.headMaxBytes, 1 << 24)
        values.chunkSizeMaxDigits = min(limits.chunkSizeMaxDigits, 15)
        self.values = values
    }
}
