/// The authenticator's signed data (WebAuthn level 2, section 6.1): relying party, flags, counter, and a new key in a
/// registration.
struct AuthenticatorData {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1)
        static let userVerified = Flags(rawValue: 1 << 2)
        /// The passkey may be copied to other devices of its user (level 3). `backedUp` needs this flag.
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let hasCredential = Flags(rawValue: 1 << 6)
        static let hasExtensions = Flags(rawValue: 1 << 7)
    }

    /// A new passkey, in a registration.
    struct Credential {
        let id: [UInt8]
        let key: COSEKey
    }

    /// The limit in bytes, with room for extensions and keys of 8192 bits.
    static let maxBytes = 8192
    private static let (fixedBytes, modelBytes) = (37, 16)

    let relyingPartyHash: [UInt8]
    let flags: Flags
    let counter: UInt32
    let credential: Credential?

    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard Self.fixedBytes...Self.maxBytes ~= bytes.count else { throw .authenticatorData }
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .authenticatorData }
        var position = Self.fixedBytes
        credential = flags.contains(.hasCredential) ? try Self.credential(bytes, &position) : nil
        if flags.contains(.hasExtensions) { try Self.skipExtensions(bytes, &position) }
        guard position == bytes.count else { throw .authenticatorData }
    }

    private static func credential(_ bytes: [UInt8], _ position: inout Int) throws(WebAuthnError) -> Credential {
        let start = position + modelBytes + 2
        guard bytes.count >= start else { throw .authenticatorData }
        let count = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard WebAuthn.credentialIDBytes ~= count else { throw .credentialID }
        guard bytes.count >= start + count else { throw .authenticatorData }
        position = try end(ofValueAt: start + count, in: bytes)
        let key = try COSEKey(encoded: Array(bytes[(start + count)..<position]))
        return Credential(id: Array(bytes[start..<start + count]), key: key)
    }

    private static func skipExtensions(_ bytes: [UInt8], _ position: inout Int) throws(WebAuthnError) {
        position = try end(ofValueAt: position, in: bytes)
    }

    private static func end(ofValueAt start: Int, in bytes: [UInt8]) throws(WebAuthnError) -> Int {
        do {
            let (value, end) = try CBORReader.first(in: bytes, from: start)
            guard case .map = value else { throw WebAuthnError.authenticatorData }
            return end
        } catch {
            throw .authenticatorData
        }
    }
}
