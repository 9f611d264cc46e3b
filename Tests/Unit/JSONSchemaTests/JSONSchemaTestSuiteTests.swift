import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

/// The official suite. The results must agree for every case with implemented keywords only.
@Suite("JSON-Schema-Test-Suite", .needsPublicVectors)
struct JSONSchemaTestSuiteTests {
    private static let folder = "json-schema-2020-12/tests/draft2020-12"

    /// Files about keywords that are not implemented. Their cases that compile are counted nevertheless.
    private static let unimplemented: Set<String> = [
        "anchor", "content", "defs", "dynamicRef", "infinite-loop-detection", "pattern", "patternProperties", "ref",
        "refRemote",
        "unevaluatedItems", "unevaluatedProperties", "vocabulary",
    ]

    /// The formats of `optional/format` that are implemented.
    private static let formats = ["date", "date-time", "uuid"]

    /// Intended disagreements, by file and start of the case.
    private static let explained: [(file: String, group: String, test: String, reason: String)] = [
        ("format", "date format", "invalid date string is only an annotation", "formats are asserted"),
        ("format", "date-time format", "invalid date-time string is only an annotation", "formats are asserted"),
        ("format", "email format", "invalid email string is only an annotation", "formats are asserted"),
        ("format", "uuid format", "invalid uuid string is only an annotation", "formats are asserted"),
    ]

    @Test("Every verdict of JSON-Schema-Test-Suite agrees for the implemented keywords")
    func keywords() throws {
        for name in try SharedVectors.names(in: Self.folder) {
            let file = String(name.dropLast(".json".count))
            let tally = try run("\(Self.folder)/\(name)", file)
            tally.print(file, isImplemented: !Self.unimplemented.contains(file))
            #expect(Self.unimplemented.contains(file) || tally.total > 0, "\(file)")
        }
    }

    @Test("Every verdict of JSON-Schema-Test-Suite agrees for the asserted formats")
    func formats() throws {
        for format in Self.formats {
            let tally = try run("\(Self.folder)/optional/format/\(format).json", "format/\(format)")
            tally.print("format/\(format)", isImplemented: true)
            #expect(tally.total > 0 && tally.skipped.isEmpty, "\(format)")
        }
    }

    @Test("Every verdict of JSON-Schema-Test-Suite agrees for numbers beyond a double")
    func numbers() throws {
        for name in ["bignum", "float-overflow"] {
            let tally = try run("\(Self.folder)/optional/\(name).json", "optional/\(name)")
            tally.print("optional/\(name)", isImplemented: true)
            #expect(tally.total > 0 && tally.skipped.isEmpty, "\(name)")
        }
    }

    private func run(_ path: String, _ file: String) throws -> Tally {
        let groups = try JSONParser.parse(try SharedVectors.bytes(path), policy: .rfc8259)
        var tally = Tally()
        for group in try #require(groups.array) {
            let tests = try #require(group["tests"]?.array)
            let name = try #require(group["description"]?.string)
            do throws(SchemaError) {
                let schema = try Schema(compiling: group["schema"] ?? .null)
                for test in tests { count(test, schema, file, name, in: &tally) }
            } catch {
                skip(error, file, name, tests.count, in: &tally)
            }
        }
        return tally
    }

    private func count(_ test: JSONValue, _ schema: Schema, _ file: String, _ group: String, in tally: inout Tally) {
        let description = test["description"]?.string ?? ""
        let violations = schema.violations(of: test["data"] ?? .null)
        let agrees = violations.isEmpty == test["valid"]?.bool
        let explanation = Self.explained.first {
            $0.file == file && group == $0.group && description.hasPrefix($0.test)
        }
        if !agrees, explanation != nil {
            tally.explained += 1
            return
        }
        tally.total += 1
        tally.agreeing += agrees ? 1 : 0
        #expect(agrees, "\(file): \(group): \(description): \(violations)")
        #expect(schema.accepts(test["data"] ?? .null) == violations.isEmpty, "\(file): \(group): \(description)")
    }

    /// Only unimplemented features may be skipped. A schema of the suite is never malformed.
    private func skip(_ error: SchemaError, _ file: String, _ group: String, _ count: Int, in tally: inout Tally) {
        switch error.reason {
        case .unknownKeyword(let name): tally.skipped[name, default: 0] += count
        case .unknownFormat(let name): tally.skipped["format \(name)", default: 0] += count
        case .nestedIdentifier: tally.skipped["nested $id", default: 0] += count
        case .unknownDialect: tally.skipped["other $schema", default: 0] += count
        case .notASchema, .malformed: Issue.record("\(file): \(group): \(error)")
        }
    }
}

/// The results of a file.
private struct Tally {
    var agreeing = 0
    var total = 0
    var explained = 0
    /// The number of skipped cases, by the missing feature.
    var skipped: [String: Int] = [:]

    func print(_ file: String, isImplemented: Bool) {
        let label = isImplemented ? "" : " (keyword not implemented)"
        var line = "JSON-Schema-Test-Suite \(file): \(agreeing) / \(total)\(label)"
        if explained > 0 { line += ", \(explained) meant otherwise" }
        if !skipped.isEmpty {
            let needs = skipped.sorted { $0.key < $1.key }.map { "\($0.value) need \($0.key)" }
            line += ", skipped: \(needs.joined(separator: ", "))"
        }
        Swift.print(line)
    }
}
