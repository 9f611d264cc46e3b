import CloudSync

/// Log lines about recording files.
extension LogWriter {
    /// Logs that a file was not decoded, or was decoded without walls.
    package func write(_ file: UnwalledFile) {
        write(.warning, "media", [(file.isDecoded ? "decoded_without_sandbox" : "not_decoded", .text(file.reason))])
    }

    /// Logs the outcome of an attempt at a job.
    package func write(_ event: JobEvent) {
        let job: [(name: String, value: Value)] = [
            ("kind", .text(event.kind)), ("recording", .text(event.recordingID)), ("attempt", .number(event.attempts)),
            ("ms", .number(event.durationMs)),
        ]
        switch event.end {
        case .done(let notes):
            write(.info, "job", job + (notes.isEmpty ? [] : [("notes", .text(notes.joined(separator: "; ")))]))
        case .postponed(let reason): write(.warning, "job", job + [("postponed", .text(reason))])
        case .dead(let reason): write(.error, "job", job + [("dead", .text(reason))])
        case .lost: write(.warning, "job", job + [("lost", .text("another server has begun it"))])
        case .interrupted: write(.info, "job", job + [("interrupted", .text("the server is stopping"))])
        }
    }
}
