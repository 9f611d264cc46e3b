import Foundation
import Glibc
import TestSupport

/// A file and an address that the tested programs must not open.
final class Canary: Sendable {
    /// The path of the file.
    let path: String
    /// The address of a server. No program must connect to it.
    let address: String
    private let descriptor: Int32
    private let listener: ListeningSocket

    /// Begins to watch.
    init() throws {
        path = try MediaFixture.file("canary.mov", Array("the canary".utf8))
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0 else { throw TestSupportError("inotify") }
        listener = try ListeningSocket()
        _ = fcntl(listener.descriptor, F_SETFL, O_NONBLOCK)
        address = "http://127.0.0.1:\(listener.port)/canary.ts"
    }

    deinit { close(descriptor) }

    /// True if the file was opened or somebody connected since the last call.
    func wasTouched() -> Bool {
        var events = [UInt8](repeating: 0, count: 4096)
        let wasOpened = read(descriptor, &events, events.count) > 0
        return listener.takesConnection() || wasOpened
    }
}
