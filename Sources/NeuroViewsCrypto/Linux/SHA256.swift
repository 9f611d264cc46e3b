import CNeuroViewsOpenSSL

/// SHA-256 (FIPS 180-4), in one call or in pieces. A value type: a copy continues from the same state.
public struct SHA256: Sendable {
    /// Length of a digest, in bytes.
    public static let digestBytes = 32

    private var context = SHA256_CTX()

    /// Starts the digest of an empty message.
    public init() {
        nv_sha256_init(&context)
    }

    init(startingWith bytes: [UInt8]) {
        self.init()
        update(bytes)
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { update($0) }
    }

    mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        nv_sha256_update(&context, bytes.baseAddress, bytes.count)
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Returns the digest of all bytes so far, 32 bytes. The state stays unchanged.
    public func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestBytes) { buffer, count in
            finish(into: buffer)
            count = Self.digestBytes
        }
    }

    /// Writes the digest to the first 32 bytes of `buffer`. A shorter buffer is a programming error.
    func finish(into buffer: UnsafeMutableBufferPointer<UInt8>) {
        precondition(buffer.count >= Self.digestBytes)
        var last = context
        nv_sha256_final(buffer.baseAddress, &last)
    }

    /// Returns the digest of one message, 32 bytes.
    public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.digest()
    }

    /// Returns the digest of one message, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        hash(bytes.span)
    }
}
