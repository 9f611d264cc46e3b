extension PasswordHash {
    /// The hash of an account without a password. It is random, so no password matches. A check takes as long as with
    /// any other hash.
    public static func none() throws(CryptoError) -> String {
        PHCString(
            parameters: .standard,
            salt: try SecureRandom.bytes(saltBytes),
            hash: try SecureRandom.bytes(hashBytes)
        ).text
    }

    /// A hash that no known password has. A check of it takes as long as one of a hash with these parameters.
    package static func unmatched(_ parameters: ScryptParameters) -> String {
        let (salt, hash) = ([UInt8](repeating: 0, count: saltBytes), [UInt8](repeating: 0, count: hashBytes))
        return PHCString(parameters: parameters, salt: salt, hash: hash).text
    }
}
