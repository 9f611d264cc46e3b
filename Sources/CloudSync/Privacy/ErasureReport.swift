import Postgres

/// The counts of an account's erased data. Rows that restores have kept aside are not counted.
package struct ErasureReport: Sendable, Equatable {
    /// The counted kinds.
    package enum Kind: String, Sendable, CaseIterable {
        case configurations, versions, conflicts, recordings, files, devices, consents, events
        case securityEvents = "security_events"

        /// The tables whose rows are counted. All other tables have derived data.
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
    package private(set) var bytes = 0
    /// True if nothing is left.
    package internal(set) var isComplete = false

    init() {}

    /// The number of erased things of a kind.
    package subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    mutating func add(_ step: ErasureStep) {
        bytes += step.bytes
        guard let kind = Kind.allCases.first(where: { $0.tables.contains(step.table ?? "") }) else { return }
        counts[kind, default: 0] += step.rows
    }
}

/// The rows that one step has deleted from one table.
struct ErasureStep: Sendable {
    /// Nil for rows that were kept aside.
    let table: String?
    let rows: Int
    let bytes: Int
    /// True if the database has nothing left of the account.
    let isDone: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        table = try columns.next()
        rows = try columns.next()
        bytes = try columns.next()
        isDone = try columns.next()
    }
}
