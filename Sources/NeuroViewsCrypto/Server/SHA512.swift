import CNeuroViewsOpenSSL

/// SHA-512 (FIPS 180-4), in pieces. A value type: a copy continues from the same state.
public struct SHA512: Sendable {
    /// Length of a digest, in bytes.
    public static let digestBytes = 64

    private var context = SHA512_CTX()

    /// Starts the digest of an empty message.
    public init() {
        nv_sha512_init(&context)
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { nv_sha512_update(&context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest of all bytes so far, 64 bytes. The state stays unchanged.
    public func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestBytes) { buffer, count in
            var last = context
            nv_sha512_final(buffer.baseAddress, &last)
            count = Self.digestBytes
        }
    }
}
