extension UploadPhase {
    /// The next state; nil if the event changes nothing: it is late, such as the last byte of an upload that the user has just
    /// stopped. A task of the system whose upload `relaunched` does not change is an orphan.
    package func after(_ event: UploadEvent) -> UploadPhase? { Self.changes(event)[self] }

    /// The table of all uploads, a row for each event: the states that it changes, each with the next one.
    private static func changes(_ event: UploadEvent) -> [UploadPhase: UploadPhase] {
        switch event {
        case .hashed: [.hashing: .queued]
        case .begun: [.queued: .sending]
        case .partStored: [.sending: .sending]
        case .everythingSent: [.sending: .completing]
        // A completion whose answer was lost is noticed when the server is asked for a place.
        case .completed: [.sending: .verifying, .completing: .verifying]
        case .verified: [.verifying: .done]
        case .unreachable, .cellularForbidden, .answerLost, .sessionEnded:
            [.sending: .waiting, .completing: .completing, .verifying: .verifying]
        case .linkExpired: [.sending: .waiting]
        case .notYet: [.verifying: .verifying]
        case .pauseEnded: [.waiting: .sending]
        case .bytesMissing: [.completing: .sending]
        case .forgotten: [.completing: .sending, .verifying: .sending]
        case .fileChanged: rows([.hashing, .sending, .completing, .verifying], .failed)
        // The server needs no file any more once it has every byte.
        case .fileGone: rows([.hashing, .sending], .failed)
        case .refused: rows([.sending, .completing, .verifying], .failed)
        // Nobody needs the metadata once the server has them.
        case .metadataLost: rows([.hashing, .queued, .sending, .waiting, .completing, .paused, .failed], .failed)
        // Without its seal a file can't be told from another one.
        case .sealLost: rows(allCases.filter { $0 != .done }, .failed)
        // While it is verified nothing is sent, so there is nothing to stop.
        case .paused: rows([.hashing, .queued, .sending, .waiting, .completing], .paused)
        // The file may have changed meanwhile: a known SHA-256 counts if it has not.
        case .resumed: [.waiting: .sending, .paused: .hashing, .failed: .hashing]
        case .cancelled: rows([.hashing, .queued, .sending, .waiting, .completing, .verifying], .paused)
        // Everything stays as it is, but nobody sends any more.
        case .restarted: Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0 == .sending ? .queued : $0) })
        case .relaunched: rows([.queued, .sending, .waiting], .sending)
        }
    }

    private static func rows(_ phases: [UploadPhase], _ next: UploadPhase) -> [UploadPhase: UploadPhase] {
        Dictionary(uniqueKeysWithValues: phases.map { ($0, next) })
    }
}
