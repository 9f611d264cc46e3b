import COpenSSL

/// Password hashes by scrypt (RFC 7914), kept as PHC strings.
/// Slow on purpose (tens of milliseconds of CPU, 32 MiB): call it from the blocking pool, never on an event loop.
public enum PasswordHash {
    /// What became of a password that was checked.
    public struct Verdict: Sendable, Equatable {
        /// Whether it is the right one.
        public let matches: Bool
        /// Whether it is the right one and its hash is weaker than today's parameters, so should be replaced now.
        public let needsRehash: Bool
    }

    static let saltBytes = 16
    static let hashBytes = 32

    /// The PHC string of a password's UTF-8 bytes with a fresh salt. The bytes are wiped. Throws `.openSSL`, such as when memory is out.
    public static func hash(
        _ password: consuming [UInt8],
        parameters: ScryptParameters = .standard
    ) throws(CryptoError) -> String {
        defer { password.wipe() }
        return try hash(password, parameters: parameters, salt: SecureRandom.bytes(saltBytes))
    }

    /// The same with a given salt, for known answers in tests.
    package static func hash(
        _ password: [UInt8],
        parameters: ScryptParameters,
        salt: [UInt8]
    ) throws(CryptoError) -> String {
        let hash = try scrypt(password, salt: salt, parameters: parameters, count: hashBytes)
        return PHCString(parameters: parameters, salt: salt, hash: hash).text
    }

    /// Checks a password in constant time against a stored string; costs as much as that string's parameters say.
    /// The password's bytes are wiped.
    /// Throws `.malformedPasswordHash` for a string of another form or beyond the limits, and `.openSSL`.
    public static func verify(
        _ password: consuming [UInt8],
        against stored: String,
        current: ScryptParameters = .standard
    ) throws(CryptoError) -> Verdict {
        defer { password.wipe() }
        guard let phc = PHCString(stored) else { throw .malformedPasswordHash }
        let hash = try scrypt(password, salt: phc.salt, parameters: phc.parameters, count: phc.hash.count)
        let matches = constantTimeEquals(hash, phc.hash)
        let isShort = phc.salt.count < saltBytes || phc.hash.count < hashBytes
        let isWeak = isShort || phc.parameters.areWeaker(than: current)
        return Verdict(matches: matches, needsRehash: matches && isWeak)
    }

    package static func scrypt(
        _ password: [UInt8],
        salt: [UInt8],
        parameters: ScryptParameters,
        count: Int
    ) throws(CryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        // OpenSSL's own limit is 32 MiB, which the default parameters exceed by their p blocks.
        let maxMemoryBytes = UInt64(ScryptParameters.maxMemoryBytes)
        let isDone = password.withUnsafeBytes { password in
            EVP_PBE_scrypt(
                password.bindMemory(to: CChar.self).baseAddress,
                password.count,
                salt,
                salt.count,
                1 << UInt64(parameters.logN),
                UInt64(parameters.r),
                UInt64(parameters.p),
                maxMemoryBytes,
                &output,
                count
            )
        }
        guard isDone == 1 else { throw .fromOpenSSL("EVP_PBE_scrypt") }
        return output
    }
}
