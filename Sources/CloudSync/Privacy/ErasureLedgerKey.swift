import NeuroViewsCrypto

/// The key of the erasure ledger's digests. A digest is an HMAC of an account's id; without the key it reveals nothing.
package struct ErasureLedgerKey: Sendable, Hashable {
    /// 32 random bytes.
    package let bytes: [UInt8]

    /// Takes 32 random bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the 32-byte digest of an account. `userID` is the UUID in lower case.
    package func digest(of userID: String) -> [UInt8] {
        HMACSHA256(key: bytes).authenticate(Array("erased account \(userID)".utf8).span)
    }
}
