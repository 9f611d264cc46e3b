import NeuroViewsCrypto
import Testing

@testable import NeuroViewsClient

/// The pins are those that the command in the documentation of ``Pin`` has printed.
@Suite("Public keys of certificates")
struct CertificateKeyTests {
    private static let p256 = """
        -----BEGIN CERTIFICATE-----
        MIIBizCCATGgAwIBAgIUUC6/I/Rsc9SLaXNJ6dD0lhSnDiEwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQcGlucy5leGFtcGxlLm9yZzAeFw0yNjExMjgxNjIxMTdaFw0z
        NjExMjUxNjIxMTdaMBsxGTAXBgNVBAMMEHBpbnMuZXhhbXBsZS5vcmcwWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAAQABHLz5O+599clXybpU9KG+XsiNF61diCFdMui
        0z3Q+2TygUROgyUBcN17VuqGYdM50iGVsyhiViUxLMx35xyQo1MwUTAdBgNVHQ4E
        FgQUIqTVaN7X0KCmJl5OO36xqU+wHoYwHwYDVR0jBBgwFoAUIqTVaN7X0KCmJl5O
        O36xqU+wHoYwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiANn75i
        /sLAwWzvs13xjNkzvhSvQECi+nyAl6JSrnzzwwIhAM4fW2+s0Xhui5O3UNqBjzy1
        ZkMg8EGNluM0+Np4mKqE
        -----END CERTIFICATE-----
        """
    private static let ed25519 = """
        -----BEGIN CERTIFICATE-----
        MIIBSjCB/aADAgECAhQetI8guOKX/NMrU/ahSLJm9xaaXjAFBgMrZXAwGzEZMBcG
        A1UEAwwQcGlucy5leGFtcGxlLm9yZzAeFw0yNjExMjgxNjIxMTdaFw0zNjExMjUx
        NjIxMTdaMBsxGTAXBgNVBAMMEHBpbnMuZXhhbXBsZS5vcmcwKjAFBgMrZXADIQDn
        gqPWjlGzAweVMLFzYviWI5sGVCkZQ5qj6+7S9jEZIqNTMFEwHQYDVR0OBBYEFBAs
        57k11cveefLWGqL0Ou5aM6EIMB8GA1UdIwQYMBaAFBAs57k11cveefLWGqL0Ou5a
        M6EIMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EAv8cExq88unN/NqrROxBrrYZZ
        VD8s3H9mlCF2ZpAz+IAHuARU/VHVNH3PfVVCXb5+PpyA9b8B9qLkEHq9R4ZKDA==
        -----END CERTIFICATE-----
        """

    @Test(
        "The pin of a certificate is the one that OpenSSL prints",
        arguments: [
            (p256, "K+Kr8ydmtuOhPsai4blrFyTg4TJ0GQCUE992BjFb/s0="),
            (ed25519, "n8+sLMIU0ngRHs16gsjdzehkc5xd3O/GM9s/1EpX9j4="),
        ]
    )
    func pin(pem: String, pin: String) throws {
        let certificate = try #require(PEMCertificates.read(pem).first)
        #expect(CertificateKey.digest(certificate).map { Base64.padded.encode($0) } == pin)
    }

    @Test("A file of authorities may have several certificates, with text around them and other line ends")
    func several() {
        let text =
            "The house's own.\r\n" + Self.p256.split(separator: "\n").joined(separator: "\r\n") + "\r\n" + Self.ed25519
        #expect(PEMCertificates.read(text).map { $0.count } == [399, 334])
        #expect(PEMCertificates.read("-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----") == [])
        #expect(PEMCertificates.read("") == [])
    }

    @Test("Bytes that are cut off or changed have no pin, and end no app")
    func broken() throws {
        let certificate = try #require(PEMCertificates.read(Self.p256).first)
        let digest = try #require(CertificateKey.digest(certificate))
        // Up to the end of the certificate its outer length is wrong.
        #expect((0..<certificate.count).filter { CertificateKey.digest(Array(certificate[..<$0])) != nil } == [])
        for place in 0..<200 {
            for value: UInt8 in [0, 0x7F, 0x80, 0x84, 0xFF] {
                var changed = certificate
                changed[place] = value
                _ = CertificateKey.digest(changed)
            }
        }
        #expect(CertificateKey.digest(certificate + [0]) == digest)
    }
}
