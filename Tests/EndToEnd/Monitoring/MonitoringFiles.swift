import Foundation
import TestSupport

/// The files for Prometheus and Grafana in deploy/monitoring.
enum MonitoringFiles {
    static let folder = Repository.path + "/deploy/monitoring"
    static let rulesPath = folder + "/alert-rules.yml"
    static let alertTestsPath = Repository.path + "/Tests/Monitoring/alerts.yml"

    /// An expression with its place, and the texts that use labels of its result.
    struct Use {
        let place: String
        let expression: String
        let texts: [String]
    }

    struct Alert {
        let name: String
        /// The values by key, including those of labels and annotations.
        let fields: [String: String]
    }

    static func text(_ path: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Program.Failure("\(path) is missing.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func alerts() throws -> [Alert] {
        let parts = try text(rulesPath).split(separator: "- alert: ").dropFirst()
        return try parts.map { part in
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            // The next group's name may follow the last alert of a group.
            let own = lines.dropFirst().prefix { !$0.contains("- name: ") }
            return Alert(name: String(lines[0]), fields: try fields(Array(own)))
        }
    }

    /// The file's subset of YAML: a value follows its key, or is in the deeper lines below the key.
    private static func fields(_ lines: [Substring]) throws -> [String: String] {
        var fields: [String: String] = [:]
        var block: (key: String, indent: Int)?
        for line in lines where line.contains(where: { $0 != " " }) {
            let indent = line.prefix { $0 == " " }.count
            let content = line.dropFirst(indent)
            if let open = block, indent > open.indent {
                fields[open.key, default: ""] += content + "\n"
                continue
            }
            block = nil
            guard !content.hasPrefix("#") else { continue }
            guard let match = content.wholeMatch(of: /([a-z]+):(?: (.*))?/) else { throw Program.Failure("\(line)") }
            let (key, value) = (String(match.1), match.2 ?? "")
            if value == "|" || value == ">-" {
                block = (key, indent)
            } else {
                fields[key] = value.hasPrefix("'") ? String(value.dropFirst().dropLast()) : String(value)
            }
        }
        return fields
    }

    /// The expressions of all alerts.
    static func rules() throws -> [Use] {
        try alerts().map { alert in
            let fields = alert.fields
            return Use(
                place: alert.name,
                expression: fields["expr"] ?? "",
                texts: [fields["summary"] ?? "", fields["description"] ?? ""]
            )
        }
    }

    private static func dashboard() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(text(folder + "/dashboard.json").utf8))
        return object as? [String: Any] ?? [:]
    }

    /// The expressions of all panels.
    static func panels() throws -> [Use] {
        let panels = try dashboard()["panels"] as? [[String: Any]] ?? []
        return panels.flatMap { panel in
            (panel["targets"] as? [[String: Any]] ?? []).map { target in
                Use(
                    place: panel["title"] as? String ?? "",
                    expression: target["expr"] as? String ?? "",
                    texts: [target["legendFormat"] as? String ?? ""]
                )
            }
        }
    }

    /// The expressions of the dashboard's variables.
    static func variables() throws -> [Use] {
        let list = (try dashboard()["templating"] as? [String: Any])?["list"] as? [[String: Any]] ?? []
        return try list.filter { $0["type"] as? String == "query" }.map { variable in
            let query = (variable["query"] as? [String: Any])?["query"] as? String ?? ""
            guard let match = query.wholeMatch(of: /label_values\((.*), (\w+)\)/) else { throw Program.Failure(query) }
            return Use(place: "variable \(query)", expression: String(match.1), texts: ["{{\(match.2)}}"])
        }
    }
}
