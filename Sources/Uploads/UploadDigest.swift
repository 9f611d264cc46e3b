import NeuroViewsCrypto

/// A digest algorithm that clients may use.
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
    /// SHA-1, which tus requires and RFC 9530 deprecates.
    case sha1

    /// The key in Content-Digest and Repr-Digest (RFC 9530, section 5); nil when it isn't accepted there.
    package var fieldKey: String? {
        switch self {
        case .sha256: "sha-256"
        case .sha512: "sha-512"
        case .sha1: nil
        }
    }

    /// The name in Upload-Checksum; nil when it isn't accepted there.
    package var tusName: String? { self == .sha512 ? nil : rawValue }

    /// Length of a digest, in bytes.
    package var digestBytes: Int {
        switch self {
        case .sha256: SHA256.digestBytes
        case .sha512: SHA512.digestBytes
        case .sha1: SHA1.digestBytes
        }
    }
}

/// A digest that a client sent, or that this server computed.
package struct UploadDigest: Sendable, Hashable {
    /// The algorithm that made it.
    package let algorithm: DigestAlgorithm
    /// `algorithm.digestBytes` bytes.
    package let bytes: [UInt8]

    /// Nil when the algorithm has another number of bytes.
    package init?(_ algorithm: DigestAlgorithm, _ bytes: [UInt8]) {
        guard bytes.count == algorithm.digestBytes else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }
}

/// The result of a comparison with promised digests.
package enum DigestVerdict: Sendable, Hashable {
    /// There was nothing to compare, or nothing was computed.
    case unknown
    /// Every digest agreed.
    case match
    /// At least one digest differed.
    case mismatch
}

/// Compares bytes with a client's digests as they arrive. A value: a copy continues from the same state.
package struct DigestCheck: Sendable {
    fileprivate enum Running: Sendable {
        case sha256(SHA256)
        case sha512(SHA512)
        case sha1(SHA1)
    }

    private let promised: [UploadDigest]
    private var running: [Running]

    /// Starts without bytes. Without digests nothing is computed.
    package init(_ promised: [UploadDigest]) {
        self.promised = promised
        running = promised.map { digest in
            switch digest.algorithm {
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            case .sha1: .sha1(SHA1())
            }
        }
    }

    /// Appends bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        for index in running.indices { running[index].update(bytes) }
    }

    /// The verdict on the bytes so far. This value does not change.
    package var verdict: DigestVerdict {
        if promised.isEmpty { return .unknown }
        return zip(promised, running).allSatisfy { $0.bytes == $1.digest } ? .match : .mismatch
    }
}

extension DigestCheck.Running {
    mutating func update(_ bytes: Span<UInt8>) {
        switch self {
        case .sha256(var digest):
            digest.update(bytes)
            self = .sha256(digest)
        case .sha512(var digest):
            digest.update(bytes)
            self = .sha512(digest)
        case .sha1(var digest):
            digest.update(bytes)
            self = .sha1(digest)
        }
    }

    var digest: [UInt8] {
        switch self {
        case .sha256(let digest): digest.digest()
        case .sha512(let digest): digest.digest()
        case .sha1(let digest): digest.digest()
        }
    }
}
