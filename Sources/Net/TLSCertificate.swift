import CNeuroViewsOpenSSL
import Glibc

/// A certificate with its chain and private key. The key and the validity dates are checked.
///
/// `@unchecked Sendable`: the OpenSSL objects never change after `init`, and their reference counts are atomic.
public final class TLSCertificate: @unchecked Sendable {
    /// The holder's name, as in "CN = example.org".
    public let subject: String
    /// The last moment of the certificate, in Unix seconds.
    public let validUntilS: Int
    /// The earliest expiry in the chain, in Unix seconds; nil without a chain.
    public let chainValidUntilS: Int?
    let leaf: OpaquePointer
    let chain: [OpaquePointer]
    let key: OpaquePointer

    /// Reads PEM: the holder's certificate first, then its chain to a root. Throws `TLSCertificateError` if the pair is
    /// not usable at `nowS`.
    public init(certificatePEM: [UInt8], keyPEM: [UInt8], nowS: Int) throws(TLSCertificateError) {
        OpenSSLError.clear()
        var certificates = try Self.certificates(certificatePEM)
        do throws(TLSCertificateError) {
            key = try Self.key(keyPEM)
        } catch {
            for certificate in certificates { X509_free(certificate) }
            throw error
        }
        leaf = certificates.removeFirst()
        chain = certificates
        subject = Self.name(X509_get_subject_name(leaf))
        validUntilS = Self.seconds(X509_get0_notAfter(leaf))
        chainValidUntilS = certificates.map { Self.seconds(X509_get0_notAfter($0)) }.min()
        try check(nowS: nowS)
    }

    deinit {
        X509_free(leaf)
        for certificate in chain { X509_free(certificate) }
        EVP_PKEY_free(key)
    }

    /// Returns true if the certificate is for this host, a name or an address (RFC 9110, 4.3.4).
    public func names(host: String) -> Bool {
        X509_check_host(leaf, host, host.utf8.count, 0, nil) == 1 || X509_check_ip_asc(leaf, host, 0) == 1
    }

    private func check(nowS: Int) throws(TLSCertificateError) {
        guard X509_check_private_key(leaf, key) == 1 else {
            ERR_clear_error()
            throw .mismatch(subject: subject)
        }
        let fromS = Self.seconds(X509_get0_notBefore(leaf))
        if nowS < fromS { throw .notYetValid(subject: subject, fromS: fromS) }
        if nowS > validUntilS { throw .expired(subject: subject, atS: validUntilS) }
    }
}

extension TLSCertificate {
    private static func certificates(_ pem: [UInt8]) throws(TLSCertificateError) -> [OpaquePointer] {
        let source = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(source) }
        var found: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(source, nil, nil, nil) { found.append(certificate) }
        let code = ERR_peek_last_error()
        let isAtEnd = ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE
        let reason = OpenSSLError.takeReason()
        if isAtEnd && !found.isEmpty { return found }
        for certificate in found { X509_free(certificate) }
        throw isAtEnd ? .noCertificate : .unreadableCertificate(reason)
    }

    private static func key(_ pem: [UInt8]) throws(TLSCertificateError) -> OpaquePointer {
        let source = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(source) }
        // Without this, OpenSSL would ask for a pass phrase on the terminal.
        var wasAsked = false
        let key = PEM_read_bio_PrivateKey(source, nil, refusePassPhrase, &wasAsked)
        let reason = OpenSSLError.takeReason()
        if let key { return key }
        if wasAsked { throw .encryptedKey }
        // OpenSSL's reasons are the same for a text without a key and for a damaged key.
        throw String(decoding: pem, as: UTF8.self).contains("PRIVATE KEY-----") ? .unreadableKey(reason) : .noKey
    }

    static func name(_ name: OpaquePointer?) -> String {
        let text = BIO_new(BIO_s_mem())
        defer { BIO_free(text) }
        nv_name_print(text, name)
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = BIO_read(text, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return 0 }
        return timegm(&parts)
    }
}

private func refusePassPhrase(
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: Int32,
    _ writes: Int32,
    _ wasAsked: UnsafeMutableRawPointer?
) -> Int32 {
    wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
    return -1
}
