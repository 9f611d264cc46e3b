import NeuroViewsCrypto
import Postgres

/// The secrets of authenticator apps, which a master key seals. They are bound to their accounts.
enum SealedSecret {
    static func seal(_ secret: [UInt8], of userID: String, with master: MasterKey) throws(CryptoError) -> [UInt8] {
        try SealedBox.seal(secret, key: master.secondFactorSealKey, context: Array(userID.utf8))
    }

    static func open(_ sealed: [UInt8], of userID: String, with master: MasterKey) throws(CryptoError) -> [UInt8] {
        try SealedBox.open(sealed, key: master.secondFactorSealKey, context: Array(userID.utf8))
    }
}

// MARK: Another master key

extension SealedSecret {
    private static let stepRows = 1000

    /// Returns the master keys that seal secrets, other than the one given.
    static func masterKeyIDs(_ session: BlockingSession, besides key: MasterKey) throws -> [String] {
        let rows = try session.execute(
            "SELECT DISTINCT master_key_id FROM totp_secrets WHERE master_key_id <> $1",
            [key.kid]
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    /// Seals again, with `new`, all secrets that `old` sealed, some rows at a time. Returns the secrets that don't
    /// open; they stay as they are. To be called in a transaction that has locked the master keys.
    static func reseal(
        _ session: BlockingSession,
        from old: MasterKey,
        to new: MasterKey
    ) throws -> [UnreadableSecret] {
        var unreadable: [UnreadableSecret] = []
        var last = "00000000-0000-0000-0000-000000000000"
        while true {
            let rows = try session.execute(
                """
                SELECT user_id, encode(sealed_secret, 'hex') FROM totp_secrets
                WHERE master_key_id = $1 AND user_id > $2::uuid ORDER BY user_id LIMIT \(stepRows) FOR NO KEY UPDATE
                """,
                [old.kid, last]
            )
            let sealed = (0..<rows.count).map { (userID: rows[$0].text(0) ?? "", box: rows[$0].text(1) ?? "") }
            guard let end = sealed.last else { return unreadable }
            var boxes: [(userID: String, box: String)] = []
            for (userID, box) in sealed {
                if let new = try resealed(box, of: userID, old, new) {
                    boxes.append((userID, new))
                } else {
                    unreadable.append(UnreadableSecret(userID: userID))
                }
            }
            try store(boxes, new, session)
            last = end.userID
        }
    }

    private static func store(
        _ boxes: [(userID: String, box: String)],
        _ new: MasterKey,
        _ session: BlockingSession
    ) throws {
        try session.execute(
            """
            UPDATE totp_secrets t SET sealed_secret = decode(n.box, 'hex'), master_key_id = $3
            FROM unnest($1::uuid[], $2::text[]) n(user_id, box) WHERE t.user_id = n.user_id
            """,
            [
                "{\(boxes.map(\.userID).joined(separator: ","))}", "{\(boxes.map(\.box).joined(separator: ","))}",
                new.kid,
            ]
        )
    }

    /// Nil when the box does not open.
    private static func resealed(_ box: String, of userID: String, _ old: MasterKey, _ new: MasterKey) throws -> String?
    {
        guard let bytes = Hex.decode(Array(box.utf8)[...]), var secret = try? open(bytes, of: userID, with: old) else {
            return nil
        }
        defer { secret.wipe() }
        return Hex.encode(try seal(secret, of: userID, with: new))
    }
}

/// A sealed secret that does not open with the key that its row names: the row is damaged.
package struct UnreadableSecret: Sendable, CustomStringConvertible {
    /// The account.
    package let userID: String

    /// The table and the account.
    package var description: String { "totp_secrets \(userID)" }
}
