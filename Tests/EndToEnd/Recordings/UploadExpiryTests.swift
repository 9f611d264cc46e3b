import Foundation
import TestSupport
import Testing

@Suite("The lifetime of uploads", .blocking)
struct UploadExpiryTests {
    private func server() throws -> ServerProcess { try Shared.server.get() }

    private func file(_ count: Int = 300_000) throws -> FileOnItsWay {
        try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(count))
    }

    @Test("An expired upload is gone, and makes room for a new one of the same recording")
    func expired() throws {
        let file = try file()
        try file.begin(from: 0, sending: 1000).socket.close()
        try server().sql("UPDATE recording_files SET expires_at = now() WHERE object_key = '\(file.objectKey)'")
        #expect(try file.append(0..<1000, isLast: false).verdict == "410 upload-not-active")
        #expect(try file.answer("HEAD").status == 410)
        #expect(try file.answer("HEAD", [("Upload-Draft-Interop-Version", "6")]).status == 404)
        let again = try FileOnItsWay(file.device, file.bytes, id: file.id)
        #expect(again.url != file.url)
        #expect(try again.answer("PUT", [], again.bytes).status == 201)
        #expect(try again.isStored(server()))
        #expect(try file.answer("HEAD").status == 404)
    }

    @Test("A transfer that outlasts its upload ends at once, and the next upload URL takes its place")
    func expiresMeanwhile() throws {
        let file = try file(1_000_000)
        let time = "expires_at = now() + interval '\(Patience.ms(1500)) ms'"
        try server().sql("UPDATE recording_files SET \(time) WHERE object_key = '\(file.objectKey)'")
        let connection = try file.begin(from: 0, sending: 1000)
        #expect(try connection.readResponse().status == 104)
        let socket = try #require(connection.socket as? RawSocket)
        try Deadline.wait("the answer", seconds: 30) {
            // A server that has closed would reset the connection, and with it the answer.
            if !socket.hasInput { try? connection.send([UInt8](repeating: 7, count: 100)) }
            return socket.hasInput
        }
        #expect(try FileOnItsWay.answers(connection).last?.verdict == "410 upload-not-active")
        let stage = "SELECT upload FROM recording_files WHERE object_key = '\(file.objectKey)'"
        #expect(try server().sql(stage) == ["open"], "the clock may be wrong")
        #expect(try file.answer("HEAD").status == 410)
        let again = try FileOnItsWay(file.device, file.bytes, id: file.id)
        #expect(try again.sendRest().status == 201)
        #expect(try again.isStored(server()))
    }

    @Test("A transfer goes on past its upload's first lifetime after a request for the same upload URL")
    func prolonged() throws {
        let file = try file(1_000_000)
        let place = "WHERE object_key = '\(file.objectKey)'"
        let time = "now() + interval '\(Patience.ms(2000)) ms'"
        let end = try server().sql("UPDATE recording_files SET expires_at = \(time) \(place) RETURNING expires_at")[0]
        let connection = try file.begin(from: 0, sending: 1000)
        #expect(try connection.readResponse().status == 104)
        #expect(try FileOnItsWay(file.device, file.bytes, id: file.id).url == file.url)
        try Deadline.wait("the end of the first lifetime", seconds: 20) {
            try server().sql("SELECT now() > '\(end)'") == ["t"]
        }
        try connection.send(Array(file.bytes[1000...]))
        #expect(try FileOnItsWay.answers(connection).last?.status == 201)
        #expect(try file.isStored(server()))
    }

    @Test("A complete upload's URL lives one more lifetime, or until its recording is completed")
    func completeExpires() throws {
        let file = try file(1000)
        func pass(_ time: String) throws {
            let columns = "asked_at = asked_at - interval '\(time)', expires_at = expires_at - interval '\(time)'"
            try server().sql("UPDATE recording_files SET \(columns) WHERE object_key = '\(file.objectKey)'")
        }
        try pass("6 days")
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        try pass("2 days")
        #expect(try file.answer("HEAD").status == 204)
        // A new upload of the account ends its expired uploads.
        #expect(try file.device.openUpload(UUID().uuidString).status == 200)
        #expect(try file.isStored(server()))
        try pass("6 days")
        #expect(try file.answer("HEAD").status == 410)
        #expect(try file.answer("PUT", [], file.bytes).verdict == "410 upload-not-active")
        #expect(try file.append(1000..<1000, isLast: true).verdict == "410 upload-not-active")
        #expect(try file.isStored(server()), "the recording stays")
    }
}
