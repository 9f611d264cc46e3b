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
}
