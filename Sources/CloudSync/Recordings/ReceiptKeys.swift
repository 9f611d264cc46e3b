import Crypto
import Net
import Postgres

/// A public key of receipts, current or old.
package struct PublishedReceiptKey: Sendable {
    /// The id of the key in receipts.
    package let keyID: String
    /// A DER SubjectPublicKeyInfo.
    package let encodedPublicKey: [UInt8]
    /// The time when it began to sign.
    package let from: Timestamp
    /// The time when it ended; nil for the current one.
    package let until: Timestamp?
}

/// The keys of receipts, in the database. A key derived from the master key encrypts the private ones. The first key is
/// made when it is needed.
package final class ReceiptKeys: Sendable {
    private let database: CallerDatabase
    private let keys: KeyRing
    /// The last key that was read, with the master key that was current then. Another master key may mean another
    /// receipt key.
    private let known = Locked<(signer: Receipt.Signer, masterKeyID: String)?>(nil)

    /// Stores the keys in `database`, sealed by `keys`.
    package init(database: Database, keys: KeyRing) {
        self.database = CallerDatabase(database)
        self.keys = keys
    }

    /// The current key.
    func signer() async throws -> Receipt.Signer {
        let master = keys.current
        if let known = known.withLock({ $0 }), known.masterKeyID == master.kid { return known.signer }
        let signer = try open(try await current(master))
        known.withLock { $0 = (signer, master.kid) }
        return signer
    }

    /// All keys, the oldest first.
    package func published() async throws -> [PublishedReceiptKey] {
        _ = try await signer()
        return try await database.background(Self.all())
    }

    private func current(_ master: MasterKey) async throws -> SealedReceiptKey {
        if let stored = try await database.background(Self.stored()).first { return stored }
        let made = try Ed25519Key.random()
        let keyID = String(Hex.encode(SHA256.hash(made.publicKey)).prefix(16))
        let sealed = try SealedSecret.receiptKey.seal(made.seed, of: keyID, with: master)
        // If several servers make a key at once, the first one counts. All then read that one.
        let (_, found) = try await database.background(
            Self.add(.text(keyID), .bytes(made.encodedPublicKey), .bytes(sealed), .text(master.kid)),
            Self.stored()
        )
        guard let stored = found.first else { throw UnexpectedResult("the new receipt key is not there") }
        return stored
    }

    private func open(_ stored: SealedReceiptKey) throws(CryptoError) -> Receipt.Signer {
        guard let master = keys[kid: stored.masterKeyID] else {
            throw .unusableKey("the receipt key is sealed by the master key \(stored.masterKeyID)")
        }
        let seed = try SealedSecret.receiptKey.open(stored.sealed, of: stored.keyID, with: master)
        return Receipt.Signer(keyID: stored.keyID, key: try Ed25519Key(seed: seed))
    }

    private static let stored = Query(
        "SELECT key_id, sealed_private_key, master_key_id FROM receipt_keys WHERE valid_until IS NULL"
    ) { columns throws(UnexpectedResult) in
        SealedReceiptKey(
            keyID: try columns.next(),
            sealed: (try columns.next() as Bytea).bytes,
            masterKeyID: try columns.next()
        )
    }

    private static let add = Query(
        """
        INSERT INTO receipt_keys (key_id, public_key, sealed_private_key, master_key_id)
        VALUES ($1::text, $2::bytea, $3::bytea, $4::text) ON CONFLICT DO NOTHING
        """
    )

    private static let all = Query(
        """
        SELECT key_id, public_key, \(Timestamp.sql("valid_from")), \(Timestamp.sql("valid_until"))
        FROM receipt_keys ORDER BY valid_from, key_id
        """
    ) { columns throws(UnexpectedResult) in
        PublishedReceiptKey(
            keyID: try columns.next(),
            encodedPublicKey: (try columns.next() as Bytea).bytes,
            from: try columns.next(),
            until: try columns.next()
        )
    }
}

/// The current key, as it is stored.
private struct SealedReceiptKey: Sendable {
    let keyID: String
    let sealed: [UInt8]
    let masterKeyID: String
}
