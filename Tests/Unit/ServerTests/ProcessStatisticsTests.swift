import Foundation
import TestSupport
import Testing

@testable import Observability

@Suite("Statistics of the process", .blocking)
struct ProcessStatisticsTests {
    @Test("The start of the process is in the past, and every scrape has the same one")
    func start() {
        let startSeconds = ProcessStatistics.read().startSeconds
        let ageSeconds = Date().timeIntervalSince1970 - startSeconds
        #expect((-1...86_400).contains(ageSeconds))
        #expect(ProcessStatistics.read().startSeconds == startSeconds)
    }
}
