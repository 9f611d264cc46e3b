import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Uploads by tus 1.0", .blocking)
struct TusTests {
    private static let fields = [("Tus-Resumable", "1.0.0")]

    @Test(
        "tuspy uploads a file with a stop and a resumption",
        .needs(.python),
        arguments: [[], ["checksum"]]
    )
    func tuspy(words: [String]) throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(2_000_000))
        let path = Sandbox.makeFolder() + "/file"
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        func upload(_ start: String, to stop: Int) throws -> String {
            let program = [Tool.interpreter, Tool.script("tus-upload")]
            let run = try Program.run(program + [file.url, path, start, "\(stop)"] + words)
            return run.output + run.complaint
        }
        #expect(try upload("new", to: 700_000) == "True 700000\n")
        #expect(try file.device.complete(file.id, Device.movie).verdict == "409 upload-incomplete")
        #expect(try file.answer("HEAD", Self.fields)["Upload-Offset"] == "700000")
        #expect(try upload("resume", to: 1_300_000) == "True 1300000\n")
        #expect(try upload("resume", to: 2_000_000) == "True 2000000\n")
        #expect(try file.isStored(Shared.server.get()))
    }

    private static func sha1(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digest = SHA1()
        digest.update(bytes.span)
        return digest.digest()
    }

    private func patch(_ file: FileOnItsWay, _ range: Range<Int>, _ more: APIClient.Fields = []) throws -> RawResponse {
        let type = ("Content-Type", "application/offset+octet-stream")
        let fields = Self.fields + [type, ("Upload-Offset", "\(range.lowerBound)")]
        return try file.answer("PATCH", fields + more, Array(file.bytes[range]))
    }

    @Test("A tus upload is created, queried, appended with a checksum and completed by its last byte")
    func steps() throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        let created = try file.answer("POST", Self.fields + [("Upload-Length", "1000")], [])
        #expect(created.status == 201)
        #expect(created["Location"] == file.url)
        #expect(created["Tus-Resumable"] == "1.0.0")
        let wrong = ("Upload-Checksum", "sha1 \(Base64.padded.encode(Self.sha1([1])))")
        #expect(try patch(file, 0..<400, [wrong]).verdict == "460 digest-mismatched-values")
        let right = ("Upload-Checksum", "sha1 \(Base64.padded.encode(Self.sha1(file.bytes[..<400])))")
        #expect(try patch(file, 0..<400, [right]).status == 204)
        #expect(try patch(file, 0..<400).verdict == "409 mismatching-upload-offset")
        let head = try file.answer("HEAD", Self.fields)
        #expect(head.status == 200)
        #expect(head["Upload-Offset"] == "400")
        #expect(head["Upload-Length"] == "1000")
        #expect(head.fields.filter { $0.name == "Cache-Control" }.map(\.value) == ["no-store"])
        let last = try patch(file, 400..<1000)
        #expect(last.status == 204)
        #expect(last["Upload-Offset"] == "1000")
        #expect(try file.isStored(Shared.server.get()))
    }

    @Test("Creating a complete tus upload again returns the same URL, and empty chunks add nothing")
    func again() throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        #expect(try patch(file, 0..<1000).status == 204)
        let created = try file.answer("POST", Self.fields + [("Upload-Length", "1000")], [])
        #expect(created.status == 201)
        #expect(created["Location"] == file.url)
        #expect(created["Upload-Offset"] == "1000")
        let type = ("Content-Type", "application/offset+octet-stream")
        let part = Self.fields + [type, ("Upload-Offset", "1000")]
        #expect(try file.chunked("PATCH", part, []).status == 204)
        #expect(try file.chunked("PATCH", part, [1]).verdict == "400 completed-upload")
        let whole = Self.fields + [type, ("Upload-Length", "1000")]
        #expect(try file.answer("POST", whole, file.bytes).status == 201)
        #expect(try file.answer("POST", whole, file.bytes.reversed()).verdict == "409 completed-upload")
        #expect(try file.answer("POST", whole, Array(file.bytes[..<1])).verdict == "400 completed-upload")
        #expect(try file.isStored(Shared.server.get()))
    }

    @Test("HEAD completes a tus upload whose last byte was stored before a crash")
    func lastMoment() throws {
        let server = try Shared.server.get()
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        // In the other dialects the upload is not complete yet.
        let fields = FileOnItsWay.draft + [("Upload-Complete", "?0")]
        #expect(try file.answer("POST", fields, file.bytes).status == 201)
        #expect(try file.answer("HEAD", Self.fields)["Upload-Offset"] == "1000")
        #expect(try file.isStored(server))
    }

    @Test("tus requests of another version, length or type are refused, and DELETE may be an override")
    func refused() throws {
        let file = try FileOnItsWay(Shared.newDevice(), FileOnItsWay.random(1000))
        let old = try file.answer("HEAD", [("Tus-Resumable", "0.2.2")])
        #expect(old.status == 412)
        #expect(old["Tus-Version"] == "1.0.0")
        let other = try file.answer("POST", Self.fields + [("Upload-Length", "999")], [])
        #expect(other.verdict == "400 inconsistent-upload-length")
        let typed = Self.fields + [("Upload-Offset", "0"), ("Content-Type", "text/plain")]
        #expect(try file.answer("PATCH", typed, [1]).verdict == "415 unsupported-media-type")
        let override = Self.fields + [("X-HTTP-Method-Override", "DELETE")]
        #expect(try file.answer("POST", override, []).status == 204)
        #expect(try file.answer("HEAD", Self.fields).status == 404)
    }
}
