import CNeuroViewsOpenSSL

/// Password hashes by scrypt (RFC 7914), stored as PHC strings. Slow on purpose (tens of milliseconds of CPU, 32 MiB).
/// Call it from the blocking pool, never on an event loop.
public enum PasswordHash {
    /// The result of a password check.
    public struct Verdict: Sendable, Equatable {
        /// True if the password is right.
        public let matches: Bool
        /// True if the password is right but its hash is weaker than today's parameters. Replace the hash now.
        public let needsRehash: Bool
    }

    static let saltBytes = 16
    static let hashBytes = 32

    /// Hashes a password's UTF-8 bytes with a fresh salt and returns the PHC string. The bytes are wiped. Throws
    /// `.openSSL`, for example if memory is exhausted.
    public static func hash(
        _ password: consuming [UInt8],
        parameters: ScryptParameters = .standard
    ) throws(CryptoError) -> String {
        defer { password.wipe() }
        return try hash(password, parameters: parameters, salt: SecureRandom.bytes(saltBytes))
    }

    /// Hashes with a given salt, for known answers in tests.
    package static func hash(
        _ password: [UInt8],
        parameters: ScryptParameters,
        salt: [UInt8]
    ) throws(CryptoError) -> String {
        let hash = try scrypt(password, salt: salt, parameters: parameters, count: hashBytes)
        return PHCString(parameters: parameters, salt: salt, hash: hash).text
    }

    /// Checks a password against a stored string in constant time, at the cost of that string's parameters. The
    /// password's bytes are wiped. Throws `.malformedPasswordHash` for a string of another form or beyond the limits,
    /// and `.openSSL`.
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
        // OpenSSL's own limit is 32 MiB. The default parameters exceed it by their p blocks.
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
