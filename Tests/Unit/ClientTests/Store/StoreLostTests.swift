import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Lost values in the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreLostTests {
    private let given = StoreGiven()
    private let day: Int64 = 86400

    private func member(_ value: String?) throws -> Loss {
        let value = try value.map { try StoreGiven.json($0) }
        return Loss(id: StoreGiven.id, reason: .conflict, kind: .member, pointer: "/a\n~1b", value: value)
    }

    @Test("Entries are read as they were added, the oldest first")
    func entries() throws {
        let store = try given.open()
        let losses = try [
            member("4e2"), member("null"), member(nil),
            Loss(StoreGiven.document(#"{"a":[1.0]}"#), of: StoreGiven.id, .deletedElsewhere),
            Loss(id: StoreGiven.otherID, reason: .changedElsewhere, kind: .deletion),
        ]
        let added = try store.addLost(losses, at: StoreGiven.at(1))
        #expect(added.map(\.loss) == losses)
        #expect(try given.open().lost() == added)
        #expect(try store.lost(added[1].number) == added[1])
        #expect(try store.addLost([], at: StoreGiven.at(1)).isEmpty)
    }

    @Test("A forgotten entry is gone, and its number is never used again")
    func forgotten() throws {
        let store = try given.open()
        let first = try store.addLost([member("1")], at: StoreGiven.at(1))[0].number
        #expect(try store.forgetLost(first))
        #expect(try !store.forgetLost(first))
        #expect(try store.lost(first) == nil)
        let second = try given.open().addLost([member("2")], at: StoreGiven.at(2))[0].number
        #expect(second > first)
    }

    @Test("Entries are kept for 30 days, and the newest 1,000 for longer")
    func kept() throws {
        let store = try given.open()
        let old = try store.addLost((0..<1200).map { try member("\($0)") }, at: StoreGiven.at(0))
        #expect(try store.lost().count == 1200)
        let late = try store.addLost([member("1")], at: StoreGiven.at(30 * day))
        #expect(try store.lost().count == 1201)
        let later = try store.addLost([member("2")], at: StoreGiven.at(30 * day + 1))
        #expect(try store.lost() == old.suffix(998) + late + later)
    }
}
