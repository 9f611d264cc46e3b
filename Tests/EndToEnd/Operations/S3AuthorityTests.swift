import Foundation
import TestSupport
import Testing

@Suite("The authorities that certify an S3 service", .blocking)
struct S3AuthorityTests {
    /// Runs a command that finds this folder in place of the system's authorities.
    private static func run(_ command: [String], authorities folder: String) throws -> Program {
        let script = "mount --bind \"$0\" /etc/ssl/certs && exec \"$@\""
        return try Program.run(["unshare", "-m", "/bin/sh", "-c", script, folder] + command)
    }

    private static let canReplaceAuthorities = (try? run(["true"], authorities: Sandbox.makeFolder()))?.status == 0

    /// A folder as /etc/ssl/certs: a bundle, and other authorities that libcurl finds by the digests of their names.
    private static func authorities(bundle: TestCertificate, other: TestCertificate) throws -> String {
        let folder = Sandbox.makeFolder()
        for (name, certificate) in [("ca-certificates.crt", bundle), ("other.pem", other)] {
            try certificate.certificate.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        #expect(try Program.run(["openssl", "rehash", folder]).status == 0)
        return folder
    }

    @Test(
        "The system's authorities certify no S3 service beside s3_ca_file",
        .enabled(if: canReplaceAuthorities, "mount namespaces are not allowed here")
    )
    func system() throws {
        let pair = try TestCertificate()
        let folder = try pair.write()
        // Any service with TLS will do.
        let server = try ServerProcess(["--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"])
        let endpoint = "https://localhost:\(server.client.port)"
        let secret = folder + "/secret"
        try "secret\n".write(toFile: secret, atomically: true, encoding: .utf8)
        chmod(secret, 0o600)
        // libcurl looks into the folder only for names that no file has.
        let authorities = try Self.authorities(bundle: TestCertificate(name: "Another authority"), other: pair)
        func doctor(_ more: String...) throws -> String {
            let s3 = ["--s3-endpoint", endpoint, "--s3-bucket", "recordings", "--s3-access-key", "a"]
            let words = ["doctor", "--data", folder + "/data", "--s3-secret-file", secret] + s3 + more
            return try Self.run([Program.server] + words, authorities: authorities).output
        }
        let refusal = "The S3 endpoint \(endpoint) can't be reached: SSL certificate problem"
        for output in [try doctor(), try doctor("--s3-ca-file", folder + "/cert.pem")] {
            #expect(output.contains("The S3 endpoint \(endpoint) returned 404"), "\(output)")
        }
        let output = try doctor("--s3-ca-file", authorities + "/ca-certificates.crt")
        #expect(output.contains(refusal), "\(output)")
        try server.stop()
    }
}
