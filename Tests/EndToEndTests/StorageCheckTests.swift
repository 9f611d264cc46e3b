import Crypto
import Foundation
import TestSupport
import Testing

@Suite("storage check", .blocking)
struct StorageCheckTests {
    @Test("What recordings and files lack of each other is named, and mended when it is to be")
    func check() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        defer { _ = try? server.stop() }
        var device = try Device.new(server.client)
        let bytes = [UInt8](repeating: 7, count: 1000)
        func recording(_ content: [UInt8]?) throws -> String {
            let id = UUID().uuidString
            _ = try device.openUpload(id)
            try device.finishUpload(id, server)
            if let content { try device.storeFile(id, content, server) }
            _ = try device.complete(id, Device.movie)
            return id
        }
        let (whole, cut) = (try recording(bytes), try recording(bytes))
        try Deadline.wait("both are verified", seconds: 20) {
            try [whole, cut].allSatisfy { try device.recording($0).string("processing_status") == "ready" }
        }
        // A server that has just started looks for jobs at once.
        func restart() throws {
            try server.stop()
            try server.start()
            device.client = server.client
        }
        func run(_ words: String...) throws -> Program {
            try Operator.run(["storage", "check"] + words + ["--data", server.data])
        }
        let fine = try run()
        #expect(fine.status == 0)
        #expect(fine.output == "recordings: 2, files: 2, bytes: 2000, differences: 0\n")

        try device.storeFile(cut, Array(bytes.dropLast()), server)
        let orphan = String(repeating: "ab", count: 16)
        let folder = Hex.encode(Array(SHA256.hash(Array(orphan.utf8)).prefix(1)))
        for place in ["objects/" + folder, "uploads"] {
            _ = FileManager.default.createFile(atPath: "\(server.data)/objects/\(place)/\(orphan)", contents: Data([1]))
        }
        let found = try run()
        #expect(found.status == 1)
        #expect(found.output.contains("has 999 bytes, not 1000\n"))
        #expect(found.output.components(separatedBy: "no recording has: \(orphan) (1 bytes)").count == 3)
        #expect(found.output.hasSuffix("differences: 3\n"))
        #expect(try run("--repair").output.hasSuffix("differences: 3, mended\n"))
        try restart()
        try Deadline.wait("the recording is shown as failed", seconds: 20) {
            try device.recording(cut).string("failure") == "wrong size"
        }
        let mended = try run()
        #expect(mended.status == 0, "\(mended.output)")
        #expect(try device.recording(whole).string("processing_status") == "ready")
        #expect(try run("--digests").output.hasSuffix(" files read: 1, differences: 0\n"))

        try device.storeFile(whole, Array(bytes.dropLast()) + [8], server)
        #expect(try run().status == 0, "its size is right")
        let other = try run("--digests", "--repair")
        #expect(other.status == 1 && other.output.hasPrefix("wrong digest: "))
        #expect(other.output.hasSuffix("files read: 1, differences: 1, mended\n"))
        try restart()
        try Deadline.wait("the recording is shown as failed", seconds: 20) {
            try device.recording(whole).string("failure") == "wrong digest"
        }
        #expect(try run("--digests").output.hasSuffix(" files read: 0, differences: 0\n"))
        #expect(try Operator.run(["storage", "look", "--data", server.data]).status == 64)
    }
}
