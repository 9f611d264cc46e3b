import TestSupport
import Testing

@testable import CloudSync
@testable import Observability

@Suite("Counts of files without a sandbox", .blocking)
struct UnwalledFileTests {
    private func counts(of files: [UnwalledFile]) -> [String: Int] {
        let counts = EventCounts()
        for file in files { counts.add(file) }
        return Dictionary(uniqueKeysWithValues: counts.unwalledMedia.map { ($0.outcome, $0.count) })
    }

    @Test("A file without a sandbox counts by its outcome, and both counts begin at 0")
    func outcomes() {
        let (refused, decoded) = (
            UnwalledFile(reason: "no namespaces", isDecoded: false),
            UnwalledFile(reason: "no namespaces", isDecoded: true)
        )
        #expect(counts(of: []) == ["refused": 0, "decoded": 0])
        #expect(counts(of: [refused, decoded, refused]) == ["refused": 2, "decoded": 1])
    }
}
