import JSON
import JSONSchema

extension ConfigurationService {
    /// Changes an item by a JSON Merge Patch (RFC 7396): the document that If-Match names, or whatever stands there. A patch
    /// that changes nothing writes nothing; one that names no `modified_at` is an edit of now.
    ///
    /// Again, it gives the first answer again and changes nothing: with a version in If-Match, and without one when the
    /// patch names its `modified_at`. Throws `.notFound`, `.idMismatch`, `.conflict`, `.invalid`, `.patchedTooLarge`, and
    /// `.overloaded` when others were faster all the time.
    public func patch(
        _ id: String,
        _ patch: JSONValue,
        _ conditions: WriteConditions = WriteConditions(),
        by rules: DocumentRules,
        for caller: Caller
    ) async throws -> MadeConfiguration {
        // Anything but an object would take the document's place, and is none, whatever stands there.
        guard patch.object != nil else {
            throw CloudSyncError.invalid([Violation(pointer: "", keyword: "type", detail: "must be an object")])
        }
        let request = PatchRequest(id, patch, conditions)
        if request.isForAnother { throw CloudSyncError.idMismatch }
        var caller = caller
        var outdatedVersion = 0
        for _ in 0..<Self.mergeTriesMax {
            let attempt = try await attempt(request, outdatedVersion, rules, caller)
            if request.isRecorded && !attempt.isRetry { try await record(request.key, attempt.stored, &caller) }
            guard let document = attempt.document else {
                try await takeNonce(of: caller)
                return MadeConfiguration(attempt.stored)
            }
            if let receipt = try await replace(attempt.stored, id, by: document, &caller) {
                return MadeConfiguration(receipt, document)
            }
            outdatedVersion = attempt.stored.version
        }
        throw CloudSyncError.overloaded
    }

    /// What the patch makes of what there is. A refusal depends on that, and takes the nonce as the write would have.
    private func attempt(
        _ request: PatchRequest,
        _ outdatedVersion: Int,
        _ rules: DocumentRules,
        _ caller: Caller
    ) async throws -> PatchAttempt {
        let base = request.conditions.onlyVersion
        // Versions are PostgreSQL integers; the last one has no next.
        let next = base.flatMap { $0 < Int32.max ? $0 + 1 : nil }
        let standing = try await standing(request.key, base, next, for: caller)
        do throws(CloudSyncError) {
            guard let standing else { throw CloudSyncError.notFound }
            return try PatchAttempt(request, on: standing, outdatedVersion: outdatedVersion, rules)
        } catch {
            try await takeNonce(of: caller)
            throw error
        }
    }
}
