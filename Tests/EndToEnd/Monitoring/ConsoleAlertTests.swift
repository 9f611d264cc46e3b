import Foundation
import TestSupport
import Testing

/// The operators' page judges the server by the same rules as Prometheus, and shows them at once.
@Suite("The alerts of the operators' page", .blocking)
struct ConsoleAlertTests {
    private static let path = Repository.path + "/Sources/Console/web/operator/alerts.js"

    /// A row of the page's table: numbers as they are written.
    private struct Row {
        let name: String
        /// The threshold, and for rates the least number of failures.
        let bounds: [String]
        let windowS: Int?
        let quantile: String?
        let isWarning: Bool
    }

    private func rows() throws -> [Row] {
        let pattern =
            /\{ alert: '(\w+)'(?:, threshold: ([0-9.* ]+))?(?:, window_s: (\d+))?(?:, least: (\d+))?(?:, share: ([0-9.]+))?(, isWarning: true)?/
        return try MonitoringFiles.text(Self.path).matches(of: pattern).map { match in
            Row(
                name: String(match.1),
                bounds: [match.2, match.4].compactMap(\.self).map { String($0) },
                windowS: match.3.flatMap { Int($0) },
                quantile: match.5.map { String($0) },
                isWarning: match.6 != nil
            )
        }
    }

    @Test("The operators' page has every critical alert, and others only as warnings")
    func names() throws {
        let critical = try MonitoringFiles.alerts().filter { $0.fields["severity"] == "critical" }.map(\.name)
        #expect(try rows().filter { !$0.isWarning }.map(\.name) == critical)
    }

    @Test("The operators' page has the thresholds, windows and quantiles of the alert rules")
    func numbers() throws {
        let alerts = try MonitoringFiles.alerts()
        let compared = try rows().filter { !$0.bounds.isEmpty }
        #expect(compared.count >= 7)
        for row in compared {
            let rule = try #require(alerts.first { $0.name == row.name }, "\(row.name)")
            let expression = rule.fields["expr"] ?? ""
            let bounds = expression.matches(of: /[<>] ([0-9.]+(?: \* [0-9]+)*)/).map { String($0.1) }
            #expect(row.bounds == bounds, "\(row.name)")
            let windowsS = Set(expression.matches(of: /\[(\d+)m\]/).compactMap { Int($0.1).map { $0 * 60 } })
            #expect(Set([row.windowS].compactMap(\.self)) == windowsS, "\(row.name)")
            let quantile = expression.firstMatch(of: /histogram_quantile\(([0-9.]+)/).map { String($0.1) }
            #expect(row.quantile == quantile, "\(row.name)")
        }
    }
}
