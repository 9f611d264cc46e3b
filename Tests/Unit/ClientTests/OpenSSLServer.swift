import Foundation
import Net
import TestSupport

/// The openssl server with the certificate of a folder. It answers only GET.
final class OpenSSLServer: Sendable {
    let url: String
    private let port: UInt16
    private let program: SpawnedProgram

    init(_ folder: String, _ options: [String] = []) throws {
        port = try ListeningSocket().port
        url = "https://localhost:\(port)"
        let files = ["-cert", folder + "/cert.pem", "-key", folder + "/key.pem"]
        let words = ["s_server", "-accept", "127.0.0.1:\(port)", "-quiet", "-WWW"] + files + options
        program = try SpawnedProgram("/usr/bin/openssl", words)
    }

    /// The trial connection fails its handshake, and the server goes on.
    func awaitListening() async throws {
        let port = port
        try await eventually { (try? RawSocket(port: port).close()) != nil }
    }

    func end() { kill(program.number, SIGKILL) }

    deinit {
        end()
        _ = program.wait(seconds: 10)
    }
}
