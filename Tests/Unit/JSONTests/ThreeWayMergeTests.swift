import NeuroViewsJSON
import TestSupport
import Testing

@Suite("Three-way merge of JSON", .blocking)
struct ThreeWayMergeTests {
    /// A document with two edited members and many others, below `depth` objects.
    private static func document(_ mine: Int64, _ theirs: Int64, depth: Int) -> JSONValue {
        let many = (0..<20_000).map { JSONObject.Member(name: "k\($0)", value: .number(JSONNumber(0))) }
        let edited = [("mine", mine), ("theirs", theirs)].map { name, number in
            JSONObject.Member(name: name, value: .number(JSONNumber(number)))
        }
        return (0..<depth).reduce(.object(JSONObject(many + edited))) { inner, _ in
            .object(JSONObject([.init(name: "in", value: inner)]))
        }
    }

    private static func seconds(depth: Int) throws -> Double {
        let (base, mine) = (document(0, 0, depth: depth), document(1, 0, depth: depth))
        let (theirs, both) = (document(0, 1, depth: depth), document(1, 1, depth: depth))
        let times = try (0..<3).map { _ in
            let begin = ContinuousClock.now
            let merge = try ThreeWayMerge(base: base, mine: mine, theirs: theirs, newer: nil, conflictsMax: 0)
            let time = (ContinuousClock.now - begin) / .seconds(1)
            #expect(merge.result == both)
            return time
        }
        return times.min() ?? 0
    }

    @Test("A three-way merge takes time linear in the documents' size at any depth")
    func depth() throws {
        let (flat, deep) = (try Self.seconds(depth: 1), try Self.seconds(depth: 60))
        #expect(deep < 5 * flat, "\(deep) s, \(flat) s")
    }
}
