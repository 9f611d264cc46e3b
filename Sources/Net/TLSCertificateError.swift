/// The reason why a certificate and a key can't be used. Times are Unix seconds.
public enum TLSCertificateError: Error, Equatable {
    /// The text contains no PEM certificate.
    case noCertificate
    /// A certificate in the text can't be read; OpenSSL's reason.
    case unreadableCertificate(String)
    /// The text contains no PEM private key.
    case noKey
    /// The key needs a pass phrase.
    case encryptedKey
    /// The key can't be read; OpenSSL's reason.
    case unreadableKey(String)
    /// The key belongs to another certificate.
    case mismatch(subject: String)
    /// The certificate was valid until `atS`.
    case expired(subject: String, atS: Int)
    /// The certificate will be valid from `fromS`.
    case notYetValid(subject: String, fromS: Int)
    /// OpenSSL rejects the pair, for example for a short key; its reason.
    case refused(String)
}
