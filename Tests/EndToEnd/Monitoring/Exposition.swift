import TestSupport

/// Prometheus' text format 0.0.4, read strictly: every irregularity is an error.
struct Exposition {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    // Making a Regex costs more than matching with it. They never change.
    nonisolated(unsafe) private static let help = /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)/
    nonisolated(unsafe) private static let type = /# TYPE (\S+) (counter|gauge|histogram)/
    nonisolated(unsafe) private static let line = /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/
    nonisolated(unsafe) private static let label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/

    private(set) var samples: [Sample] = []
    /// The samples so far, by name and labels.
    private var taken: Set<Identity> = []
    /// The type of each metric, including metrics without samples.
    private(set) var kinds: [String: String] = [:]
    private var current = ""

    private struct Identity: Hashable {
        let name: String
        let labels: [String: String]
    }

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Program.Failure("the last line does not end") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { try take(line) }
        try checkHistograms()
    }

    /// The value of the one sample with that name and those labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func take(_ line: Substring) throws {
        if let match = line.wholeMatch(of: Self.help) {
            current = String(match.1)
            guard kinds[current] == nil else { throw Program.Failure("\(current) begins twice") }
        } else if let match = line.wholeMatch(of: Self.type) {
            guard match.1 == current else { throw Program.Failure("a type without its help: \(line)") }
            kinds[current] = String(match.2)
        } else {
            let sample = try Self.sample(line)
            try check(sample)
            samples.append(sample)
        }
    }

    private mutating func check(_ sample: Sample) throws {
        guard let kind = kinds[current] else { throw Program.Failure("a sample without a type: \(sample)") }
        let suffixes = kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { current + $0 == sample.name }) else {
            throw Program.Failure("\(sample.name) stands under \(current)")
        }
        guard kind == "gauge" || sample.value >= 0 else { throw Program.Failure("\(sample) is below zero") }
        guard (kind == "counter") == current.hasSuffix("_total") else { throw Program.Failure("\(current): \(kind)") }
        guard taken.insert(Identity(name: sample.name, labels: sample.labels)).inserted else {
            throw Program.Failure("\(sample) stands there twice")
        }
    }

    private static func sample(_ line: Substring) throws -> Sample {
        guard let match = line.wholeMatch(of: Self.line),
            let value = Double(match.3 == "+Inf" ? "inf" : match.3)
        else { throw Program.Failure("no sample: \(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let found = rest.prefixMatch(of: Self.label) else { throw Program.Failure("no label: \(line)") }
            guard labels.updateValue(String(found.2), forKey: String(found.1)) == nil else {
                throw Program.Failure("a label twice: \(line)")
            }
            rest = rest[found.range.upperBound...]
            if rest.first == "," { rest = rest.dropFirst() }
        }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    /// Checks that buckets grow, and that the last bucket is the count.
    private func checkHistograms() throws {
        for (name, kind) in kinds where kind == "histogram" {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            for (labels, group) in Dictionary(grouping: buckets, by: { $0.labels.filter { $0.key != "le" } }) {
                let bounds = group.map { $0.labels["le"].flatMap { Double($0 == "+Inf" ? "inf" : $0) } ?? .nan }
                let isSorted = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 } && bounds.last == .infinity
                let grows = zip(group, group.dropFirst()).allSatisfy { $0.value <= $1.value }
                guard isSorted, grows, group.last?.value == value(name + "_count", labels),
                    value(name + "_sum", labels) != nil
                else { throw Program.Failure("\(name) \(labels)") }
            }
        }
    }
}
