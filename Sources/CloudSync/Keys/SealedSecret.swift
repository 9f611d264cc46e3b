import Crypto
import Postgres

/// A kind of secret that is encrypted with a master key. Seals and opens secrets, and seals all of them again with
/// another key.
///
/// Add a new kind to `all`, and to the tables in `master_keys.sql`.
struct SealedSecret: Sendable {
    private let table: String
    private let column: String
    /// The column with the id of a secret's owner. The id is bound to the sealed box.
    private let owner: String
    private let ownerType: String
    private let key: @Sendable (MasterKey) -> [UInt8]

    /// Private keys of receipts.
    static let receiptKey = SealedSecret(
        table: "receipt_keys",
        column: "sealed_private_key",
        owner: "key_id",
        ownerType: "text"
    ) { $0.receiptSealKey }

    /// Secrets of authenticator apps.
    static let authenticator = SealedSecret(
        table: "totp_secrets",
        column: "sealed_secret",
        owner: "user_id",
        ownerType: "uuid"
    ) { $0.secondFactorSealKey }

    static let all = [receiptKey, authenticator]
    private static let noOwner: [String: String] = ["text": "", "uuid": "00000000-0000-0000-0000-000000000000"]

    private init(
        table: String,
        column: String,
        owner: String,
        ownerType: String,
        _ key: @escaping @Sendable (MasterKey) -> [UInt8]
    ) {
        self.table = table
        self.column = column
        self.owner = owner
        self.ownerType = ownerType
        self.key = key
    }

    func seal(_ secret: [UInt8], of owner: String, with master: MasterKey) throws(CryptoError) -> [UInt8] {
        try SealedBox.seal(secret, key: key(master), context: Array(owner.utf8))
    }

    func open(_ sealed: [UInt8], of owner: String, with master: MasterKey) throws(CryptoError) -> [UInt8] {
        try SealedBox.open(sealed, key: key(master), context: Array(owner.utf8))
    }
}

// MARK: Another master key

extension SealedSecret {
    private static let stepRows = 1000

    /// Returns the master keys that seal secrets, other than the one given.
    func masterKeyIDs(_ session: BlockingSession, besides key: MasterKey) throws -> [String] {
        let rows = try session.execute(
            "SELECT DISTINCT master_key_id FROM \(table) WHERE \(column) IS NOT NULL AND master_key_id <> $1",
            [key.kid]
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    /// Seals again, with `new`, all secrets that `old` sealed, some rows at a time. Returns the secrets that don't
    /// open; they stay as they are. To be called in a transaction that has locked the master keys.
    func reseal(_ session: BlockingSession, from old: MasterKey, to new: MasterKey) throws -> [UnreadableSecret] {
        var unreadable: [UnreadableSecret] = []
        var last = Self.noOwner[ownerType] ?? ""
        while true {
            let rows = try session.execute(
                """
                SELECT \(owner), encode(\(column), 'hex') FROM \(table)
                WHERE \(column) IS NOT NULL AND master_key_id = $1 AND \(owner) > $2::\(ownerType)
                ORDER BY \(owner) LIMIT \(Self.stepRows) FOR NO KEY UPDATE
                """,
                [old.kid, last]
            )
            let sealed = (0..<rows.count).map { (owner: rows[$0].text(0) ?? "", box: rows[$0].text(1) ?? "") }
            guard let end = sealed.last else { return unreadable }
            var boxes: [(owner: String, box: String)] = []
            for (owner, box) in sealed {
                if let bytes = try resealed(box, of: owner, old, new) {
                    boxes.append((owner, bytes))
                } else {
                    unreadable.append(UnreadableSecret(table: table, owner: owner))
                }
            }
            try store(boxes, new, session)
            last = end.owner
        }
    }

    private func store(_ boxes: [(owner: String, box: String)], _ new: MasterKey, _ session: BlockingSession) throws {
        try session.execute(
            """
            UPDATE \(table) t SET \(column) = decode(n.box, 'hex'), master_key_id = $3
            FROM unnest($1::\(ownerType)[], $2::text[]) n(owner, box) WHERE t.\(owner) = n.owner
            """,
            [
                "{\(boxes.map(\.owner).joined(separator: ","))}", "{\(boxes.map(\.box).joined(separator: ","))}",
                new.kid,
            ]
        )
    }

    /// Nil when the box does not open.
    private func resealed(_ box: String, of owner: String, _ old: MasterKey, _ new: MasterKey) throws -> String? {
        guard let bytes = Hex.decode(Array(box.utf8)[...]), var secret = try? open(bytes, of: owner, with: old) else {
            return nil
        }
        defer { secret.wipe() }
        return Hex.encode(try seal(secret, of: owner, with: new))
    }
}

/// A sealed secret that does not open with the key that its row names: the row is damaged.
package struct UnreadableSecret: Sendable, CustomStringConvertible {
    /// The table of its row.
    package let table: String
    /// The owner: the id of an account or of a receipt key.
    package let owner: String

    /// The table and the owner.
    package var description: String { "\(table) \(owner)" }
}
