import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

/// A sealed recording, from its upload URL to its lists. CloudSyncTests has the rules in detail.
@Suite("Sealed uploads", .blocking)
struct SealedUploadTests {
    private static let envelope =
        #"{"scheme":"tink-aes256-gcm-hkdf-1mb","version":1,"segment_size":1048576,"nonce_prefix":"","#
        + #""key_id":"6452ac6e1d371b91","wrapped_key":"\#(Base64.padded.encode([UInt8](repeating: 7, count: 60)))"}"#
    private static let time = #""creation_date":"2026-03-01T12:00:00Z""#

    private static func request(_ envelope: String) -> String {
        #"{"file_size":1000,"content_type":"application/octet-stream","encryption":\#(envelope)}"#
    }

    private static func violations(_ answer: HTTPAnswer) -> [String] {
        let errors = answer.json["errors"] as? [[String: Any]] ?? []
        return errors.map { "\($0["pointer"] as? String ?? "?") \($0["keyword"] as? String ?? "?")" }
    }

    /// The files of the server, its log and its private cluster that have the text.
    private static func files(with text: String, _ server: ServerProcess) throws -> [String] {
        let search = ["grep", "--recursive", "--files-with-matches", "--fixed-strings", text, server.folder]
        let found = try Program.run(search)
        return found.output.split(separator: "\n").map(String.init)
    }

    @Test("A sealed recording shows size, type, time and key, and refused details reach no file of the server")
    func canary() throws {
        let (server, device, id) = (try Shared.server.get(), try Shared.newDevice(), UUID().uuidString)
        let refused = try device.askForUpload(id, Self.request(Self.envelope.replacing("6452ac6e", with: "6452AC6E")))
        Problems.check(refused, "422 invalid-document")
        #expect(Self.violations(refused) == ["/encryption/key_id pattern"])
        #expect(try device.askForUpload(id, Self.request(Self.envelope)).status == 200)
        try device.finishUpload(id, server)

        let mark = "canary\(UUID().uuidString.lowercased().filter { $0 != "-" })"
        let place = #"{"latitude":1,"longitude":2,"x":"\#(mark)"}"#
        let details = #""filename":"\#(mark).mov","tags":["\#(mark)"],"location":\#(place)"#
        let leak = try device.complete(id, "{\(Self.time),\(details)}")
        Problems.check(leak, "422 invalid-document")
        #expect(Self.violations(leak) == ["filename", "tags", "location"].map { "/metadata/\($0) sealed" })
        let box = Base64.padded.encode([UInt8](repeating: 1, count: 58))
        #expect(try device.complete(id, #"{\#(Self.time),"sealed_metadata":"\#(box)"}"#).status == 200)
        Problems.check(try device.patchRecording(id, "{\(details)}"), "422 invalid-document")

        let read = try device.recording(id)
        #expect(read.string("filename") == "2026-03-01T12-00-00Z.bin" && read.string("sealed_metadata") == box)
        #expect(read.raw("encryption") == Self.envelope)
        #expect(read.raw("tags") == nil && read.raw("location") == nil && read.raw("thumbnail_url") == "null")
        #expect(try device.recordings("state=pending").rawElements("recordings") == [read.text])
        #expect(try device.patchRecording(id, read.text).tag == read.tag, "a client may send it back")
        #expect(try Self.files(with: mark, server) == [])
        #expect(try !Self.files(with: box, server).isEmpty)
    }
}
