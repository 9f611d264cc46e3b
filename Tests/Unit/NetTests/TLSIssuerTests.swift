import Net
import TestSupport
import Testing

@Suite("Issuers of certificates")
struct TLSIssuerTests {
    private static func missingIssuer(_ certificate: TestCertificate, chain: [TestCertificate]) throws -> String? {
        let pem = ([certificate] + chain).map(\.certificate).joined()
        return try TLSCertificate(
            certificatePEM: Array(pem.utf8),
            keyPEM: Array(certificate.key.utf8),
            nowS: WallClock.nowS()
        ).missingIssuer
    }

    @Test("A certificate without its intermediate names the missing issuer, also with another chain")
    func missing() throws {
        let certificate = try TestCertificate(issuer: "Intermediate 7")
        #expect(try Self.missingIssuer(certificate, chain: [])?.contains("Intermediate 7") == true)
        let other = try TestCertificate(name: "Intermediate 8")
        #expect(try Self.missingIssuer(certificate, chain: [other])?.contains("Intermediate 7") == true)
    }

    @Test("A certificate with its intermediate, or signed by itself, misses no issuer")
    func whole() throws {
        let certificate = try TestCertificate(issuer: "Intermediate 7")
        let intermediate = try TestCertificate(name: "Intermediate 7", issuer: "Root")
        #expect(try Self.missingIssuer(certificate, chain: [intermediate]) == nil)
        #expect(try Self.missingIssuer(TestCertificate(), chain: []) == nil)
    }
}
