import Postgres

/// What was erased of an account. Rows that restores have kept aside are not counted.
public struct ErasureReport: Sendable, Equatable {
    /// What is counted.
    public enum Kind: String, Sendable, CaseIterable {
        case configurations, versions, conflicts, recordings, files, devices, consents, events
        case securityEvents = "security_events"

        /// The tables whose rows count. Every other one has what was made of these.
        fileprivate var tables: [String] {
            switch self {
            case .configurations: ["configurations"]
            case .versions: ["configuration_versions", "recording_versions"]
            case .conflicts: ["configuration_conflicts"]
            case .recordings: ["recordings"]
            case .files: ["recording_files"]
            case .devices: ["devices"]
            case .consents: ["consents"]
            case .events: ["analytics_events"]
            case .securityEvents: ["account_events"]
            }
        }
    }

    private var counts: [Kind: Int] = [:]
    /// Bytes of the files, and of their thumbnails.
    public private(set) var bytes = 0
    /// Whether nothing is left.
    public internal(set) var isComplete = false

    init() {}

    /// How many there were.
    public subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    mutating func add(_ step: ErasureStep) {
        bytes += step.bytes
        guard let kind = Kind.allCases.first(where: { $0.tables.contains(step.table ?? "") }) else { return }
        counts[kind, default: 0] += step.rows
    }
}

/// What one step has deleted of one table.
struct ErasureStep: Sendable {
    /// Nil for what was kept aside.
    let table: String?
    let rows: Int
    let bytes: Int
    /// Whether nothing is left of the account in the database.
    let isDone: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        table = try columns.next()
        rows = try columns.next()
        bytes = try columns.next()
        isDone = try columns.next()
    }
}
