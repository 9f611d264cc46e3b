import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Configurations that are put onto a stored item")
struct ItemConfigurationTests {
    private func members(_ item: Item) -> [String: Instant] {
        guard case .document(_, let members) = item.edit else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.all.map { ($0.pointer.description, $0.time) })
    }

    @Test("The assigned members alone become the edit")
    func edit() throws {
        var item = Preset.item()
        var configuration = Preset.stored()
        configuration.exposure.iso = 800
        configuration["/lens"] = nil
        #expect(try item.apply(configuration, at: Preset.at(5)))
        #expect(members(item) == ["/exposure_settings/iso": Preset.at(5), "/lens": Preset.at(5)])
        let shown = try #require(item.shown)
        #expect(shown.object["lens"] == nil && shown.modifiedAt == Preset.at(5))
        #expect(CameraConfiguration(shown, id: Preset.id).exposure.iso == 800)
    }

    @Test("An old configuration changes what is shown now in its assigned members alone")
    func stale() throws {
        var old = Preset.stored()
        old.name = "Night"
        var item = Preset.item(#"{"name":"Day","frame_rate":60,"exposure_settings":{"iso":50}}"#)
        #expect(try item.apply(old, at: Preset.at(5)))
        let configuration = CameraConfiguration(try #require(item.shown), id: Preset.id)
        #expect(configuration.name == "Night" && configuration.frameRate == 60 && configuration.exposure.iso == 50)
        #expect(members(item) == ["/name": Preset.at(5)])
    }

    @Test("A member below a value that has none now is stored with all of its parent")
    func obstacle() throws {
        var old = Preset.stored()
        old["/lens/focus"] = 2
        var item = Preset.item(#"{"lens":[1,2]}"#)
        #expect(try item.apply(old, at: Preset.at(5)))
        #expect(item.shown?.object["lens"] == Preset.json(#"{"zoom":1.5,"focus":2}"#))
        #expect(members(item) == ["/lens": Preset.at(5)])
    }

    @Test("A member below a removed one, and above a changed one, gets the value of the end")
    func order() throws {
        var configuration = Preset.stored()
        configuration["/lens"] = nil
        configuration["/lens/zoom"] = 3
        configuration.exposure.iso = 100
        configuration.exposure = ExposureSettings(mode: .auto)
        var item = Preset.item()
        #expect(try item.apply(configuration, at: Preset.at(5)))
        #expect(item.shown?.object["lens"] == Preset.json(#"{"zoom":3}"#))
        #expect(item.shown?.object["exposure_settings"] == Preset.json(#"{"mode":"auto"}"#))
        #expect(members(item) == ["/lens": Preset.at(5), "/exposure_settings": Preset.at(5)])
    }

    @Test("A configuration without an assignment changes nothing")
    func nothing() throws {
        var item = Preset.item()
        #expect(try !item.apply(Preset.stored(), at: Preset.at(5)))
        #expect(item == Preset.item())
    }

    @Test("A whole configuration takes the place of all members, and of nothing")
    func whole() throws {
        let whole = CameraConfiguration(id: Preset.id, name: "Night")
        var item = Preset.item()
        #expect(try item.apply(whole, at: Preset.at(5)))
        #expect(item.shown?.object["lens"] == nil)
        #expect(members(item)["/lens"] == Preset.at(5))
        var new = Item(id: Preset.id.lowercased)
        #expect(try new.apply(whole, at: Preset.at(6)))
        #expect(CameraConfiguration(try #require(new.shown), id: Preset.id).createdAt == Date(Preset.at(6)))
    }

    @Test("Configurations that were refused, are of another item or of one that is gone change nothing")
    func refused() {
        var broken = Preset.stored()
        broken["/id"] = 1
        let other = CameraConfiguration(name: "Night")
        let invalid = InvalidEdit(pointer: "/id", reason: .reserved)
        let otherItem = InvalidEdit(pointer: "/id", reason: .otherItem)
        var item = Preset.item()
        #expect(throws: ClientError.invalid(invalid)) { try item.apply(broken, at: Preset.at(5)) }
        #expect(throws: ClientError.invalid(otherItem)) { try item.apply(other, at: Preset.at(5)) }
        #expect(item == Preset.item())
        var gone = Item(id: Preset.id.lowercased)
        #expect(throws: ClientError.nothingShown(Preset.id)) { try gone.apply(Preset.stored(), at: Preset.at(5)) }
    }
}
