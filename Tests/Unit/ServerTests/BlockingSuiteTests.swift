import Foundation
import TestSupport
import Testing

@Suite("Test suites that block", .blocking)
struct BlockingSuiteTests {
    @Test("Blocking tests don't wait for each other on any number of cores")
    func threads() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let begun = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    begun.add()
                    try Deadline.wait("the others", seconds: 20) { begun.value == count }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "Each suite that starts servers and programs has the trait blocking",
        arguments: ["EndToEnd", "Unit/ServerTests"]
    )
    func marks(place: String) throws {
        let folder = Repository.path + "/Tests/" + place
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let names = all.filter { $0.hasSuffix(".swift") }
        #expect(!names.isEmpty)
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let suites = text.matches(of: /(?ms)^@Suite\(.*?^(?:struct|final|actor)\b/)
            #expect(suites.isEmpty == !text.contains("    @Test"), "\(name): tests without a @Suite")
            for suite in suites { #expect(suite.output.contains(".blocking"), "\(name): add .blocking to its @Suite") }
        }
    }
}
