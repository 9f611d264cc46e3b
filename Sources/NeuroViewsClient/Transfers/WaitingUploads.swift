#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The uploads that wait without a run: in their own pause, or in a growing one after failures of the store. Nil stands for the list of uploads.
struct WaitingUploads {
    private var waits: [UUID?: Task<Void, Never>] = [:]
    /// The failures in a row.
    private(set) var failures: [UUID?: Int64] = [:]

    /// True during a pause.
    func isWaiting(_ id: UUID?) -> Bool { waits[id] != nil }

    /// The uploads in a pause.
    var ids: [UUID] { waits.keys.compactMap { $0 } }

    /// Counts a failure. Returns the pause after it, in milliseconds.
    mutating func lengthMs(after id: UUID?, _ pauses: UploadPauses) -> Int64 {
        let count = (failures[id] ?? 0) + 1
        failures[id] = count
        return pauses.lengthMs(attempt: count)
    }

    /// `task` waits for the end of the pause, and begins the upload then.
    mutating func begin(_ id: UUID?, _ task: Task<Void, Never>) {
        end(id)
        waits[id] = task
    }

    /// Ends a pause.
    mutating func end(_ id: UUID?) { waits.removeValue(forKey: id)?.cancel() }

    /// Ends all pauses.
    mutating func endAll() {
        for wait in waits.values { wait.cancel() }
        waits = [:]
    }

    /// The store works: the next pause is a short one.
    mutating func reset(_ id: UUID?) { failures.removeValue(forKey: id) }
}

extension ClientError {
    /// True for a passing failure of the store. A newer store needs another app, and a removed one stays removed.
    var isPassingStoreFailure: Bool {
        switch self {
        case .store(.removed), .store(.newer): false
        case .store: true
        default: false
        }
    }
}
