/// Why a certificate and a key can't serve. Times are Unix seconds.
public enum TLSCertificateError: Error, Equatable {
    /// There is no PEM certificate in the text.
    case noCertificate
    /// A certificate of the text can't be read; OpenSSL's reason.
    case unreadableCertificate(String)
    /// There is no PEM private key in the text.
    case noKey
    /// The key needs a pass phrase.
    case encryptedKey
    /// The key can't be read; OpenSSL's reason.
    case unreadableKey(String)
    /// The key belongs to another certificate.
    case mismatch(subject: String)
    /// It was valid until then.
    case expired(subject: String, atS: Int)
    /// It will be valid from then.
    case notYetValid(subject: String, fromS: Int)
    /// OpenSSL does not serve with it, for example because the key is too short; its reason.
    case refused(String)
}
