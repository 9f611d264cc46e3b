import Foundation
import TestSupport
import Testing

@Suite("TLS with common clients", .blocking)
struct TLSTests {
    /// A server with a certificate of its own; its folder has `cert.pem` and `key.pem`.
    private struct SecureServer {
        let process: ServerProcess
        let pair: TestCertificate
        var port: UInt16 { process.client.port }
        var certificatePath: String { process.folder + "/cert.pem" }

        init() throws {
            let folder = Sandbox.makeFolder()
            pair = try TestCertificate()
            try pair.write(to: folder)
            process = try ServerProcess(
                ["--registration", "open", "--signatures", "optional"] + Self.files(folder),
                folder: folder
            )
        }

        static func files(_ folder: String) -> [String] {
            ["--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"]
        }

        func curl(_ arguments: String...) throws -> Program {
            try Program.run(["curl", "-sS", "--cacert", certificatePath, "--max-time", "30"] + arguments)
        }

        func openssl(_ arguments: String...) throws -> Program {
            let connect = ["-connect", "127.0.0.1:\(port)", "-CAfile", certificatePath, "-ign_eof"]
            return try Program.run(
                ["openssl", "s_client"] + connect + arguments,
                input: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
        }
    }

    private static let server = Result { try SecureServer() }

    @Test("curl trusts the certificate, negotiates HTTP/1.1 and gets HSTS and https URLs")
    func curl() throws {
        let server = try Self.server.get()
        let origin = "https://localhost:\(server.port)"
        let health = try server.curl("-i", "--http2", origin + "/healthz")
        #expect(health.output.hasPrefix("HTTP/1.1 200 OK"), "\(health.complaint)")
        #expect(health.output.contains("Strict-Transport-Security: max-age=31536000\r\n"))
        let problem = try server.curl("-i", origin + "/v2/nothing")
        #expect(problem.output.contains("404"))
        #expect(problem.output.contains("Strict-Transport-Security: max-age=31536000\r\n"))
        #expect(problem.output.contains("\"type\":\"https://127.0.0.1:\(server.port)/v2/problems/not-found\""))
        #expect(try server.curl("--tls-max", "1.2", origin + "/healthz").status != 0)
        let large = server.process.folder + "/large"
        try String(repeating: "x", count: 20_000_000).write(toFile: large, atomically: true, encoding: .utf8)
        let refused = try server.curl(
            "-i",
            "-H",
            "Expect:",
            "-H",
            "Content-Type: application/json",
            "--data-binary",
            "@" + large,
            origin + "/v2/auth/login"
        )
        #expect(refused.output.hasPrefix("HTTP/1.1 413"), "\(refused.complaint)")
    }

    @Test("openssl s_client gets TLS 1.3 with ALPN and resumption, without early data")
    func openssl() throws {
        let server = try Self.server.get()
        let session = server.process.folder + "/session"
        let first = try server.openssl("-sess_out", session, "-verify_return_error", "-alpn", "h2,http/1.1")
        #expect(first.output.contains("New, TLSv1.3"), "\(first.complaint)")
        #expect(first.output.contains("ALPN protocol: http/1.1"))
        #expect(first.output.contains("HTTP/1.1 200 OK"))
        #expect(first.output.contains("Max Early Data: 0"))
        // The server announced the end of the answer.
        #expect(!first.complaint.contains("unexpected eof"), "\(first.complaint)")
        let second = try server.openssl("-sess_in", session)
        #expect(second.output.contains("Reused, TLSv1.3"), "\(second.complaint)")
        #expect(try server.openssl("-tls1_2").complaint.contains("alert protocol version"))
        #expect(try server.openssl("-alpn", "h2").complaint.contains("alert no application protocol"))
    }

