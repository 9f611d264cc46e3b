extension UploadPhase {
    /// The changes of uploads, a row for each state. An event that a row does not have changes nothing: it is late, such as the
    /// last byte of an upload that the user has just stopped.
    private static let changes: [UploadPhase: [UploadEvent: UploadPhase]] = [
        .hashing: [.hashed: .queued, .gaveUp: .failed, .paused: .paused, .restarted: .hashing],
        .queued: [.begun: .sending, .paused: .paused, .restarted: .queued],
        .sending: [
            .interrupted: .waiting, .everythingSent: .completing, .completed: .verifying, .gaveUp: .failed,
            .paused: .paused, .restarted: .queued,
        ],
        .waiting: [.pauseEnded: .sending, .resumed: .sending, .paused: .paused, .restarted: .waiting],
        .completing: [
            .interrupted: .completing, .bytesMissing: .sending, .completed: .verifying, .gaveUp: .failed,
            .paused: .paused, .restarted: .completing,
        ],
        // Nothing is sent any more, so there is nothing to stop.
        .verifying: [.interrupted: .verifying, .verified: .done, .gaveUp: .failed, .restarted: .verifying],
        .done: [.restarted: .done],
        // The file may have changed meanwhile: a known SHA-256 counts if it has not.
        .paused: [.resumed: .hashing, .restarted: .paused],
        .failed: [.resumed: .hashing, .restarted: .failed],
    ]

    /// The next state; nil if the event changes nothing.
    package func after(_ event: UploadEvent) -> UploadPhase? { Self.changes[self]?[event] }
}
