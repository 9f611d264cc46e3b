/// Jobs that share workers. No lane waits for another one: a file is verified while decoders are busy, and previews
/// take longer than all other jobs together.
package enum JobLane: String, Sendable, CaseIterable {
    /// Files are read and deleted, and nothing is decoded.
    case checks
    /// Files are measured, and get thumbnails.
    case decoding
    /// Previews are made.
    case previews

    /// The lane's jobs, as a condition of SQL. The lane's index has the same one.
    var condition: String {
        let kinds = JobKind.allCases.filter { $0.lane == self }.map { "'\($0.rawValue)'" }
        return "kind IN (\(kinds.joined(separator: ", ")))"
    }
}

extension JobKind {
    /// The workers that run it.
    var lane: JobLane {
        switch self {
        case .verify, .remove: .checks
        case .process: .decoding
        case .preview: .previews
        }
    }
}
