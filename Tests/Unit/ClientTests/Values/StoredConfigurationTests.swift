import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import Testing

@testable import NeuroViewsClient

@Suite("Stored configurations and lost edits")
struct StoredConfigurationTests {
    private let problem = NeuroViewsRules.Problem(status: 422)

    private func edited(_ change: (inout Item) -> Void = { _ in }) -> Item {
        var item = Preset.item()
        _ = item.change([(JSONPointer("/name") ?? JSONPointer(), .string("Night"))], at: Preset.at(0))
        change(&item)
        return item
    }

    private func state(_ item: Item, at second: Int64 = 1) -> ItemState { ItemState(item, at: Preset.at(second)) }

    @Test("An item without edits is synced")
    func synced() {
        #expect(state(Preset.item()) == .synced(VersionTag(checked: "1-a")))
    }

    @Test("An item whose edit is on the device, or in a request, is unsent")
    func unsent() {
        #expect(state(edited()) == .unsent)
        let sent = edited { item in
            item.part = item.edit.map { Part(copy: item.copy, edit: $0) }
            item.edit = nil
        }
        #expect(state(sent) == .unsent)
    }

    @Test("Marks are shown, and a refusal for an hour")
    func marks() {
        #expect(state(edited { $0.waits = true }) == .waiting)
        #expect(state(edited { $0.isHeld = true }) == .held)
        let refused = edited { $0.refusal = Refusal(problem: problem, at: Preset.at(0)) }
        #expect(state(refused) == .refused(Problem(problem)))
        #expect(state(refused, at: 3599) == .refused(Problem(problem)))
        #expect(state(refused, at: 3600) == .unsent)
    }

    @Test("A stored configuration has the edited document, and the tag and time of its versions")
    func stored() throws {
        let stored = try #require(StoredConfiguration(edited(), at: Preset.at(1)))
        #expect(stored.id == Preset.id && stored.configuration.name == "Night")
        #expect(stored.configuration.pointers.isEmpty && !stored.configuration.isWhole)
        #expect(stored.tag == VersionTag("1-a") && stored.modifiedAt == Date(Preset.at(0)))
        #expect(stored.createdAt == Preset.stored().createdAt && stored.createdAt != nil)
    }

    @Test("A deleted item is not shown")
    func deleted() {
        var item = Preset.item()
        _ = item.delete()
        #expect(StoredConfiguration(item, at: Preset.at(1)) == nil)
    }

    @Test("A lost edit has the place, the value, the reason and the time")
    func lost() throws {
        let id = Preset.id.lowercased
        let member = Loss(id: id, reason: .conflict, kind: .member, pointer: "/name", value: .string("Night"))
        let entry = try #require(LostEdit(member, id: 7, at: Preset.at(0)))
        #expect(entry.id == 7 && entry.item == Preset.id && entry.at == Date(Preset.at(0)))
        #expect(entry.kind == .member && entry.reason == .conflict)
        #expect(entry.pointer == "/name" && entry.value == "Night")
        let deletion = try #require(
            LostEdit(Loss(id: id, reason: .changedElsewhere, kind: .deletion), id: 8, at: Preset.at(0))
        )
        #expect(deletion.kind == .deletion && deletion.reason == .changedElsewhere && deletion.value == nil)
        #expect(LostEdit(Loss(id: "x", reason: .conflict, kind: .document), id: 9, at: Preset.at(0)) == nil)
    }
}
