import Foundation
import NeuroViewsClient

/// The times of a store with many configurations, in milliseconds.
struct Measurement {
    private static let sample = 500
    /// A line of JSON.
    let json: String

    init(_ client: NeuroViews, _ server: URL, _ options: Options, count: Int) async throws {
        var ids: [UUID] = []
        for number in 0..<count { ids.append(try await client.save(CameraConfiguration(name: "number \(number)")).id) }
        var (saves, edits, lists, openings): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for number in 0..<Self.sample {
            saves.append(try await Self.ms { _ = try await client.save(CameraConfiguration(name: "more \(number)")) })
            let id = ids[number * 7919 % max(ids.count, 1)]
            edits.append(try await Self.ms { _ = try await client.edit(id) { $0.name = "edit \(number)" } })
        }
        for _ in 0..<10 {
            lists.append(try await Self.ms { _ = try await client.configurations() })
            openings.append(try await Self.ms { _ = try NeuroViews(server: server, options) })
        }
        let parts = [("save", saves), ("edit", edits), ("list", lists), ("open", openings)].map { name, values in
            #""\#(name)_ms":{"median":\#(Self.part(values, 0.5)),"p95":\#(Self.part(values, 0.95))}"#
        }
        json = "{" + parts.joined(separator: ",") + "}"
    }

    private static func ms(_ body: () async throws -> Void) async throws -> Double {
        let begin = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - begin) / .milliseconds(1)
    }

    /// The value below which this part of the values lies.
    private static func part(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
