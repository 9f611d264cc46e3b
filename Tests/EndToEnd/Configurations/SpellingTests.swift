import Foundation
import TestSupport
import Testing

@Suite("Spellings of one document", .blocking)
struct SpellingTests {
    @Test("Answers keep the creator's spelling of an id, also after a PUT in another spelling")
    func identifiers() throws {
        let phone = try Shared.newDevice()
        let upper = Preset()
        var lower = upper.edited("Edited", minute: 5)
        lower.id = upper.id.lowercased()
        #expect(upper.id != lower.id)
        let created = try phone.post(upper.json)
        #expect(created.string("id") == upper.id)
        #expect(created.field("location")?.hasSuffix("/v2/configurations/\(upper.id)") == true)
        #expect(try phone.get(lower.id).text == upper.json)

        #expect(try phone.put(lower.id, lower.json, phone.ifMatch(1, of: lower.id)).status == 200)
        let expected = upper.edited("Edited", minute: 5).json
        #expect(try phone.get(lower.id).text == expected)
        #expect(try phone.put(upper.id, lower.json).version == 2)
        let pulled = try phone.pull()
        #expect(pulled.rawElements("configurations") == [expected])
        #expect(pulled.versionNumbers == [upper.id: 2])

        let conflict = try phone.post(Preset("Other", id: lower.id, minute: 9).json)
        #expect(conflict.verdict == "409 configuration-exists")
        #expect(conflict.raw("current") == expected)
        #expect(try phone.delete(lower.id).status == 200)
        let afterDelete = try phone.pull()
        #expect(afterDelete.rawElements("deleted") == ["\"\(upper.id)\""])
        #expect(afterDelete.versionNumbers == [upper.id: 3])
    }

    @Test("A POST in another spelling of the id is a retry")
    func retry() throws {
        let phone = try Shared.device()
        let preset = Preset(id: UUID().uuidString.lowercased())
        var upper = preset
        upper.id = preset.id.uppercased()
        let first = try phone.post(preset.json)
        let again = try phone.post(upper.json)
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(again.field("location")?.hasSuffix("/v2/configurations/\(preset.id)") == true)
    }

    /// Two texts for the member `x`; true if they make the same document.
    private static let pairs: [(String, String, Bool)] = [
        ("1.0", "1", true), ("1e2", "100", true), ("-0", "0", true), ("1.50", "15e-1", true),
        ("9007199254740992", "9007199254740993", false), ("0.1", "0.10000000000000001", false), ("1", "2", false),
        (#""é""#, #""\u00e9""#, true), (#""\/""#, #""/""#, true), (#""é""#, #""e\u0301""#, false),
        ("[1,2]", "[ 1, 2 ]", true), ("[1,2]", "[2,1]", false), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true),
        (#""1""#, "1", false), ("null", "false", false),
    ]

    @Test(
        "Documents that differ in spaces, member order, escapes or number spelling are equal",
        arguments: pairs
    )
    func equality(first: String, second: String, isSame: Bool) throws {
        let phone = try Shared.device()
        var preset = Preset(more: #","x":\#(first)"#)
        let answer = try phone.post(preset.json)
        #expect(answer.status == 201)
        preset.more = #" , "x" : \#(second)"#
        let again = try phone.post(preset.json)
        if isSame { #expect(again.body == answer.body) }
        #expect(again.verdict == (isSame ? "201" : "409 configuration-exists"))
        #expect(try phone.get(preset.id).text.contains(#","x":\#(first)}"#))
    }

    @Test("Documents that differ in the order of the outermost members are equal")
    func memberOrder() throws {
        let (phone, preset) = (try Shared.device(), Preset())
        #expect(try phone.post(preset.json).status == 201)
        let inner = preset.json.dropFirst(2).dropLast().split(separator: ",").reversed().joined(separator: ",")
        #expect(try phone.post("{\(inner)}").status == 201)
        #expect(try phone.get(preset.id).text == preset.json)
    }
}
