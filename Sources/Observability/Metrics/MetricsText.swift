import Net

/// Prometheus' text format, version 0.0.4.
struct MetricsText {
    enum Kind: String { case counter, gauge, histogram }
    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""
    private var name = ""

    /// Begins a metric; its samples follow.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ value: Int, _ labels: Labels = []) { line("", labels, String(value)) }

    mutating func sample(_ value: Double, _ labels: Labels = []) { line("", labels, "\(value)") }

    /// A metric with one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        begin(name, kind, help)
        sample(value)
    }

    /// A metric with one sample.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(value)
    }

    /// The format requires cumulative buckets.
    mutating func sample(_ histogram: DurationHistogram, _ labels: Labels = []) {
        var count: UInt64 = 0
        for (bound, added) in zip(DurationHistogram.boundsNs, histogram.counts) {
            count += added
            line("_bucket", labels + [("le", "\(Self.seconds(bound))")], String(count))
        }
        line("_bucket", labels + [("le", "+Inf")], String(histogram.count))
        line("_sum", labels, "\(Self.seconds(histogram.sumNs))")
        line("_count", labels, String(histogram.count))
    }

    private static func seconds(_ durationNs: UInt64) -> Double { Double(durationNs) / 1e9 }

    private mutating func line(_ suffix: String, _ labels: Labels, _ value: String) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += name + suffix + (list.isEmpty ? " " : "{\(list)} ") + value + "\n"
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
