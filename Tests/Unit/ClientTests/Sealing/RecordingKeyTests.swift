import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import NeuroViewsClient

/// The known answers are those of docs/client.md.
@Suite("Keys for recordings", .blocking)
struct RecordingKeyTests {
    private static let text = "AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQTCQKRMFYYDENBWHA5DYPWJFWT"
    private static let envelope = Given.json(
        #"""
        {"scheme":"tink-aes256-gcm-hkdf-1mb","version":1,"segment_size":1048576,"nonce_prefix":"","key_id":"6452ac6e1d371b91",
        "wrapped_key":"QEFCQ0RFRkdISUpLwpiMAAIZoSTl7T0dt0k9dEn3YG+DADkUT3503qsu0+Tvmh1qNiYdjH1GsHJAA9HP","later":true}
        """#
    )

    private static func id() throws -> UUID { try #require(UUID(uuidString: "6F9619FF-8B86-4D11-B42D-00C04FC964FF")) }

    private func keyring(_ folder: String) throws -> RecordingKeyring {
        RecordingKeyring(FileSecretStore(folder: folder + "/secrets"), name: "recordings_a", lock: folder + "/key.lock")
    }

    @Test("A key is the text and the id of the contract, in any spelling")
    func knownAnswer() throws {
        let key = try RecordingKey(Self.text)
        #expect(key.bytes == (0..<32).map { UInt8($0) } && key.id == "6452ac6e1d371b91")
        #expect(key.text == "AAAQ-EAYE-AUDA-OCAJ-BIFQ-YDIO-B4IB-CEQT-CQKR-MFYY-DENB-WHA5-DYPW-JFWT")
        #expect(try RecordingKey("  " + key.text.lowercased().replacing("-", with: " ") + "\n") == key)
        #expect("\(key)" == "RecordingKey 6452ac6e1d371b91")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("bytes"))
    }

    @Test("A key with a wrong, missing or further character is refused")
    func mistyped() throws {
        let digits = Array(Self.text)
        for index in digits.indices {
            var wrong = digits
            wrong[index] = digits[index] == "A" ? "B" : "A"
            #expect(throws: SealingError.mistypedKey) { try RecordingKey(String(wrong)) }
        }
        for text in ["", String(digits.dropLast()), Self.text + "A", Self.text.replacing("A", with: "0")] {
            #expect(throws: SealingError.mistypedKey) { try RecordingKey(text) }
        }
    }

    @Test("An envelope of the contract opens with its key, and with no other key or recording")
    func envelope() throws {
        let (envelope, key) = (try RecordingEnvelope(Self.envelope), try RecordingKey(Self.text))
        let other = try RecordingKey()
        let fileKey = try envelope.fileKey(of: Self.id(), by: [other, key])
        #expect(fileKey == (32..<64).map { UInt8($0) })
        #expect(throws: SealingError.keyMissing(id: key.id)) { try envelope.fileKey(of: Self.id(), by: [other]) }
        #expect(throws: SealingError.wrongKey(id: key.id)) { try envelope.fileKey(of: UUID(), by: [key]) }
        let made = try RecordingEnvelope(fileKey, of: Self.id(), by: key)
        #expect(try RecordingEnvelope(made.json).fileKey(of: Self.id(), by: [key]) == fileKey)
        #expect(made.wrappedKey != envelope.wrappedKey && made.wrappedKey.count == 80)
    }

    @Test(
        "An envelope of a newer app is named",
        arguments: [("scheme", "\"x\""), ("version", "2"), ("segment_size", "4096"), ("nonce_prefix", "\"AA==\"")]
    )
    func newer(member: String, value: String) throws {
        var json = try #require(Self.envelope.object)
        json.set(member, to: Given.json(value))
        let error = #expect(throws: SealingError.self) { try RecordingEnvelope(.object(json)) }
        guard case .newerScheme = error else { throw Program.Failure("\(String(describing: error))") }
    }

    @Test("The key that was added last seals, and the others still open")
    func ring() throws {
        let folder = Sandbox.makeFolder()
        let ring = try keyring(folder)
        #expect(try ring.keys().isEmpty)
        #expect(throws: ClientError.sealing(.noKey)) { try ring.sealing() }
        let keys = [try RecordingKey(), try RecordingKey()]
        for key in keys + [keys[0]] { try ring.add(key) }
        #expect(try keyring(folder).keys() == keys)
        #expect(try ring.sealing() == keys[0])
        try ring.removeAll()
        #expect(try ring.keys().isEmpty)
        try FileSecretStore(folder: folder + "/secrets").write("recordings_a", [1, 2, 3])
        #expect(throws: ClientError.self) { try ring.keys() }
    }
}
