import Foundation
import TestSupport
import Testing

@Suite("The store of a database", .blocking)
struct StoreIdentityTests {
    @Test(
        "Another folder than before: recordings are not served and not taken for lost, until an operator takes the folder"
    )
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

        // The folder comes back, and all is as before.
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
        try Deadline.wait("the loss", seconds: 20) {
            try device.recording(id).string("processing_status") == "failed"
        }
    }
}
