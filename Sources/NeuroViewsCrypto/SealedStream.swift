/// The streaming encryption AES256-GCM-HKDF-1MB of Tink: segments that are each sealed by themselves, so that any of them can be
/// made or opened without the others, in bounded memory.
///
/// A stream is its header and segments of 1 MiB; the first one is shorter by the header, the last one is as long as it is. The
/// key of the segments is HKDF-SHA-256 of the stream's key, the header's salt and the context. A segment's nonce has its place
/// and whether it is the last one: so a segment that was changed, moved, cut off or taken from another stream does not open.
/// https://developers.google.com/tink/streaming-aead/aes_gcm_hkdf_streaming
public final class SealedStream {
    /// The begin of a stream. It is random, and no secret.
    public struct Header: Sendable, Hashable {
        /// Its length, in bytes.
        public static let count = 1 + saltBytes + prefixBytes
        private static let saltBytes = 32
        private static let prefixBytes = 7

        /// As it is in the stream.
        public let bytes: [UInt8]
        var salt: [UInt8] { Array(bytes[1...Self.saltBytes]) }
        var noncePrefix: [UInt8] { Array(bytes[(1 + Self.saltBytes)...]) }

        /// Makes a new one.
        public init() throws(CryptoError) {
            bytes = [UInt8(Self.count)] + (try SecureRandom.bytes(Self.saltBytes + Self.prefixBytes))
        }

        /// Reads one; nil if it is none.
        public init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.count, bytes[0] == UInt8(Self.count) else { return nil }
            self.bytes = bytes
        }
    }

    /// The header of this stream.
    public let header: Header
    private let cipher: AESGCM

    /// Takes the stream's key of 32 bytes. `context` is authenticated: a stream opens with the same one alone.
    public init(key: [UInt8], _ header: Header, context: [UInt8]) throws(CryptoError) {
        guard key.count == AESGCM.keyBytes else { throw .unusableKey("AES-256 takes 32 bytes, not \(key.count)") }
        self.header = header
        cipher = try AESGCM(key: HKDFSHA256(secret: key, salt: header.salt).key(info: context))
    }

    /// Seals a segment in place: `buffer` has its bytes, behind the header if it is the first one.
    public func seal(_ buffer: inout [UInt8], at index: Int64, isLast: Bool) throws(CryptoError) {
        let (start, nonce) = (Self.start(of: index), try nonce(index, isLast))
        try cipher.seal(&buffer, from: start, nonce: nonce)
    }

    /// Opens a segment in place, and keeps the header in front of the first one. Throws `.unusableKey` for any segment but the one
    /// that was sealed at this place.
    public func open(_ buffer: inout [UInt8], at index: Int64, isLast: Bool) throws(CryptoError) {
        let (start, nonce) = (Self.start(of: index), try nonce(index, isLast))
        try cipher.open(&buffer, from: start, nonce: nonce)
    }

    private static func start(of index: Int64) -> Int { index == 0 ? Header.count : 0 }

    private func nonce(_ index: Int64, _ isLast: Bool) throws(CryptoError) -> [UInt8] {
        guard let place = UInt32(exactly: index) else { throw .unusableKey("a stream has at most 2^32 segments") }
        let bytes = [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: place >> shift) }
        return header.noncePrefix + bytes + [isLast ? 1 : 0]
    }
}

extension SealedStream {
    /// Seals a content of one segment whole, with a header of its own.
    public static func seal(_ content: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard SealedLayout(plainBytes: Int64(content.count)).segmentCount == 1 else {
            throw .outputCount(content.count)
        }
        let stream = try SealedStream(key: key, Header(), context: context)
        var sealed = stream.header.bytes + content
        try stream.seal(&sealed, at: 0, isLast: true)
        return sealed
    }

    /// Opens a stream of one segment. Throws `.unusableKey` for another key or context and for changed bytes.
    public static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let header = Header(Array(sealed.prefix(Header.count))), sealed.count <= SealedLayout.segmentBytes else {
            throw .unusableKey("the sealed bytes are no stream of one segment")
        }
        var content = sealed
        try SealedStream(key: key, header, context: context).open(&content, at: 0, isLast: true)
        return Array(content[Header.count...])
    }
}
