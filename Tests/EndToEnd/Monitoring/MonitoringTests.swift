import Foundation
import TestSupport
import Testing

@Suite("Alert rules and dashboard", .blocking)
struct MonitoringTests {
    /// The labels that Prometheus adds to scraped samples.
    private static let targetLabels: Set = ["job", "instance"]
    /// Labels with values from HTTP and PostgreSQL. The server can't rename these values.
    private static let foreignValues: Set = ["status", "class"]

    /// The routes that alerts and panels select or exclude.
    private static let routes = ["/v2/configurations", "/v2/uploads/{token}", "/v2/downloads/{link}"]

    /// The metrics of a server with samples of every metric and every route.
    private static let exposition = Result {
        let server = try Shared.observedServer.get()
        let device = try Device.new(server.client)
        for route in routes { _ = try device.send("HEAD", route.replacing(/{.*}/, with: "x")) }
        // The database refuses the second registration, so there is an error to count.
        _ = try Device.register(server.client, device.email)
        var exposition = try Exposition(server.adminClient.send("GET", "/metrics").text)
        try Deadline.wait("a sample of each metric", seconds: 10) {
            exposition = try Exposition(server.adminClient.send("GET", "/metrics").text)
            return exposition.kinds.keys.allSatisfy { !exposition.samples(of: $0).isEmpty }
                && Set(exposition.samples.compactMap { $0.labels["route"] }).isSuperset(of: routes)
        }
        return exposition
    }

    /// The labels of a metric; nil if there is no metric of that name.
    private func labels(of metric: String) throws -> Set<String>? {
        if metric == "up" { return Self.targetLabels }
        let samples = try Self.exposition.get().samples.filter { $0.name == metric }
        return samples.isEmpty ? nil : samples.reduce(into: Self.targetLabels) { $0.formUnion($1.labels.keys) }
    }

    /// True if the server shows a series with such a value.
    private func isKnown(_ matcher: PromQL.Matcher, of metric: String) throws -> Bool {
        guard try labels(of: metric)?.contains(matcher.label) == true else { return false }
        guard !Self.targetLabels.contains(matcher.label), !Self.foreignValues.contains(matcher.label) else {
            return true
        }
        let pattern = try Regex(matcher.value)
        return try Self.exposition.get().samples.contains { sample in
            guard sample.name == metric, let value = sample.labels[matcher.label] else { return false }
            return matcher.sign.hasSuffix("~") ? value.wholeMatch(of: pattern) != nil : value == matcher.value
        }
    }

    private func uses() throws -> [MonitoringFiles.Use] {
        try MonitoringFiles.rules() + MonitoringFiles.panels() + MonitoringFiles.variables()
    }

    @Test("Every metric, label and value of the rules and the dashboard exists on the server")
    func selectors() throws {
        for use in try uses() {
            let query = try PromQL(use.expression)
            #expect(!query.selectors.isEmpty, "\(use.place)")
            for selector in query.selectors {
                #expect(try labels(of: selector.metric) != nil, "\(use.place): no metric \(selector.metric)")
                for matcher in selector.matchers {
                    let text = "\(matcher.label)\(matcher.sign)\"\(matcher.value)\""
                    #expect(try isKnown(matcher, of: selector.metric), "\(use.place): \(selector.metric){\(text)}")
                }
            }
        }
    }

    @Test("Every label that the rules and the dashboard group by or print exists")
    func labels() throws {
        for use in try uses() {
            let query = try PromQL(use.expression)
            for grouping in query.groupings {
                for metric in grouping.metrics {
                    #expect(try labels(of: metric)?.contains(grouping.label) == true, "\(use.place): \(grouping)")
                }
            }
            let grouped = Set(query.groupings.map(\.label))
            let selected = try query.selectors.reduce(into: Set<String>()) {
                try $0.formUnion(labels(of: $1.metric) ?? [])
            }
            let known = grouped.isEmpty ? selected : grouped
            for text in use.texts {
                for match in text.matches(of: /\{\{ ?(?:\$labels\.)?([a-z]+) ?\}\}/) {
                    #expect(known.contains(String(match.1)), "\(use.place): \(match.0)")
                }
            }
        }
    }

    @Test("Every metric of the server is on the dashboard")
    func complete() throws {
        let shown = try Set(MonitoringFiles.panels().flatMap { try PromQL($0.expression).selectors.map(\.metric) })
        let exposition = try Self.exposition.get()
        for metric in exposition.kinds.keys.sorted() {
            let names = Set(exposition.samples(of: metric).map(\.name))
            #expect(!names.isDisjoint(with: shown), "no panel shows \(metric)")
        }
    }

    @Test("Every alert has a delay, a severity, a remedy and an existing section to read")
    func annotations() throws {
        let sections = try MonitoringFiles.text(Repository.path + "/docs/operating.md").split(separator: "\n")
        let alerts = try MonitoringFiles.alerts()
        #expect(alerts.count > 20 && Set(alerts.map(\.name)).count == alerts.count)
        for alert in alerts {
            for key in ["for", "summary", "description"] { #expect(alert.fields[key] != nil, "\(alert.name) \(key)") }
            #expect(["critical", "warning"].contains(alert.fields["severity"]), "\(alert.name)")
            let read = alert.fields["read"]?.wholeMatch(of: /docs\/operating\.md, "(.+)"/)
            let titles = ["##", "###"].map { Substring("\($0) \(read?.1 ?? "")") }
            #expect(titles.contains(where: sections.contains), "\(alert.name)")
        }
    }

    @Test("Every alert has a test in Tests/Monitoring/alerts.yml")
    func tested() throws {
        let tests = try MonitoringFiles.text(MonitoringFiles.alertTestsPath)
        for alert in try MonitoringFiles.alerts() {
            #expect(tests.contains("{alertname=\"\(alert.name)\"}"), "\(alert.name)")
        }
    }

    @Test("The tests of the alerts pass in promtool", .inFull, .needs(.prometheus))
    func firing() throws {
        let program = try Program.run([Tool.promtool, "test", "rules", MonitoringFiles.alertTestsPath])
        #expect(program.status == 0, "\(program.output) \(program.complaint)")
    }

    @Test(
        "promtool accepts the rules, the configuration and the dashboard's expressions",
        .needs(.prometheus)
    )
    func promtool() throws {
        // promtool also checks the rules that the configuration names.
        let configuration = MonitoringFiles.folder + "/prometheus.yml"
        let program = try Program.run([Tool.promtool, "check", "config", configuration])
        #expect(program.status == 0, "\(program.output) \(program.complaint)")
        // The test replaces Grafana's variables. A recording rule has the same syntax as a panel.
        let rules = try MonitoringFiles.panels().enumerated().map { index, panel in
            let expression = panel.expression.replacing("$__rate_interval", with: "5m")
            return "  - {record: 'panel:\(index)', expr: '\(expression)'}\n"
        }
        let file = Sandbox.makeFolder() + "/rules.yml"
        try Data(("groups:\n- name: panels\n  rules:\n" + rules.joined()).utf8).write(to: URL(fileURLWithPath: file))
        let checked = try Program.run([Tool.promtool, "check", "rules", file])
        #expect(checked.status == 0, "\(checked.output) \(checked.complaint)")
        #expect(checked.output.contains("\(rules.count) rules found"))
    }
}

extension Exposition {
    /// The samples of a metric, including the parts of a histogram.
    fileprivate func samples(of metric: String) -> [Sample] {
        let names = kinds[metric] == "histogram" ? ["_bucket", "_sum", "_count"].map { metric + $0 } : [metric]
        return samples.filter { names.contains($0.name) }
    }
}
