import CNeuroViewsOpenSSL

/// SHA-1 (FIPS 180-4), in pieces. It detects accidents, not attacks. Only for the checksums of tus clients.
public struct SHA1: Sendable {
    /// Length of a digest, in bytes.
    public static let digestBytes = 20

    private var context = SHA_CTX()

    /// Starts the digest of an empty message.
    public init() {
        nv_sha1_init(&context)
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { nv_sha1_update(&context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest of all bytes so far, 20 bytes. The state stays unchanged.
    public func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestBytes) { buffer, count in
            var last = context
            nv_sha1_final(buffer.baseAddress, &last)
            count = Self.digestBytes
        }
    }
}
