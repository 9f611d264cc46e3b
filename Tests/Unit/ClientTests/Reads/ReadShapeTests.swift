import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Shapes of reads")
struct ReadShapeTests {
    /// An answer of the interface, by the operation whose first example it is.
    struct Shape: Sendable, CustomTestStringConvertible {
        let operation: String
        let reads: @Sendable (JSON) -> Bool
        /// Members that may be missing: nobody reads them, or they are read by others.
        var optional: Set<String> = []

        var testDescription: String { operation }
    }

    private static let id = UUID()

    static let shapes = [
        Shape(
            operation: "GET /configurations/{id}/versions",
            reads: { Page($0, "versions") { Version($0) } != nil },
            optional: ["device", "id", "name"]
        ),
        Shape(
            operation: "GET /configurations/{id}/conflicts",
            reads: { Page($0, "conflicts") { Conflict($0, of: ReadShapeTests.id) } != nil },
            optional: ["device"]
        ),
        Shape(
            operation: "GET /devices",
            reads: { json in json.all("devices") { NeuroViewsClient.Device($0) } != nil },
            optional: ["name", "model", "app_version"]
        ),
        Shape(operation: "GET /account/quota", reads: { Quotas($0) != nil }, optional: ["collection"]),
        Shape(operation: "GET /account/consents", reads: { Consent.all($0) != nil }),
        Shape(operation: "GET /analytics/usage", reads: { Usage($0) != nil }),
        Shape(
            operation: "GET /realtime/state",
            reads: { Presence($0, without: nil) != nil },
            optional: [
                "heads", "configurations", "recordings", "state", "accepts", "destinations", "name", "protocol", "url",
                "metrics", "bitrate",
            ]
        ),
    ]

    private func example(_ name: String) throws -> JSON {
        let document = try InterfaceDocument()
        let operation = try #require(document.operations.first { $0.description == name })
        let answer = try #require(try document.responses(of: operation).first { $0.status == "200" }).value
        let examples = answer["content"]?["application/json"]?["examples"]?.object?.members
        return try #require(examples?.first?.value["value"])
    }

    /// The value without one member, for each member of objects that are no document and no map.
    private func without(_ json: JSON, _ optional: Set<String>) -> [(name: String, value: JSON)] {
        switch json {
        case .object(let object):
            object.members.flatMap { member -> [(String, JSON)] in
                let rest = JSONObject(object.members.filter { $0.name != member.name })
                let isKept =
                    optional.contains(member.name)
                    || ["analytics", "crash_reports", "usage_metrics"].contains(member.name)
                let own = isKept ? [] : [(member.name, JSON.object(rest))]
                let inner = ["document", "device"].contains(member.name) ? [] : without(member.value, optional)
                return own
                    + inner.map { name, value in
                        var changed = object
                        changed.set(member.name, to: value)
                        return ("\(member.name)/\(name)", .object(changed))
                    }
            }
        case .array(let elements):
            elements.first.map { first in
                without(first, optional).map { ($0.name, .array([$0.value] + elements.dropFirst())) }
            } ?? []
        default: []
        }
    }

    @Test("The interface's example is read, and is refused without any of its members", arguments: shapes)
    func members(_ shape: Shape) throws {
        let example = try example(shape.operation)
        #expect(shape.reads(example))
        let lacking = without(example, shape.optional)
        #expect(lacking.count > 3)
        for (name, value) in lacking { #expect(!shape.reads(value), "without \(name)") }
        for other in ["null", "[]", "\"x\"", "{}"] { #expect(!shape.reads(Given.json(other))) }
    }

    @Test("A page has a next one as long as the server says so")
    func pages() {
        func page(_ more: String) -> Page<Int64>? {
            Page(Given.json(#"{"list":[1,2],\#(more)}"#), "list") { $0.number?.int64 }
        }
        #expect(page(#""has_more":true,"next":7"#)?.next == "7")
        #expect(page(#""has_more":true,"next":"1772.9f""#)?.next == "1772.9f")
        let last = page(#""has_more":false,"next":7"#)
        #expect(last?.items == [1, 2] && last?.next == nil)
        #expect(page(#""has_more":true,"next":null"#) == nil)
        #expect(Page(Given.json(#"{"list":[1,"x"],"has_more":false,"next":null}"#), "list") { $0.number } == nil)
    }

    @Test("Members and values that this version does not know are kept")
    func unknown() throws {
        let version = """
            {"version":"3-fd61a03af4f7","changed_at":"2026-03-01T13:00:00Z","edited_at":"2026-03-01T13:00:00.5+01:00",\
            "device":null,"deleted":false,"has_document":true,"size":1.50}
            """
        let read = try #require(Version(Given.json(version)))
        #expect(read.json["size"]?.number?.literal == "1.50")
        #expect(read.device == nil && read.tag.number == 3)
        #expect(read.editedAt.timeIntervalSince1970 == 1_772_366_400.5)
        let quotas = try #require(
            Quotas(
                Given.json(#"{"quotas":[{"quota":"links","collection":"x","used":1,"reserved":0,"limit":null,"a":1}]}"#)
            )
        )
        #expect(quotas[Quota.Kind(rawValue: "links"), "x"]?.limit == nil)
        #expect(quotas.all.first?.json["a"] == 1)
        #expect(quotas[.items, "configurations"] == nil)
        let consents = Consent.all(
            Given.json(#"{"consents":{"ads":{"granted":true,"version":"1","changed_at":null}}}"#)
        )
        #expect(consents?[ConsentCategory(rawValue: "ads")]?.isGranted == true)
    }

    @Test("A conflict whose digest could leave its path is refused")
    func digests() throws {
        let conflict = try example("GET /configurations/{id}/conflicts")["conflicts"]?.array?.first?.object
        for digest in ["", "../x", String(repeating: "A", count: 64), String(repeating: "a", count: 63)] {
            var other = try #require(conflict)
            other.set("digest", to: .string(digest))
            #expect(Conflict(.object(other), of: Self.id) == nil, "\(digest)")
        }
    }
}
