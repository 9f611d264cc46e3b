import NeuroViewsCrypto
import NeuroViewsJSON
import TestSupport
import Testing

@testable import CloudSync

/// The rules of "Sealed recordings" in docs/client.md that a server can check.
@Suite("Sealed recordings")
struct SealedRecordingTests {
    private static let wrappedKey = Base64.padded.encode([UInt8](repeating: 7, count: 60))
    private static let time = #""creation_date":"2026-03-01T12:00:00Z""#

    /// A request for a sealed recording. `change` replaces a member of its envelope, or adds one.
    private static func wish(_ change: (name: String, value: String)? = nil, type: String? = nil) throws -> UploadWish {
        let text =
            #"{"scheme":"tink-aes256-gcm-hkdf-1mb","version":1,"segment_size":1048576,"nonce_prefix":"","#
            + #""key_id":"0123456789abcdef","wrapped_key":"\#(wrappedKey)"}"#
        var envelope = try #require(try parsed(text).object)
        if let change { envelope.set(change.name, to: try parsed(change.value)) }
        var wish = UploadWish(size: 56, contentType: type ?? "application/octet-stream")
        wish.encryption = .object(envelope)
        return wish
    }

    private static let rules: @Sendable (JSONValue) throws(CloudSyncError) -> RecordingMetadata = {
        value throws(CloudSyncError) in try RecordingMetadata(value)
    }

    private static func parsed(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
    }

    private static func box(bytes: Int) -> String { Base64.padded.encode([UInt8](repeating: 1, count: bytes)) }

