/// The outcome of a write that asked for a merge.
package enum MergeableWrite: Sendable {
    /// The document was stored unchanged, now or earlier.
    case stored(WriteReceipt)
    /// It was merged with the current document.
    case merged(DerivedConfiguration)
}

/// Stores documents that the server makes from a stored document and a request.
package struct MergeService: Sendable {
    let derived: DerivedWriter
    let work: LargeWork

    /// Replaces an item. Merges the document with the current one if If-Match names an older version whose document is
    /// still stored; otherwise acts like `ConfigurationService.update`. If the merge loses a value of the document, the
    /// document is stored as a conflict.
    package func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions,
        by rules: DocumentRules,
        for caller: Caller
    ) async throws -> Written<MergeableWrite> {
        guard document.hasID(id) else { throw CloudSyncError.problem(.idMismatch) }
        let plain = ItemWrite(.replace, id: document.id, document, conditions, merges: true)
        guard let base = conditions.base else {
            return try await derived.writer.write(plain, for: caller).map { .stored($0) }
        }
        return try await derived.retried {
            let sources = try await derived.sources(of: document.id, base, plain.sent, for: caller)
            guard let sources, let attempt = try await attempt(of: document, base, on: sources, rules, caller) else {
                let written = try await derived.writer.write(plain, for: caller)
                // Another write came after the base was read as the current version. Now there is something to merge.
                if sources?.current.tag == base, written.unlessOvertaken == nil { return nil }
                return written.map { .stored($0) }
            }
            return try await finish(attempt, of: document, on: sources, plain.sent, caller)?.map { .merged($0) }
        }
    }

    private func attempt(
        of document: ConfigurationDocument,
        _ base: VersionTag,
        on sources: ItemSources,
        _ rules: DocumentRules,
        _ caller: Caller
    ) async throws -> MergeAttempt? {
        try await work.run(over: document.content.byteCount + sources.byteCount, for: caller) {
            MergeAttempt(of: document, base, on: sources, rules)
        }
    }

    /// Writes the outcome, unless a stored version has it already. Nil if another version is current.
    private func finish(
        _ attempt: MergeAttempt,
        of document: ConfigurationDocument,
        on sources: ItemSources,
        _ sent: SentDigest,
        _ caller: Caller
    ) async throws -> Written<DerivedConfiguration>? {
        guard let merged = attempt.document else {
            let made = DerivedConfiguration(attempt.stored, attempt.conflicts)
            guard attempt.hasLoss else { return try await derived.answer(.success(made), for: caller) }
            var lost = ItemWrite(.replace, id: document.id, document, WriteConditions(), sent)
            lost.loser = (document.content, document.modifiedAt)
            return try await derived.writer.keepLoser(of: lost, against: attempt.stored.tag, for: caller).map { made }
        }
        let loser = attempt.hasLoss ? document : nil
        return try await derived.replace(sources.current, merged, sent, loser: loser, for: caller)?
            .map { DerivedConfiguration($0, merged, attempt.conflicts) }
    }
}
