import Crypto

/// What the erasure ledger knows accounts by: an HMAC of the id, which tells nothing to those who have only the digest.
public struct ErasureLedgerKey: Sendable, Hashable {
    /// 32 random bytes.
    public let bytes: [UInt8]

    /// Takes 32 random bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The digest of an account, 32 bytes. `userID` is the UUID in lower case.
    public func digest(of userID: String) -> [UInt8] {
        HMACSHA256(key: bytes).authenticate(Array("erased account \(userID)".utf8).span)
    }
}
