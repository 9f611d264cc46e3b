/// The errors of this module, except those of tokens (`TokenError`). They never contain key material.
public enum CryptoError: Error, Equatable {
    /// A call into OpenSSL failed; `detail` is OpenSSL's own text for the log.
    case openSSL(operation: String, detail: String)
    /// A key, key id or set of keys can't be used; the text gives the reason.
    case unusableKey(String)
    /// The algorithm can't produce this number of output bytes.
    case outputCount(Int)
    /// A stored password hash is not in this server's PHC form, or its parameters are out of bounds.
    case malformedPasswordHash
    /// Password hash parameters outside the bounds of `ScryptParameters`.
    case scryptParameters(logN: Int, r: Int, p: Int)
}
