import Foundation
import TestSupport
import Testing

/// Linux reports once that it could not write a file's pages; the next fdatasync succeeds without them.
@Suite("Uploads whose bytes the disk lost", .blocking, .enabled(if: FailingFlush.compiler != nil, "needs a C compiler"))
struct LostBytesTests {
    private static func server() throws -> ServerProcess {
        let environment = ["LD_PRELOAD": try FailingFlush.library()]
        return try ServerProcess(["--registration", "open", "--signatures", "optional"], environment: environment)
    }

    @Test("Bytes whose flush failed during a transfer never count, though the next flush succeeds")
    func transfer() throws {
        let server = try Self.server()
        // Only a transfer of 64 MiB and more is flushed before its end.
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(70 << 20))
        let complete = FileOnItsWay.draft + [("Upload-Complete", "?1")]
        #expect(try file.ask("PUT", complete, file.bytes).last?.verdict == "507 insufficient-storage")
        #expect(try file.offset() == 0)
        #expect(try file.sendRest().status == 201)
    }

    @Test("Bytes whose flush failed after a crash never count, though the next flush succeeds")
    func crash() throws {
        let server = try Self.server()
        var file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(1_500_000))
        let connection = try file.begin(from: 0, sending: 1_000_000)
        try Deadline.wait("the bytes", seconds: 20) { file.uploadBytes(server) == 1_000_000 }
        try server.kill()
        connection.socket.close()
        try server.start()
        file = file.on(server)
        #expect(try file.answer("HEAD").status == 507)
        #expect(try file.offset() == 0)
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(server))
    }
}

/// A library for a server, in which the first fdatasync of an upload's file fails.
private enum FailingFlush {
    static let compiler = ["cc", "clang"].first { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

    private static let source = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static int calls;

        int fdatasync(int descriptor) {
            char link[64], path[4096] = "";
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            int known = readlink(link, path, sizeof path - 1) > 0;
            // Temporary files of the store begin with a dot.
            int is_upload = known && strstr(path, "/uploads/") && !strstr(path, "/uploads/.");
            if (is_upload && __sync_fetch_and_add(&calls, 1) == 0) {
                errno = ENOSPC;
                return -1;
            }
            return syscall(SYS_fdatasync, descriptor);
        }
        """

    /// Compiles the library and returns its path.
    static func library() throws -> String {
        let path = Sandbox.makeFolder() + "/failing.so"
        let words = [try #require(compiler), "-shared", "-fPIC", "-x", "c", "-o", path, "-"]
        let run = try Program.run(words, input: source)
        try #require(run.status == 0, "\(run.complaint)")
        return path
    }
}
