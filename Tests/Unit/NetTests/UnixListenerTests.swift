import Foundation
import Net
import TestSupport
import Testing

@Suite("Listeners on a Unix socket", .timeLimit(.minutes(Patience.minutes(1))))
struct UnixListenerTests {
    private let path = Sandbox.makeFolder() + "/server.sock"

    private func mode() -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    @Test("A Unix socket is accessible to its owner and group, and is removed with its listener")
    func file() throws {
        let listener = try Listener(unixPath: path)
        #expect(listener.address.description == "unix:" + path)
        #expect(mode() == S_IFSOCK | 0o660)
        _ = try RawSocket(unixPath: path)
        listener.close()
        #expect(mode() == nil)
    }

    @Test("The socket of a killed server is replaced")
    func dead() throws {
        // The listener is never closed, as after SIGKILL.
        do { _ = try Listener(unixPath: path) }
        #expect(mode() != nil)
        #expect(throws: RawSocketError.self) { _ = try RawSocket(unixPath: path) }
        let listener = try Listener(unixPath: path)
        _ = try RawSocket(unixPath: path)
        listener.close()
    }

    @Test("A living server's socket and a file that is no socket are left alone")
    func occupied() throws {
        let first = try Listener(unixPath: path)
        let taken = #expect(throws: SystemError.self) { _ = try Listener(unixPath: path) }
        #expect(taken?.code == EADDRINUSE)
        _ = try RawSocket(unixPath: path)
        first.close()
        try "precious".write(toFile: path, atomically: true, encoding: .utf8)
        let other = #expect(throws: SystemError.self) { _ = try Listener(unixPath: path) }
        #expect(other?.code == EEXIST)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test("A server removes only its own Unix socket")
    func foreign() throws {
        let old = try Listener(unixPath: path)
        unlink(path)
        let new = try Listener(unixPath: path)
        old.close()
        _ = try RawSocket(unixPath: path)
        new.close()
        #expect(mode() == nil)
    }

    @Test("A Unix socket's path may have 107 bytes")
    func length() throws {
        let folder = Sandbox.makeFolder()
        let longest = folder + "/" + String(repeating: "x", count: 106 - folder.utf8.count)
        try Listener(unixPath: longest).close()
        let error = #expect(throws: SystemError.self) { _ = try Listener(unixPath: longest + "x") }
        #expect(error?.code == ENAMETOOLONG)
    }

    @Test("One of many servers that replace the same dead socket succeeds")
    func race() async throws {
        do { _ = try Listener(unixPath: path) }
        let listeners = try await withThrowingTaskGroup(of: Listener?.self) { [path] group in
            for _ in 0..<8 { group.addTask { try await onThread { try? Listener(unixPath: path) } } }
            return try await group.reduce(into: [Listener]()) { all, next in all += next.map { [$0] } ?? [] }
        }
        #expect(listeners.count == 1)
        _ = try RawSocket(unixPath: path)
        listeners.forEach { $0.close() }
    }
}
