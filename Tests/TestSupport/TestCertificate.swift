import CNeuroViewsOpenSSL
import Foundation

/// A self-signed certificate for localhost and 127.0.0.1 with its key. Its creation takes a millisecond.
package struct TestCertificate: Sendable {
    /// The certificate in PEM.
    package let certificate: String
    /// Its private key in PEM (P-256).
    package let key: String

    /// Creates a certificate. `fromS` and `toS` are the limits of its validity, in seconds from now. `issuer` is the
    /// name of its issuer, by default its own.
    package init(name: String = "localhost", issuer: String? = nil, fromS: Int = -3600, toS: Int = 30 * 86400) throws {
        guard let pair = nv_curve_key("P-256"), let made = X509_new() else { throw TestSupportError("no certificate") }
        defer {
            EVP_PKEY_free(pair)
            X509_free(made)
        }
        X509_set_version(made, 2)
        ASN1_INTEGER_set_int64(X509_get_serialNumber(made), Int64.random(in: 1...Int64.max))
        X509_gmtime_adj(X509_getm_notBefore(made), fromS)
        X509_gmtime_adj(X509_getm_notAfter(made), toS)
        X509_set_pubkey(made, pair)
        let subject = X509_get_subject_name(made)
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0)
        let issuerName = X509_NAME_new()
        defer { X509_NAME_free(issuerName) }
        X509_NAME_add_entry_by_txt(issuerName, "CN", MBSTRING_UTF8, issuer ?? name, -1, -1, 0)
        X509_set_issuer_name(made, issuerName)
        let names = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1")
        X509_add_ext(made, names, -1)
        X509_EXTENSION_free(names)
        guard X509_sign(made, pair, EVP_sha256()) > 0 else { throw TestSupportError("no signature") }
        certificate = PEMText.make { PEM_write_bio_X509($0, made) }
        key = PEMText.make { PEM_write_bio_PrivateKey($0, pair, nil, nil, 0, nil, nil) }
    }

    /// Writes `cert.pem` and `key.pem` into a folder, by default a new one. Returns the folder's path.
    @discardableResult
    package func write(to folder: String = Sandbox.makeFolder()) throws -> String {
        for (name, text) in [("cert.pem", certificate), ("key.pem", key)] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        chmod(folder + "/key.pem", 0o600)
        return folder
    }
}

enum PEMText {
    /// The text that `write` writes to a BIO.
    static func make(_ write: (OpaquePointer?) -> Int32) -> String {
        let text = BIO_new(BIO_s_mem())
        defer { BIO_free(text) }
        guard write(text) == 1 else { return "" }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(text))
        BIO_read(text, &bytes, Int32(bytes.count))
        return String(decoding: bytes, as: UTF8.self)
    }
}
