import TestSupport
import Testing

@testable import neuroviews

@Suite("Ids, prefixes and names", .blocking)
struct NamingTests {
    private static let items = [
        (id: 1, text: "abcd1111-0000-4000-8000-000000000001", name: "Harbour"),
        (id: 2, text: "abcd2222-0000-4000-8000-000000000002", name: "Moss"),
        (id: 3, text: "ffff3333-0000-4000-8000-000000000003", name: "Moss"),
        (id: 4, text: "ffff4444-0000-4000-8000-000000000004", name: "abcd1"),
    ]

    private static let devices = [
        (id: 1, text: "iPad-4F2A", name: ""), (id: 2, text: "cam-a", name: ""), (id: 3, text: "CAM-A", name: ""),
    ]

    private static func found(
        _ word: String,
        among items: [(id: Int, text: String, name: String)] = Self.items
    ) -> Result<Int, Failure> {
        do {
            return .success(try Naming.find(word, among: items, kind: "configuration", list: "list"))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "An id, its beginning and a name find the item",
        arguments: [
            ("abcd1111-0000-4000-8000-000000000001", 1), ("ABCD2222-0000-4000-8000-000000000002", 2), ("abcd2", 2),
            ("FFFF3", 3), ("Harbour", 1),
        ]
    )
    func found(word: String, id: Int) throws {
        #expect(try Self.found(word).get() == id)
    }

    @Test(
        "Two items that fit get status 64, none gets 66",
        arguments: [("Moss", 64), ("abcd", 64), ("abcd1", 64), ("abc", 66), ("Pier", 66), ("", 66)]
    )
    func refused(word: String, status: Int32) {
        guard case .failure(let failure) = Self.found(word) else {
            Issue.record("\(word) was found")
            return
        }
        #expect(failure.status.rawValue == status)
    }

    static let spellings: [(word: String, id: Int?)] = [
        ("iPad-4F2A", 1), ("ipad-4f2a", 1), ("IPAD", 1), ("cam-a", 2), ("CAM-A", 3), ("Cam-A", nil),
    ]

    @Test("Capitals in an id count only if another id differs in them alone", arguments: spellings)
    func capitals(word: String, id: Int?) {
        #expect((try? Self.found(word, among: Self.devices).get()) == id)
    }

    @Test("Short ids tell the items apart")
    func short() {
        let ids = ["aaaaaaaa-1", "aaaaaaaa-2", "bbbbbbbb-1"]
        #expect(
            Naming.short(ids) == ["aaaaaaaa-1": "aaaaaaaa-1", "aaaaaaaa-2": "aaaaaaaa-2", "bbbbbbbb-1": "bbbbbbbb"]
        )
    }
}
