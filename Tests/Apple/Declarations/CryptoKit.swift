// The declarations of CryptoKit that the library calls, for `apple-check`: their shapes only. Above each, Apple's page.
// swift-format-ignore-file
@_exported import Foundation

// https://developer.apple.com/documentation/cryptokit/sha256 and https://developer.apple.com/documentation/cryptokit/hashfunction
public protocol HashFunction: Sendable {
    associatedtype Digest: Sequence where Digest.Element == UInt8
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

// https://developer.apple.com/documentation/cryptokit/symmetrickey/init(data:)
public struct SymmetricKey: Sendable {
    public init<D>(data: D) where D: ContiguousBytes {}
}

// https://developer.apple.com/documentation/cryptokit/hmac/authenticationcode(for:using:)
public struct HashedAuthenticationCode<H: HashFunction>: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct HMAC<H: HashFunction>: Sendable {
    public typealias MAC = HashedAuthenticationCode<H>
    public static func authenticationCode<D>(for data: D, using key: SymmetricKey) -> MAC where D: DataProtocol { MAC() }
}

public enum AES {
    // https://developer.apple.com/documentation/cryptokit/aes/gcm
    public enum GCM {
        // https://developer.apple.com/documentation/cryptokit/aes/gcm/nonce/init(data:)
        public struct Nonce: Sendable {
            public init<D>(data: D) throws where D: DataProtocol {}
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/sealedbox/init(nonce:ciphertext:tag:)
        public struct SealedBox: Sendable {
            public init<C, T>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws where C: DataProtocol, T: DataProtocol {}
            public var ciphertext: Data { Data() }
            public var tag: Data { Data() }
        }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/seal(_:using:nonce:authenticating:)
        public static func seal<Plaintext, AuthenticatedData>(
            _ message: Plaintext, using key: SymmetricKey, nonce: AES.GCM.Nonce? = nil, authenticating authenticatedData: AuthenticatedData
        ) throws -> AES.GCM.SealedBox where Plaintext: DataProtocol, AuthenticatedData: DataProtocol { fatalError() }

        // https://developer.apple.com/documentation/cryptokit/aes/gcm/open(_:using:authenticating:)
        public static func open<AuthenticatedData>(
            _ sealedBox: AES.GCM.SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data where AuthenticatedData: DataProtocol { fatalError() }
    }
}
