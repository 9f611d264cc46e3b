import CloudSync

/// Crash reports as output of a command.
struct CrashList {
    let range: DateRange
    let reports: [CrashReport]

    /// JSON with a report a line, members sorted by name. A report's text is PostgreSQL's: its numbers are exact.
    var json: String {
        let lines = reports.map { "\n      \(Self.escaped($0.json))" }.joined(separator: ",")
        return """
            {
              "crashes" : {
                "end_date" : "\(range.last.text)",
                "reports" : [\(lines)\(lines.isEmpty ? "" : "\n    ")],
                "start_date" : "\(range.first.text)"
              }
            }

            """
    }

    /// JSON has U+007F to U+009F in strings alone. Escaped there they mean the same, and no terminal obeys them.
    private static func escaped(_ json: String) -> String {
        var text = ""
        for scalar in json.unicodeScalars {
            if (0x7F...0x9F).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// For a terminal: the number of reports of each name, then each report, the newest day first.
    var text: String {
        let title = "Crash reports from \(range.first.text) to \(range.last.text) (days of UTC)\n"
        guard !reports.isEmpty else { return title + "\nThere are none.\n" }
        let lines = reports.map { report in
            let parameters = UsageText.printable(report.parameters, columnsMax: .max)
            return "  \(report.day)  \(UsageText.printable(report.name))  \(parameters)\n"
        }
        return title + "\nBy name\n" + UsageText.aligned(names) + "\nReports\n" + lines.joined()
    }

    /// Each name with its number of reports and a bar, the most frequent first.
    private var names: [[String]] {
        let counts = Dictionary(reports.map { ($0.name, 1) }, uniquingKeysWith: +)
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let most = sorted.first?.value ?? 0
        return sorted.map { name, count in
            [UsageText.printable(name), UsageTable.number(count), UsageText.bar(count, of: most)]
        }
    }
}
