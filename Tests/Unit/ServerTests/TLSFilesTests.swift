import Foundation
import Net
import TestSupport
import Testing

@testable import Settings

@Suite("TLS certificate files", .blocking)
struct TLSFilesTests {
    private static let day = 86400
    private static let second = Result { try TestCertificate(name: "other.example.org") }

    /// The subject of a pair, or the error about it. CERT and KEY replace the paths of the files.
    private func sentence(
        _ certificate: String,
        _ key: String,
        mode: Int = 0o600,
        nowS: Int = WallClock.nowS()
    ) throws -> String {
        let folder = try TemporaryFolder()
        let files = TLSFiles(
            certificatePath: try folder.file("cert", certificate, mode: 0o644),
            keyPath: try folder.file("key", key, mode: mode)
        )
        do {
            return "good: \(try files.load(nowS: nowS).subject)"
        } catch {
            return "\(error)".replacing(files.certificatePath, with: "CERT").replacing(files.keyPath, with: "KEY")
        }
    }

    @Test("A matching TLS certificate and key are accepted, with a chain or in one file")
    func good() throws {
        let pair = try TestCertificate()
        let other = try Self.second.get()
        #expect(try sentence(pair.certificate, pair.key) == "good: CN = localhost")
        let chain = "# a comment\n" + pair.certificate + other.certificate
        #expect(try sentence(chain, pair.key) == "good: CN = localhost")
        #expect(try sentence(pair.key + pair.certificate, pair.certificate + pair.key) == "good: CN = localhost")
    }

    @Test("Unusable TLS certificates and keys are refused with one sentence")
    func sentences() throws {
        let pair = try TestCertificate()
        let other = try Self.second.get()
        let damaged = String(pair.certificate.prefix(200)) + "\n-----END CERTIFICATE-----\n"
        let half = String(pair.key.prefix(100)) + "\n-----END PRIVATE KEY-----\n"
        let noCertificate = "The TLS certificate CERT holds no certificate in PEM: name one with NEUROVIEWS_TLS_CERT."
        let noKey = "The TLS key KEY holds no private key in PEM: name one with NEUROVIEWS_TLS_KEY."
        for text in ["", "not PEM", pair.key, "\u{30}\u{82}"] { #expect(try sentence(text, pair.key) == noCertificate) }
        for text in ["", "not PEM", pair.certificate] { #expect(try sentence(pair.certificate, text) == noKey) }
        #expect(try sentence(damaged, pair.key).hasPrefix("The TLS certificate CERT is damaged ("))
        #expect(try sentence(pair.certificate + damaged, pair.key).hasPrefix("The TLS certificate CERT is damaged ("))
        #expect(try sentence(pair.certificate, half).hasPrefix("The TLS key KEY is damaged ("))
        #expect(
            try sentence(pair.certificate, other.key)
                == "The TLS key KEY does not belong to the certificate CERT (CN = localhost): put the right pair into NEUROVIEWS_TLS_CERT and NEUROVIEWS_TLS_KEY."
        )
    }

    @Test("A TLS key with a pass phrase is refused without asking for it")
    func passPhrase() throws {
        let folder = try TemporaryFolder()
        let pair = try TestCertificate()
        let path = try folder.file("plain", pair.key)
        let made = try Program.run(["openssl", "pkey", "-in", path, "-aes256", "-passout", "pass:secret"])
        #expect(made.status == 0, "\(made.complaint)")
        #expect(
            try sentence(pair.certificate, made.output)
                == "The TLS key KEY needs a pass phrase, which nobody could enter at a restart: openssl pkey -in KEY writes one without."
        )
    }

    @Test("TLS certificates are valid up to the exact second, and refused with the dates otherwise")
    func times() throws {
        let pair = try TestCertificate(fromS: -100, toS: 2 * Self.day)
        let nowS = WallClock.nowS()
        let certificate = try TLSCertificate(
            certificatePEM: Array(pair.certificate.utf8),
            keyPEM: Array(pair.key.utf8),
            nowS: nowS
        )
        let endS = certificate.validUntilS
        #expect(abs(endS - nowS - 2 * Self.day) < 60)
        #expect(try sentence(pair.certificate, pair.key, nowS: endS) == "good: CN = localhost")
        let end = Date(timeIntervalSince1970: TimeInterval(endS)).formatted(.iso8601)
        #expect(
            try sentence(pair.certificate, pair.key, nowS: endS + 1)
                == "The TLS certificate CERT (CN = localhost) expired on \(end): renew it."
        )
        let early = try sentence(pair.certificate, pair.key, nowS: 1_700_000_000)
        #expect(early.hasPrefix("The TLS certificate CERT (CN = localhost) is not valid before 20"))
        #expect(early.contains("this machine's clock says 2023-11-14T22:13:20Z: set the clock"))
    }

    @Test("A TLS key that others can read is refused", arguments: [0o604, 0o644, 0o620, 0o666])
    func modes(mode: Int) throws {
        let pair = try TestCertificate()
        let advice = "chmod 600 KEY, or 640 when root owns it"
        let expected = "The TLS key KEY has mode \(String(mode, radix: 8)), so others can read it: \(advice)."
        #expect(try sentence(pair.certificate, pair.key, mode: mode) == expected)
    }

    @Test("Missing files and folders are refused as certificate files")
    func files() throws {
        let folder = try TemporaryFolder()
        let pair = try TestCertificate()
        let (good, key) = (try folder.file("c", pair.certificate), try folder.file("k", pair.key))
        func failure(_ certificate: String, _ key: String) -> String? {
            do {
                _ = try TLSFiles(certificatePath: certificate, keyPath: key).load(nowS: WallClock.nowS())
                return nil
            } catch {
                return error.description
            }
        }
        #expect(
            failure("/nowhere/c", key)
                == "The TLS certificate can't be used: cannot open /nowhere/c: No such file or directory; name another with NEUROVIEWS_TLS_CERT."
        )
        #expect(
            failure(good, "/nowhere/k")
                == "The TLS key can't be used: cannot open /nowhere/k: No such file or directory; name another with NEUROVIEWS_TLS_KEY."
        )
        #expect(
            failure(folder.path, key)
                == "The TLS certificate \(folder.path) is not a file: name another with NEUROVIEWS_TLS_CERT."
        )
        let device = failure(good, "/dev/null")
        #expect(device == "The TLS key /dev/null is not a file: name another with NEUROVIEWS_TLS_KEY.")
    }

    @Test("A TLS certificate matches the hosts that it names")
    func hosts() throws {
        let pair = try TestCertificate()
        let certificate = try TLSCertificate(
            certificatePEM: Array(pair.certificate.utf8),
            keyPEM: Array(pair.key.utf8),
            nowS: WallClock.nowS()
        )
        #expect(certificate.names(host: "localhost"))
        #expect(certificate.names(host: "127.0.0.1"))
        #expect(!certificate.names(host: "example.org"))
        #expect(!certificate.names(host: "127.0.0.2"))
    }
}
