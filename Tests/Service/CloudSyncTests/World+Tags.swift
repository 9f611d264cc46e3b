import CloudSync
import TestSupport

extension World {
    /// The tags of an item's versions, in order.
    func tags(of id: String, _ caller: Caller) async throws -> [VersionTag] {
        let rows = try await sql(
            """
            SELECT version || '-' || encode(substr(chain, 1, 6), 'hex') FROM configuration_versions
            WHERE user_id = '\(caller.userID)' AND id = '\(id)' ORDER BY version
            """
        )
        return (0..<rows.count).compactMap { rows[$0].text(0).flatMap { VersionTag($0) } }
    }

    /// The tag of that version. If there is no such version, the tag matches no version.
    func tag(_ number: Int, of id: String = WriteRule.id, _ caller: Caller) async throws -> VersionTag {
        try await tags(of: id, caller).first { $0.number == number } ?? .ofAnotherHistory(number)
    }

    /// The If-Match condition with that version's tag.
    func ifMatch(_ number: Int, of id: String = WriteRule.id, _ caller: Caller) async throws -> WriteConditions {
        WriteConditions(ifMatch: .versions([try await tag(number, of: id, caller)]))
    }
}

extension World {
    /// The token of that change.
    func token(at seq: Int, _ caller: Caller) async throws -> SyncToken {
        let row = try await sql(
            """
            SELECT concat_ws('.', \(seq), encode(coalesce(v.chain, h.genesis), 'hex'), to_hex(h.salt # coalesce((SELECT salt FROM lineage), 0)),
                coalesce(v.id::text, ''), coalesce(v.version::text, ''))
            FROM sync_heads h LEFT JOIN configuration_versions v ON v.user_id = h.user_id AND v.seq = \(seq)
            WHERE h.user_id = '\(caller.userID)' AND h.collection = 'configurations'
            """
        ).first
        guard let token = row?.text(0).flatMap({ SyncToken($0) }) else { throw TestSupportError("no change \(seq)") }
        return token
    }
}

extension VersionTag {
    /// A version with that number in an unknown history.
    static func ofAnotherHistory(_ number: Int) throws -> VersionTag {
        guard let tag = VersionTag("\(number)-000000000000") else { throw TestSupportError("no version \(number)") }
        return tag
    }
}

extension Written {
    /// The result of the write. Throws the refusal.
    func get() throws(CloudSyncError) -> Value { try result.get() }
}