    @Test("Python's ssl is served with TLS 1.3 and refused with 1.2")
    func python() throws {
        let server = try Self.server.get()
        let script = """
            import http.client, ssl, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            connection = http.client.HTTPSConnection("localhost", int(sys.argv[2]), context=context)
            for _ in range(3):
                connection.request("GET", "/healthz")
                answer = connection.getresponse()
                answer.read()
                print(answer.status, connection.sock.version())
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            try:
                http.client.HTTPSConnection("localhost", int(sys.argv[2]), context=context).request("GET", "/healthz")
            except ssl.SSLError as error:
                print(error.reason)
            """
        let program = try Program.run(["python3", "-c", script, server.certificatePath, "\(server.port)"])
        let line = "200 TLSv1.3\n"
        #expect(program.output == line + line + line + "TLSV1_ALERT_PROTOCOL_VERSION\n", "\(program.complaint)")
    }

    @Test("Plain HTTP to the TLS port gets 400 with the remedy, without HSTS")
    func plainHTTP() throws {
        let server = try Self.server.get()
        let answer = try server.process.client.send("GET", "/healthz")
        #expect(answer.verdict == "400 bad-request")
        #expect(answer.string("detail") == "This port requires TLS: use an https URL.")
        #expect(answer.field("connection") == "close")
        #expect(answer.field("strict-transport-security") == nil)
    }

    @Test("A server without TLS sends no HSTS")
    func noTLS() throws {
        let answer = try Shared.client().send("GET", "/healthz")
        #expect(answer.status == 200)
        #expect(answer.field("strict-transport-security") == nil)
    }

    @Test("SIGHUP gives new connections the new certificate, keeps old ones, and ignores an unusable one")
    func reload() throws {
        let server = try SecureServer()
        defer { _ = try? server.process.stop() }
        let old = try TLSSocket(port: server.port)
        let http = RawHTTP(old)
        #expect(try http.ask("GET", "/healthz").status == 200)
        let next = try TestCertificate(toS: 3 * 86400)
        try next.write(to: server.process.folder)
        try reload(server, until: " tls certificate expires=20")
        #expect(old.certificatePEM == server.pair.certificate)
        #expect(try http.ask("GET", "/healthz").status == 200)
        #expect(try TLSSocket(port: server.port).certificatePEM == next.certificate)

        let expired = try TestCertificate(toS: -60)
        let bad: [(TestCertificate, TestCertificate, String)] = [
            (expired, expired, "expired on"), (next, server.pair, "does not belong"),
        ]
        for (certificate, key, reason) in bad {
            try certificate.write(to: server.process.folder)
            try key.key.write(toFile: server.process.folder + "/key.pem", atomically: true, encoding: .utf8)
            chmod(server.process.folder + "/key.pem", 0o600)
            try reload(server, until: reason)
        }
        try FileManager.default.removeItem(atPath: server.certificatePath)
        try reload(server, until: "No such file or directory")
        #expect(try TLSSocket(port: server.port).certificatePEM == next.certificate)
        #expect(try http.ask("GET", "/healthz").status == 200)
        #expect(server.process.log.contains("The old certificate stays."))
    }

    private func reload(_ server: SecureServer, until line: String) throws {
        server.process.signal(SIGHUP)
        try server.process.awaitLog(line)
    }

    @Test("SIGHUP without TLS changes nothing")
    func hangupWithoutTLS() throws {
        let server = try Shared.strictServer.get()
        server.signal(SIGHUP)
        try server.awaitLog("reload asked for")
        #expect(try server.client.send("GET", "/healthz").status == 200)
    }

    @Test("A start with an unusable certificate ends with the reason before PostgreSQL is started")
    func badStart() throws {
        let folder = try TestCertificate(toS: -86400).write()
        let data = folder + "/data"
        let program = try Program.run([Program.server, "serve", "--data", data] + SecureServer.files(folder))
        #expect(program.status == 69)
        #expect(program.complaint.hasPrefix("neuroviews-server: The TLS "))
        #expect(program.complaint.split(separator: "\n").count == 1)
        #expect(program.complaint.contains("expired on 20"), "\(program.complaint)")
        #expect(!FileManager.default.fileExists(atPath: data + "/postgres"))
    }
}
