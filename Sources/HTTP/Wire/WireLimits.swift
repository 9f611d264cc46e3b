/// What one request may take before its content; what goes beyond is refused before it is stored. The size of the
/// content is the server's matter: it learns the length with the head.
public struct WireLimits: Sendable, Hashable {
    /// The request line without its CRLF; a longer one is 414.
    public var requestLineMaxBytes: Int
    /// Request line and fields with every CRLF, the empty line included; more is 431.
    public var headMaxBytes: Int
    /// Field lines in a head, and again in a trailer section; more is 431.
    public var fieldsMaxCount: Int
    /// Hexadecimal digits of a chunk size, leading zeros included (at most 15, which fit an `Int`).
    public var chunkSizeMaxDigits: Int
    /// All bytes between chunk sizes and their CRLF, summed over one body.
    public var chunkExtensionsMaxBytes: Int
    /// The trailer section with every CRLF; more is 431.
    public var trailersMaxBytes: Int

    /// The defaults are the ones the server documents.
    public init(
        requestLineMaxBytes: Int = 8192,
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

    /// The same limits within what the parser's 32-bit offsets and `Int` can hold.
    var bounded: WireLimits {
        var limits = self
        limits.headMaxBytes = min(headMaxBytes, 1 << 24)
        limits.chunkSizeMaxDigits = min(chunkSizeMaxDigits, 15)
        return limits
    }
}
