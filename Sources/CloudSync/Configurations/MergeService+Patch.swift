import JSONSchema

extension MergeService {
    /// Applies a JSON Merge Patch (RFC 7396) to the document that If-Match names, or to the current one. A patch
    /// without an effect writes nothing. A patch without `modified_at` is an edit of now. A retry returns the first
    /// response.
    ///
    /// Fails with `.notFound`, `.conflict`, `.invalid`, `.patchedTooLarge`, `.quotaExceeded`. Throws `.idMismatch`, and
    /// `.overloaded` if other writes were faster every time.
    package func patch(
        _ id: String,
        _ patch: MergePatch,
        _ conditions: WriteConditions = WriteConditions(),
        by rules: DocumentRules,
        for caller: Caller
    ) async throws -> Written<DerivedConfiguration> {
        // Any other value would replace the whole document, and is no configuration.
        guard patch.isObject else {
            throw CloudSyncError.invalid([Violation(pointer: "", keyword: "type", detail: "must be an object")])
        }
        let request = PatchRequest(id, patch, conditions)
        if request.isForAnother { throw CloudSyncError.problem(.idMismatch) }
        return try await derived.retried {
            let sources = try await derived.sources(of: id, conditions.base, request.sent, for: caller)
            let attempt = try await attempt(request, on: sources, rules, caller)
            guard let sources, case .success(let made) = attempt, let document = made.document else {
                return try await derived.answer(attempt.map { DerivedConfiguration($0.stored) }, for: caller)
            }
            return try await derived.replace(sources.current, document, request.sent, for: caller)?
                .map { DerivedConfiguration($0, document) }
        }
    }

    private func attempt(
        _ request: PatchRequest,
        on sources: ItemSources?,
        _ rules: DocumentRules,
        _ caller: Caller
    ) async throws -> Result<PatchAttempt, CloudSyncError> {
        guard let sources else { return .failure(.problem(.notFound)) }
        return try await work.run(over: request.patch.byteCount + sources.byteCount, for: caller) {
            Result { () throws(CloudSyncError) in try PatchAttempt(request, on: sources, rules) }
        }
    }
}
