import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("The command storage check", .blocking)
struct StorageCheckTests {
    private static let bytes = [UInt8](repeating: 7, count: 1000)

    /// A server with two verified recordings.
    private struct Scene {
        let server: ServerProcess
        var device: Device
        let whole: String
        let other: String

        init() throws {
            server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
            device = try Device.new(server.client)
            let (server, device) = (server, device)
            let ids = try (0..<2).map { _ in
                let id = UUID().uuidString
                _ = try device.openUpload(id)
                try device.finishUpload(id, server)
                try device.storeFile(id, bytes, server)
                _ = try device.complete(id, Device.movie)
                return id
            }
            (whole, other) = (ids[0], ids[1])
            try Deadline.wait("both are verified", seconds: 20) {
                try ids.allSatisfy { try device.recording($0).string("processing_status") == "ready" }
            }
        }

        func check(_ words: String...) throws -> Program {
            try Operator.run(["storage", "check"] + words + ["--data", server.data])
        }

        /// Restarts the server, because a new server looks for jobs at once.
        mutating func awaitFailure(of id: String, _ reason: String) throws {
            try server.stop()
            try server.start()
            device.client = server.client
            let device = device
            try Deadline.wait("the recording is shown as failed", seconds: 20) {
                try device.recording(id).string("failure") == reason
            }
        }
    }

    @Test("storage check lists differences between recordings and files, and --repair repairs them")
    func check() throws {
        var scene = try Scene()
        defer { _ = try? scene.server.stop() }
        let fine = try scene.check()
        #expect(fine.status == 0)
        #expect(fine.output == "recordings: 2, files: 2, bytes: 2000, differences: 0\n")

        try scene.device.storeFile(scene.other, Array(Self.bytes.dropLast()), scene.server)
        let orphan = String(repeating: "ab", count: 16)
        let folder = Hex.encode(Array(SHA256.hash(Array(orphan.utf8)).prefix(1)))
        for place in ["objects/" + folder, "uploads"] {
            let path = "\(scene.server.data)/objects/\(place)/\(orphan)"
            _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
        }
        let found = try scene.check()
        #expect(found.status == 1)
        #expect(found.output.contains("has 999 bytes, not 1000\n"))
        #expect(found.output.components(separatedBy: "no recording has: \(orphan) (1 bytes)").count == 3)
        #expect(found.output.hasSuffix("differences: 3\n"))
        #expect(try scene.check("--repair").output.hasSuffix("differences: 3, mended\n"))
        try scene.awaitFailure(of: scene.other, "wrong size")
        let mended = try scene.check()
        #expect(mended.status == 0, "\(mended.output)")
        #expect(try scene.device.recording(scene.whole).string("processing_status") == "ready")
        #expect(try scene.check("--digests").output.hasSuffix(" files read: 1, differences: 0\n"))
    }

    @Test("A file of the right size with other bytes is found by its digest")
    func digests() throws {
        var scene = try Scene()
        defer { _ = try? scene.server.stop() }
        try scene.device.storeFile(scene.whole, Array(Self.bytes.dropLast()) + [8], scene.server)
        #expect(try scene.check().status == 0, "its size is right")
        let other = try scene.check("--digests", "--repair")
        #expect(other.status == 1 && other.output.hasPrefix("wrong digest: "))
        #expect(other.output.hasSuffix("files read: 2, differences: 1, mended\n"))
        try scene.awaitFailure(of: scene.whole, "wrong digest")
        #expect(try scene.check("--digests").output.hasSuffix(" files read: 1, differences: 0\n"))
        #expect(try Operator.run(["storage", "look", "--data", scene.server.data]).status == 64)
    }
}