    private static let envelopeRows: [(String, String, String?)] = [
        ("version", "1", nil), ("version", "1.0", nil), ("added", "[1.50]", nil),
        ("segment_size", "1048576.0", nil),
        ("wrapped_key", #""\#(box(bytes: 59))""#, "/encryption/wrapped_key format"),
        ("wrapped_key", #""\#(box(bytes: 61))""#, "/encryption/wrapped_key format"),
        ("wrapped_key", #""\#(wrappedKey.dropLast())-""#, "/encryption/wrapped_key format"),
        ("key_id", #""0123456789abcde""#, "/encryption/key_id pattern"),
        ("key_id", #""0123456789ABCDEF""#, "/encryption/key_id pattern"),
        ("key_id", #""0123456789abcdefa""#, "/encryption/key_id pattern"),
        ("nonce_prefix", #""AAAAAAAAAA==""#, "/encryption/nonce_prefix const"),
        ("segment_size", "1048575", "/encryption/segment_size const"),
    ]

    @Test("An envelope that its key could not open is refused with the member's pointer", arguments: envelopeRows)
    func envelopes(name: String, value: String, violation: String?) throws {
        let found = SealedRecording.violations(of: try Self.wish((name, value)))
        #expect(found.map { "\($0.pointer) \($0.keyword)" } == [violation].compactMap { $0 })
    }

    @Test("A sealed upload has a neutral type, room for a tag, and no configuration")
    func requests() throws {
        var wish = try Self.wish(type: "video/quicktime")
        wish.size = 55
        wish.configuration = ("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", nil)
        let found = SealedRecording.violations(of: wish)
        #expect(found.map(\.pointer) == ["/content_type", "/file_size", "/configuration_id"])
    }

    @Test(
        "Envelopes of other schemes and versions pass with any members and details in the clear",
        arguments: [("scheme", #""aes""#), ("version", "2")]
    )
    func opaque(name: String, value: String) throws {
        var wish = try Self.wish((name, value), type: "video/quicktime")
        wish.configuration = ("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", nil)
        #expect(SealedRecording.violations(of: wish).isEmpty)
        let metadata = try RecordingMetadata(try Self.parsed(#"{\#(Self.time),"filename":"A.mov"}"#))
        #expect(SealedRecording.violations(ofNew: metadata, in: wish.encryption).isEmpty)
        #expect(SealedRecording.violations(ofNew: metadata, in: nil).isEmpty)
    }

    private static let metadataRows: [(String, [String])] = [
        (#""sealed_metadata":"\#(box(bytes: 58))""#, []), (#""sealed_metadata":"\#(box(bytes: 12288))""#, []),
        (#""sealed_metadata":null,"filename":null,"tags":null"#, []),
        (#""filename":"2026-03-01T12-00-00Z.bin","device_model":"","custom_tags":{}"#, []),
        (#""camera_position":"unspecified","created_at":"2026-03-01T12:00:00.5Z","sha256":"x""#, []),
        (#""sealed_metadata":"\#(box(bytes: 57))""#, ["/metadata/sealed_metadata format"]),
        (#""sealed_metadata":"{}""#, ["/metadata/sealed_metadata format"]),
        (#""filename":"A.mov","duration":1"#, ["/metadata/filename sealed", "/metadata/duration sealed"]),
        (#""custom_tags":{"a":"b"},"a/b":1"#, ["/metadata/custom_tags sealed", "/metadata/a~1b sealed"]),
    ]

    @Test(
        "Details of a sealed recording in the clear are refused, but for the values that the server shows",
        arguments: metadataRows
    )
    func metadata(members: String, violations: [String]) throws {
        let metadata = try RecordingMetadata(try Self.parsed("{\(Self.time),\(members)}"))
        let found = SealedRecording.violations(ofNew: metadata, in: try Self.wish().encryption)
        #expect(found.map { "\($0.pointer) \($0.keyword)" } == violations)
    }

    @Test("A sealed recording shows nothing of its device, and no write adds details in the clear")
    func stored() async throws {
        try await JobFixture.with(tools: { fatalError("nothing is to be started") }) { fixture in
            let (world, caller, id) = (fixture.world, try await fixture.world.newAccount()[0], JobFixture.newID())
            let service = world.recordings[0]
            let phone = DeviceDescription(name: "Phone", model: "iPhone17,1", appVersion: "3.2.0")
            let devices = DeviceService(database: world.databases[0], now: { 0 })
            _ = try await devices.put("device-1", phone, for: caller)
            var wish = try Self.wish()
            wish.size = 55
            let short = wish
            await #expect(throws: CloudSyncError.self) { try await service.upload(id, short, for: caller) }
            let key = try await fixture.open(id, try Self.wish(), caller)
            try await fixture.disk.put([UInt8](repeating: 0, count: 56), as: key)
            try await fixture.completeUpload(id)
            // Its metadata has a name.
            await #expect(throws: CloudSyncError.self) { try await fixture.complete(id, caller) }
            let members = #"{\#(Self.time),"sealed_metadata":"\#(Self.box(bytes: 58))"}"#
            let metadata = try RecordingMetadata(try Self.parsed(members))
            _ = try await service.complete(id, metadata, for: caller).get()
            try await fixture.runAll()
            let (document, version) = try await fixture.document(id, caller)
            #expect(document["processing_status"]?.string == "ready" && document["probe"] == .null)
            #expect(document["filename"]?.string == "2026-03-01T12-00-00Z.bin")
            #expect(document["device_model"]?.string == "" && document["app_version"]?.string == "")
            func patch(_ text: String) async throws -> Int {
                let (patch, conditions) = (try MergePatch(text: text), WriteConditions())
                let written = try await service.patch(id, patch, conditions, by: Self.rules, for: caller)
                return try written.get().version.number
            }
            await #expect(throws: CloudSyncError.self) { try await patch(#"{"tags":["sea"]}"#) }
            #expect(try await patch(String(decoding: document.serialized(), as: UTF8.self)) == version)
            #expect(try await patch(#"{"sealed_metadata":"\#(Self.box(bytes: 90))","filename":null}"#) == version + 1)
            let model = try await fixture.document(id, caller).value["device_model"]?.string
            #expect(model == "")
        }
    }
}
