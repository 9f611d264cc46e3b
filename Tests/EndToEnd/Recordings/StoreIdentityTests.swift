import Foundation
import TestSupport
import Testing

@Suite("The link between a database and its store", .inFull, .blocking)
struct StoreIdentityTests {
    @Test("Recordings are not served from an unknown folder until an operator accepts it")
    func anotherFolder() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        var device = try Device.new(server.client)
        let id = UUID().uuidString
        #expect(try device.openUpload(id).status == 200)
        try device.finishUpload(id, server)
        try device.storeFile(id, [UInt8](repeating: 7, count: 1000), server)
        #expect(try device.complete(id, Device.movie).status == 200)
        try server.stop()
        let (folder, aside) = (server.data + "/objects", server.data + "/aside")
        try FileManager.default.moveItem(atPath: folder, toPath: aside)
        try server.start()
        device.client = server.client
        #expect(try device.openUpload(UUID().uuidString).verdict == "503 storage-unavailable")
        #expect(try device.post(Preset().json).status == 201)
        #expect(try device.recording(id).status == 200)
        #expect(try device.send("GET", "/v2/recordings/\(id)/content").verdict == "503 storage-unavailable")
        try server.stop()
        let check = try Operator.run(["storage", "check", "--data", server.data])
        #expect(check.status == 1 && check.output.contains("in another store"))

        // The folder is back, and everything works as before.
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: aside, toPath: folder)
        try server.start()
        device.client = server.client
        #expect(try device.openUpload(UUID().uuidString).status == 200)

        // The folder is lost for good.
        try server.stop()
        try FileManager.default.removeItem(atPath: folder)
        #expect(try Operator.run(["storage", "check", "--repair", "--data", server.data]).status == 1)
        try server.start()
        device.client = server.client
        #expect(try device.openUpload(UUID().uuidString).status == 200)
        do {
            try Deadline.wait("the loss", seconds: 20) {
                try device.recording(id).string("processing_status") == "failed"
            }
        } catch {
            let jobs = try server.sql("SELECT concat_ws(' ', kind, attempts, excused, run_at - now(), lease) FROM jobs")
            Issue.record("\(error), jobs: \(jobs), log: \(server.log.suffix(2000))")
        }
    }

    @Test("An upload keeps its bytes while its volume is unmounted, and goes on afterwards")
    func unmounted() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        defer { _ = try? server.stop() }
        let file = try FileOnItsWay(Device.new(server.client), FileOnItsWay.random(100_000))
        let begun = FileOnItsWay.draft + [("Upload-Complete", "?0")]
        #expect(try file.answer("PUT", begun, Array(file.bytes[..<60_000])).status == 201)
        let (folder, aside) = (server.data + "/objects", server.data + "/aside")
        try FileManager.default.moveItem(atPath: folder, toPath: aside)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // A 5xx would end the upload of a client of the draft.
        let question = try? file.answer("HEAD")
        #expect(question == nil)
        #expect(try file.answer("HEAD", [("Tus-Resumable", "1.0.0")]).status == 503)
        #expect(try server.sql("SELECT upload FROM recording_files") == ["open"])
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: aside, toPath: folder)
        // The server does not check the store again at once.
        try Deadline.wait("the store", seconds: 20) { (try? file.offset()) == 60_000 }
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(server))
    }
}
