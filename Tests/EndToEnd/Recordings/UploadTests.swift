import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Resumable uploads", .blocking)
struct UploadTests {
    private func server() throws -> ServerProcess { try Shared.server.get() }

    private func file(_ count: Int = 300_000, _ more: String = "") throws -> FileOnItsWay {
        try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(count), more)
    }

    @Test("curl uploads with a 104, a cut, a query of the offset and a continuation", arguments: [6, 8])
    func curl(version: Int) throws {
        let file = try file(6_000_000)
        let folder = Sandbox.makeFolder()
        try Data(file.bytes).write(to: URL(fileURLWithPath: folder + "/file"))
        let draft = ["curl", "-sS", "-i", "-H", "Upload-Draft-Interop-Version: \(version)", file.url]
        let cut = try Program.run(
            draft + ["-T", folder + "/file", "-H", "Upload-Complete: ?1", "--limit-rate", "600K", "-m", "4"]
        )
        #expect(cut.status == 28, "curl's own time limit")
        #expect(cut.output.contains("HTTP/1.1 104 Upload Resumption Supported"))
        #expect(cut.output.contains("Location: \(file.url)"))
        #expect(try file.device.complete(file.id, Device.movie).verdict == "409 upload-incomplete")

        let head = try Program.run(draft + ["-I"])
        #expect(head.output.contains("HTTP/1.1 204"))
        #expect(head.output.contains("Upload-Complete: ?0"))
        let offset = try #require(head.output.firstMatch(of: /Upload-Offset: (\d+)/).flatMap { Int($0.1) })
        #expect((1..<file.bytes.count).contains(offset))
        let again = try file.device.openUpload(file.id, bytes: file.bytes.count)
        #expect(again.int("upload_offset") == offset)
        #expect(again.string("location") == file.url)

        try Data(file.bytes[offset...]).write(to: URL(fileURLWithPath: folder + "/rest"))
        let patch = try Program.run(
            draft + [
                "-X", "PATCH", "-H", "Upload-Offset: \(offset)", "-H", "Upload-Complete: ?1",
                "-H", "Content-Type: application/partial-upload", "--data-binary", "@\(folder)/rest",
            ]
        )
        #expect(patch.output.contains("HTTP/1.1 201"))
        #expect(patch.output.contains("Upload-Complete: ?1"))
        #expect(try file.isStored(server()))
        #expect(try Program.run(draft + ["-I"]).output.contains("Upload-Complete: ?1"))
    }

    @Test("A client without resumption sends the file in one request")
    func plain() throws {
        let file = try file()
        let folder = Sandbox.makeFolder()
        try Data(file.bytes).write(to: URL(fileURLWithPath: folder + "/file"))
        let put = try Program.run(["curl", "-sS", "-i", "-T", folder + "/file", file.url])
        #expect(put.output.contains("HTTP/1.1 201"))
        #expect(!put.output.contains("HTTP/1.1 104"))
        #expect(try file.isStored(server()))
        #expect(try file.answer("PUT", [], file.bytes).status == 201, "again: the stored answer")
    }

    @Test("A client without resumption starts over after a cut, and old bytes count only if they agree")
    func plainAgain() throws {
        let file = try file()
        let connection = try RawHTTP(port: file.port)
        try connection.send("PUT", file.target, fields: [("Content-Length", "\(file.bytes.count)")])
        try connection.send(Array(repeating: 7, count: 100_000))
        connection.socket.close()
        // A busy server may see the cut request behind the next one, which it then cuts off: the client sends it again.
        let next = try? file.answer("PUT", [], file.bytes)
        #expect(try (next ?? file.answer("PUT", [], file.bytes)).status == 201)
        #expect(try file.isStored(server()))
    }

    @Test("A client with interop version 3, like iOS 17, uploads a file")
    func version3() throws {
        let file = try file()
        let draft = [("Upload-Draft-Interop-Version", "3")]
        let created = try file.ask("POST", draft + [("Upload-Incomplete", "?1")], Array(file.bytes[..<100_000]))
        #expect(created.map(\.status) == [104, 201])
        #expect(created[0]["Location"] == file.url)
        #expect(created[1]["Upload-Incomplete"] == "?1")
        let head = try file.answer("HEAD", draft)
        #expect(head["Upload-Offset"] == "100000")
        #expect(head["Upload-Incomplete"] == "?1")
        let fields = draft + [("Upload-Offset", "100000"), ("Upload-Incomplete", "?0")]
        let last = try file.answer("PATCH", fields, Array(file.bytes[100_000...]))
        #expect(last.status == 201)
        #expect(last["Upload-Incomplete"] == "?0")
        #expect(try file.isStored(server()))
    }

    @Test("Each part of an upload is acknowledged when it is stored, and the last one completes it")
    func parts() throws {
        let file = try file()
        let first = FileOnItsWay.draft + [("Upload-Complete", "?0"), ("Upload-Length", "\(file.bytes.count)")]
        let created = try file.ask("POST", first, Array(file.bytes[..<1000]))
        #expect(created.map(\.status) == [104, 201])
        #expect(try file.append(1000..<200_000, isLast: false).status == 204)
        #expect(try file.append(1000..<200_000, isLast: false).verdict == "409 mismatching-upload-offset")
        let last = try file.append(200_000..<300_000, isLast: true)
        #expect(last.status == 201)
        #expect(last["Upload-Offset"] == "300000")
        #expect(try file.append(300_000..<300_000, isLast: true).status == 201, "again: the stored answer")
        #expect(try file.isStored(server()))
    }

    @Test("An upload is complete when the client declares it, not when all bytes are stored")
    func lastWord() throws {
        let file = try file(5000)
        let fields = FileOnItsWay.draft + [("Upload-Complete", "?0")]
        #expect(try file.answer("POST", fields, file.bytes).status == 201)
        #expect(try file.answer("HEAD")["Upload-Complete"] == "?0")
        let early = try file.device.complete(file.id, Device.movie)
        #expect(early.verdict == "409 upload-incomplete")
        #expect(early.string("detail").contains("PATCH") && early.string("detail").contains("Upload-Complete: ?1"))
        #expect(try file.append(5000..<5000, isLast: true).status == 201)
        #expect(try file.isStored(server()))
    }

    @Test("An upload token that this server did not make gets 404")
    func tokens() throws {
        let file = try file()
        let parts = file.token.split(separator: ".").map(String.init)
        let (other, proof) = (String(repeating: "0", count: 32), parts[2])
        let changed = (proof.first == "A" ? "B" : "A") + proof.dropFirst()
        for token in [
            "\(parts[0]).\(parts[1]).\(changed)", "\(other).\(parts[1]).\(proof)", "\(parts[0]).00000000.\(proof)",
            parts[0], "\(parts[0]).\(parts[1])", "\(file.token).x", "\(parts[0]).\(parts[1]).", "..",
        ] {
            for method in ["PUT", "PATCH", "DELETE", "OPTIONS"] {
                let answer = try file.device.client.send(method, "/v2/uploads/\(token)")
                Problems.check(answer, "404 not-found")
            }
            #expect(try file.device.client.send("HEAD", "/v2/uploads/\(token)").status == 404)
        }
        #expect(try file.offset() == 0)
    }

    @Test("The log has no upload URL")
    func log() throws {
        let file = try file()
        #expect(try file.offset() == 0)
        try Deadline.wait("the request in the log", seconds: 10) { try server().log.contains(file.objectKey) }
        #expect(try !server().log.contains(file.token))
    }

    @Test("More bytes than the file's length are refused before they are read, or fail the upload")
    func tooMany() throws {
        let file = try file(1000)
        #expect(try file.answer("PUT", [], file.bytes + [0]).verdict == "400 inconsistent-upload-length")
        let length = [("Upload-Complete", "?0"), ("Upload-Length", "1001")]
        #expect(try file.answer("POST", FileOnItsWay.draft + length, []).verdict == "400 inconsistent-upload-length")
        #expect(try file.offset() == 0)
        let connection = try RawHTTP(port: file.port)
        try connection.send("PUT", file.target, fields: [("Transfer-Encoding", "chunked")])
        try connection.send("3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n1\r\nx\r\n0\r\n\r\n")
        #expect(try FileOnItsWay.answers(connection).last?.verdict == "400 inconsistent-upload-length")
        #expect(try file.append(0..<1000, isLast: true).verdict == "410 upload-not-active")
        #expect(try file.uploadBytes(server()) == 0)
    }

    @Test("Fewer bytes than the file's length leave the upload incomplete and resumable")
    func tooFew() throws {
        let file = try file(1000)
        #expect(try file.answer("PUT", [], Array(file.bytes.dropLast())).verdict == "400 inconsistent-upload-length")
        let connection = try RawHTTP(port: file.port)
        try connection.send("PUT", file.target, fields: [("Transfer-Encoding", "chunked")])
        try connection.send(Array("1f4\r\n".utf8) + file.bytes[..<500] + Array("\r\n0\r\n\r\n".utf8))
        #expect(try FileOnItsWay.answers(connection).last?.verdict == "400 inconsistent-upload-length")
        #expect(try file.offset() == 500)
        #expect(try file.sendRest().status == 201)
        #expect(try file.isStored(server()))
    }

    @Test("An upload with compressed content is refused")
    func packed() throws {
        let file = try file(1000)
        let refused = try file.answer("PUT", [("Content-Encoding", "gzip")], file.bytes)
        #expect(refused.verdict == "415 unsupported-content-coding")
        #expect(refused["Accept-Encoding"] == "identity")
        #expect(try file.append(0..<10, isLast: false, [("Content-Encoding", "gzip")]).status == 415)
        #expect(try file.offset() == 0)
    }

    @Test("A cancelled upload gets 404, and its bytes and its reserved room are freed")
    func cancelled() throws {
        let file = try file()
        #expect(try file.append(0..<1000, isLast: false).status == 204)
        #expect(try file.answer("DELETE").status == 204)
        #expect(try file.answer("DELETE").status == 404)
        #expect(try file.answer("HEAD").status == 404)
        #expect(try file.uploadBytes(server()) == 0)
        #expect(try server().sql("SELECT 1 FROM recording_files WHERE object_key = '\(file.objectKey)'") == [])

        let other = try FileOnItsWay(file.device, file.bytes, id: file.id)
        let connection = try other.begin(from: 0, sending: 100_000)
        #expect(try connection.readResponse().status == 104)
        #expect(try other.device.deleteRecording(other.id).status == 200)
        #expect(throws: (any Error).self) { try connection.readResponse() }
        #expect(try other.answer("HEAD").status == 404)
        try Deadline.wait("the file to go", seconds: 10) {
            try !FileManager.default.fileExists(atPath: other.uploadPath(server()))
        }
    }

    @Test("A complete upload can't be changed or cancelled")
    func completed() throws {
        let file = try file(1000)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(try file.answer("DELETE").verdict == "400 completed-upload")
        #expect(try file.answer("PUT", [], Array(file.bytes.dropLast())).status == 400)
        let late =
            FileOnItsWay.draft + [
                ("Upload-Offset", "1000"), ("Upload-Complete", "?1"), ("Content-Type", "application/partial-upload"),
            ]
        #expect(try file.answer("PATCH", late, [1]).status == 400)
        #expect(try file.isStored(server()))
    }

    @Test("A file sent again after a lost answer gets the same answer, and another file is refused")
    func repeated() throws {
        let file = try file()
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        // The server can't send a 104 to a client of an unknown draft version.
        let complete = [("Upload-Draft-Interop-Version", "99"), ("Upload-Complete", "?1")]
        for fields in [[], complete] {
            #expect(try file.answer("PUT", fields, file.bytes).status == 201)
            for changed in [0, file.bytes.count / 2, file.bytes.count - 1] {
                var other = file.bytes
                other[changed] ^= 1
                #expect(try file.answer("PUT", fields, other).verdict == "409 completed-upload")
            }
        }
        #expect(try file.chunked("PUT", [], file.bytes).status == 201)
        #expect(try file.chunked("PUT", [], file.bytes.dropLast()).verdict == "409 completed-upload")
        #expect(try file.chunked("PUT", [], file.bytes + [0]).verdict == "409 completed-upload")
        #expect(try file.isStored(server()))
    }

    @Test("A client that restarts a complete upload learns from HEAD that it is complete")
    func begunAgain() throws {
        let file = try file(6_000_000)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        let connection = try file.begin(from: 0, sending: 0)
        let offer = try connection.readResponse()
        #expect(offer.status == 104)
        #expect(offer["Location"] == file.url)
        #expect(throws: (any Error).self) { try connection.readResponse() }
        let head = try file.answer("HEAD")
        #expect(head["Upload-Complete"] == "?1" && head["Upload-Offset"] == "6000000")
        #expect(try file.append(6_000_000..<6_000_000, isLast: true).status == 201)
    }

    @Test("An empty chunked append to a complete upload gets the stored answer")
    func emptyChunks() throws {
        let file = try file(1000)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        let fields =
            FileOnItsWay.draft + [
                ("Upload-Offset", "1000"), ("Upload-Complete", "?1"), ("Content-Type", "application/partial-upload"),
            ]
        let again = try file.chunked("PATCH", fields, [])
        #expect(again.status == 201 && again["Upload-Offset"] == "1000")
        #expect(try file.chunked("PATCH", fields, [1]).verdict == "400 completed-upload")
    }

    @Test("A file that is sent again gives way to a newer request")
    func repeatedHangs() throws {
        let file = try file(6_000_000)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        let hanging = try RawHTTP(port: file.port)
        let fields = [("Content-Length", "6000000"), ("Expect", "100-continue")]
        try hanging.send("PUT", file.target, fields: fields)
        #expect(try hanging.readResponse().status == 100)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(throws: (any Error).self) { try FileOnItsWay.answers(hanging) }
    }

    @Test("OPTIONS describes an upload without disturbing it")
    func options() throws {
        let file = try file()
        let connection = try file.begin(from: 0, sending: 1000)
        #expect(try connection.readResponse().status == 104)
        let answer = try file.answer("OPTIONS", [])
        #expect(answer.status == 204)
        #expect(answer["Upload-Limit"]?.hasPrefix("max-size=300000") == true)
        #expect(answer["Tus-Version"] == "1.0.0")
        try connection.send(Array(file.bytes[1000...]))
        #expect(try FileOnItsWay.answers(connection).last?.status == 201)
        #expect(try file.isStored(server()))
    }
}
