import NeuroViewsCrypto
import Testing

@Suite("Header fields signed by version 3")
struct SignedFieldsTests {
    private static let digest = SHA256.hash([])

    private func lines(_ fields: [(String, String)]) throws -> [String] {
        let signed = try #require(SignedFields(fields.map { (name: $0.0, value: $0.1) }))
        let request = RequestSignature(
            version: .three(signed, bodyDigest: Self.digest),
            method: "PUT",
            url: "https://h/v2/x",
            timestamp: "1",
            nonce: "n"
        )
        let text = String(decoding: try #require(request).message, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("A version 3 message has eleven lines for any fields, so it differs from other versions'")
    func order() throws {
        let all = [
            ("Prefer", "f"), ("IDEMPOTENCY-KEY", "e"), ("if-none-match", "d"), ("If-Match", "c"),
            ("Content-Encoding", "b"), ("Content-Type", "a"), ("X-Other", "x"),
        ]
        let head = ["PUT", "https://h/v2/x", "1", "n"]
        let last = [Base64.padded.encode(Self.digest)]
        #expect(try lines(all) == head + ["a", "b", "c", "d", "e", "f"] + last)
        #expect(try lines([]) == head + ["", "", "", "", "", ""] + last)
        #expect(try lines([all[3]]) == head + ["", "", "c", "", "", ""] + last)
    }

    @Test("Signed field values are trimmed, and those of repeated fields joined in their order")
    func values() throws {
        #expect(
            try lines([("Prefer", " \tmerge\t "), ("prefer", "a,b "), ("PREFER", "a  b")])[9] == "merge, a,b, a  b"
        )
    }

    @Test("A field with an empty value or a line feed can't be signed")
    func refused() {
        for value in ["", " ", "\t", "a\nb", "\n"] {
            for name in SignedFields.names { #expect(SignedFields([(name: name, value: value)]) == nil) }
        }
        #expect(SignedFields([(name: "x-other", value: "")]) != nil)
    }

    @Test("Any changed, added, removed or renamed field changes the signed message")
    func distinct() throws {
        let names = SignedFields.names
        let values = names.map { ($0, "v") }
        var messages = [try lines(values), try lines([])]
        for index in names.indices {
            var (changed, removed) = (values, values)
            changed[index].1 = "w"
            removed.remove(at: index)
            messages += [try lines(changed), try lines(removed), try lines([values[index]])]
        }
        #expect(Set(messages).count == messages.count)
    }
}
