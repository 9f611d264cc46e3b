import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("JSONTestSuite", .needsPublicVectors)
struct JSONTestSuiteTests {
    private static let folder = "jsontestsuite/test_parsing"

    @Test("Every y_ file of JSONTestSuite is accepted, every n_ file refused, and every i_ file survived")
    func parsing() throws {
        var decided = 0
        var agreeing = 0
        let names = try SharedVectors.names(in: Self.folder)
        for name in names {
            let bytes = try SharedVectors.bytes("\(Self.folder)/\(name)")
            let isAccepted = (try? JSONParser.parse(bytes, policy: .rfc8259)) != nil
            // The stricter policy must not accept more.
            let isAcceptedAsBody = (try? JSONParser.parse(bytes, policy: .requestBody)) != nil
            #expect(isAccepted || !isAcceptedAsBody, "\(name)")
            if name.hasPrefix("i_") { continue }
            decided += 1
            let agrees = isAccepted == name.hasPrefix("y_")
            #expect(agrees, "\(name)")
            agreeing += agrees ? 1 : 0
        }
        print("JSONTestSuite: \(agreeing) / \(decided), no crash on \(names.count)")
        #expect(decided == 283)
        #expect(names.count == 318)
    }

    @Test("Every accepted value of JSONTestSuite survives writing and its canonical form")
    func roundTrip() throws {
        for name in try SharedVectors.names(in: Self.folder) {
            let bytes = try SharedVectors.bytes("\(Self.folder)/\(name)")
            guard let value = try? JSONParser.parse(bytes, policy: .rfc8259) else { continue }
            let again = try JSONParser.parse(value.serialized(), policy: .rfc8259)
            #expect(again == value, "\(name)")
            let canonical = value.canonical()
            let reread = try JSONParser.parse(canonical, policy: .rfc8259)
            #expect(reread == value, "\(name)")
            #expect(reread.canonical() == canonical, "\(name)")
        }
    }

    @Test("Every naughty string is read like by Foundation and survives writing byte for byte")
    func naughtyStrings() throws {
        let text = try SharedVectors.bytes("blns/blns.json")
        let strings = try #require(try JSONParser.parse(text, policy: .requestBody).array)
        let expected = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String])
        #expect(strings.count == expected.count && strings.count > 500)
        for (value, readByFoundation) in zip(strings, expected) {
            // One of the strings is a byte order mark, which Foundation drops.
            let expected = readByFoundation.isEmpty && value != .string("") ? "\u{FEFF}" : readByFoundation
            #expect(value.string?.hasSameBytes(as: expected) == true)
            let again = try JSONParser.parse(value.serialized(), policy: .requestBody)
            #expect(again.string?.hasSameBytes(as: expected) == true)
        }
    }
}
