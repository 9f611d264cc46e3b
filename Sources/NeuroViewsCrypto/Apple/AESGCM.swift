import CryptoKit
import Foundation

/// AES-256-GCM (NIST SP 800-38D) with one key, in place, for any number of messages. A nonce must never come twice for two
/// messages. The object is not for two threads at once.
public final class AESGCM {
    private let key: SymmetricKey

    /// Takes a key of 32 bytes. Throws `.unusableKey` for another length.
    public init(key: [UInt8]) throws(CryptoError) {
        try Self.check(key: key)
        self.key = SymmetricKey(data: key)
    }

    /// Encrypts the bytes from `start` on, and appends their tag. `context` is authenticated, not encrypted.
    public func seal(
        _ buffer: inout [UInt8],
        from start: Int = 0,
        nonce: [UInt8],
        context: [UInt8] = []
    ) throws(CryptoError) {
        try Self.check(nonce: nonce)
        do {
            let number = try AES.GCM.Nonce(data: nonce)
            let box = try AES.GCM.seal(buffer[start...], using: key, nonce: number, authenticating: context)
            buffer.replaceSubrange(start..., with: box.ciphertext)
            buffer.append(contentsOf: box.tag)
        } catch {
            throw .unusableKey("the bytes can't be sealed")
        }
    }

    /// Decrypts the bytes from `start` on, and removes the tag at their end. Throws `.unusableKey` for another key, nonce or
    /// context and for changed bytes: then the buffer ends at `start`, since bytes that were not authenticated are of no use.
    public func open(
        _ buffer: inout [UInt8],
        from start: Int = 0,
        nonce: [UInt8],
        context: [UInt8] = []
    ) throws(CryptoError) {
        let end = buffer.count - Self.tagBytes
        guard end >= start else { throw .unusableKey("the sealed bytes are too short") }
        try Self.check(nonce: nonce)
        do {
            let number = try AES.GCM.Nonce(data: nonce)
            let box = try AES.GCM.SealedBox(nonce: number, ciphertext: buffer[start..<end], tag: buffer[end...])
            buffer.replaceSubrange(start..., with: try AES.GCM.open(box, using: key, authenticating: context))
        } catch {
            buffer.removeSubrange(start...)
            throw .unusableKey("the sealed bytes do not open")
        }
    }
}
