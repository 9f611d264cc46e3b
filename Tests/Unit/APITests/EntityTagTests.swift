import CloudSync
import Testing

@testable import API

struct EntityTagTests {
    private static let tag = "2-60303ae22b99"

    private static func tags(_ texts: String...) -> VersionCondition { .versions(texts.compactMap { VersionTag($0) }) }

    @Test(
        "A version's tag in the condition of a write counts, strong or weak; other tags match nothing",
        arguments: [
            ("\"2-60303ae22b99\"", tags(tag)), ("W/\"2-60303ae22b99\"", tags(tag)),
            ("\"x\", W/\"1-9f86d081884c\" ,\"2-60303ae22b99\"", tags("1-9f86d081884c", tag)),
            ("W/\"2\"", tags()), ("\"2\"", tags()), ("*", .any),
        ] as [(String, VersionCondition)]
    )
    func ofWrites(value: String, condition: VersionCondition) throws {
        #expect(VersionCondition(try #require(EntityTag.parse(value))) == condition)
    }

    @Test(
        "A condition in a batch takes a version's tag bare, quoted or weak, and matches nothing with another text",
        arguments: [
            (tag, tags(tag)), ("\"\(tag)\"", tags(tag)), ("W/\"\(tag)\"", tags(tag)), ("*", .any), ("2", tags()),
            ("", tags()), ("W/\(tag)", tags()), ("\"\(tag)\", \"\(tag)\"", tags()), ("\"*\"", tags()),
        ] as [(String, VersionCondition)]
    )
    func ofBatches(text: String, condition: VersionCondition) {
        #expect(VersionCondition(member: text) == condition)
    }

    @Test("A weak tag matches a reader's If-None-Match, and never a reader's If-Match")
    func ofReaders() throws {
        let weak = try #require(EntityTag.parse("W/\"a\""))
        #expect(EntityTag.names(weak, "\"a\"", strong: false))
        #expect(!EntityTag.names(weak, "\"a\"", strong: true))
    }
}
