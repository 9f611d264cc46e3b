extension PasswordHash {
    /// The hash of an account without a password. It is random, so no password has it; a check takes as long as that of any other.
    public static func none() throws(CryptoError) -> String {
        PHCString(
            parameters: .standard,
            salt: try SecureRandom.bytes(saltBytes),
            hash: try SecureRandom.bytes(hashBytes)
        ).text
    }
}
