import Testing

@testable import NeuroViewsClient

@Suite("Members of a configuration by pointer")
struct ConfigurationPointerTests {
    @Test("A pointer reads any member")
    func read() {
        let configuration = Preset.stored()
        #expect(configuration["/lens/zoom"] == 1.5)
        #expect(configuration["/exposure_settings/bracket"] == [1, 0.1])
        #expect(configuration["/exposure_settings/bracket/0"] == nil)
        #expect(configuration["lens"] == nil)
        #expect(configuration[""] == configuration.document)
    }

    @Test("An assignment makes the objects on its way, and nil removes a member")
    func assign() {
        var configuration = Preset.stored(#"{"a":{"b":1}}"#)
        configuration["/focus/area/x~1y"] = 0.25
        configuration["/a/b"] = nil
        configuration["/missing/c"] = nil
        #expect(configuration.text == #"{"a":{},"focus":{"area":{"x/y":0.25}}}"#)
        #expect(configuration.pointers == ["/focus/area/x~1y", "/a/b", "/missing/c"])
        #expect(configuration.invalid == nil)
    }

    @Test("A value that means the same keeps its spelling")
    func same() {
        var configuration = Preset.stored()
        configuration["/exposure_settings/iso"] = 400
        configuration["/lens"] = ["zoom": 1.5]
        #expect(configuration.text == Preset.text)
        #expect(configuration.pointers == ["/exposure_settings/iso", "/lens"])
    }

    @Test(
        "A pointer to the document, its id or its time, or below a value without members, is refused",
        arguments: [
            ("name", .notAPointer), ("/a~2", .notAPointer), ("", .wholeDocument), ("/id", .reserved),
            ("/id/x", .reserved), ("/modified_at", .reserved), ("/name/x", .noMembers(above: "/name")),
            ("/exposure_settings/bracket/0/y", .noMembers(above: "/exposure_settings/bracket")),
        ] as [(String, InvalidEdit.Reason)]
    )
    func refused(pointer: String, reason: InvalidEdit.Reason) {
        for value in [1, nil] as [JSONValue?] {
            var configuration = Preset.stored()
            configuration[pointer] = value
            #expect(configuration.invalid == InvalidEdit(pointer: pointer, reason: reason))
            #expect(configuration.text == Preset.text && configuration.pointers.isEmpty)
        }
    }

    @Test("A document of 63 levels can be assigned, and one of 64 is refused", arguments: ["/a", "/a/b/c"])
    func depth(pointer: String) {
        let above = pointer.utf8.count { $0 == UInt8(ascii: "/") }
        var configuration = Preset.stored("{}")
        configuration[pointer] = Preset.nested(63 - above)
        #expect(configuration.invalid == nil)
        configuration[pointer] = Preset.nested(64 - above)
        #expect(configuration.invalid == InvalidEdit(pointer: pointer, reason: .tooDeep(maxLevels: 63)))
        #expect(configuration[pointer] == Preset.nested(63 - above))
    }

    @Test("Pointers, objects and settings count as levels, too")
    func levels() {
        var configuration = Preset.stored("{}")
        configuration[String(repeating: "/a", count: 63)] = 1
        configuration.exposure["a"] = Preset.nested(61)
        #expect(configuration.invalid == nil)
        var deeper = configuration
        deeper[String(repeating: "/b", count: 64)] = 1
        #expect(deeper.invalid?.reason == .tooDeep(maxLevels: 63))
        deeper = configuration
        deeper["/b"] = ["c": Preset.nested(62)]
        #expect(deeper.invalid?.reason == .tooDeep(maxLevels: 63))
        configuration.exposure["a"] = Preset.nested(62)
        #expect(configuration.invalid == InvalidEdit(pointer: "/exposure_settings/a", reason: .tooDeep(maxLevels: 63)))
    }

    @Test("The first refused assignment is kept")
    func firstRefused() {
        var configuration = Preset.stored()
        configuration["/id"] = 1
        configuration["x"] = 1
        configuration.exposure.iso = .nan
        #expect(configuration.invalid == InvalidEdit(pointer: "/id", reason: .reserved))
    }

    @Test("A refusal names the remedy")
    func remedy() {
        let refused = InvalidEdit(pointer: "/tags/0", reason: .noMembers(above: "/tags"))
        #expect(refused.description == "/tags/0 can't be assigned, since /tags is no object: assign /tags whole.")
        #expect("\(ClientError.invalid(refused))" == refused.description)
    }
}
