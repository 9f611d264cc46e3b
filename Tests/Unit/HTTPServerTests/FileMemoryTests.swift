import Foundation
import HTTP
import TestSupport
import Testing

@Suite("Memory of files that the kernel sends", .timeLimit(.minutes(Patience.minutes(1))))
struct FileMemoryTests {
    /// A file that is already deleted.
    private final class SmallFile: Sendable {
        let descriptor: Int32

        init() throws {
            var template = Array("/tmp/neuroviews-file-XXXXXX".utf8CString)
            descriptor = mkstemp(&template)
            unlink(template)
            guard descriptor >= 0, ftruncate(descriptor, 2) == 0 else { throw TestSupportError("no file") }
        }

        deinit { close(descriptor) }
    }

    @Test("A file reserves what the socket's buffer has of it, not the pieces of a copy")
    func buffer() async throws {
        let (file, gate) = (try SmallFile(), Gate())
        let handler: Server.Handler = { _ in
            Response(
                .ok,
                content: .stream(keepingBytes: 500_000, length: 2) { stream in
                    try await stream.write(file: file.descriptor, 0..<1)
                    await gate.wait()
                    try await stream.write(file: file.descriptor, 1..<2)
                }
            )
        }
        try await RunningServer.with(handler: handler) { running in
            let port = running.port
            let client = try await onThread {
                let client = try RawHTTP(port: port)
                try client.send("GET", "/")
                return client.socket
            }
            try await eventually { gate.hasArrived }
            // The head and one byte, as far as the client has not acknowledged them.
            #expect(await running.total(\.reservedBytes) < 1000)
            gate.open()
            #expect(try await onThread { try RawHTTP(client).readResponse().body } == [0, 0])
            try await eventually { await running.total(\.reservedBytes) == 0 }
        }
    }
}
