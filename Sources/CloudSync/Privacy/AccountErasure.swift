import Net
import Postgres
import Storage

/// Erases accounts: all their rows, also those that restores have kept aside, and their files. One transaction first
/// makes the account unusable. The rest is done in steps, which any server may continue:
/// Migrations/functions/account_erasures.sql.
package struct AccountErasure: Sendable {
    /// The environment of an erasure.
    package struct Place: Sendable {
        /// The store of recordings' files.
        package var storage: ObjectStorage
        /// The old stores that restores have kept aside.
        package var storesAside: @Sendable () throws -> [ObjectStorage]
        /// Throws unless the store is the database's own. Must read the store, because a deletion can't be undone.
        package var confirmStore: @Sendable () async throws -> Void
        /// Returns the account's digest for the erasure ledger.
        package var ledgerDigest: @Sendable (_ userID: String) -> [UInt8]
        /// Writes the digest of an erased account to the ledger's file.
        package var noteInLedger: @Sendable ([UInt8]) async throws -> Void
        /// Called for a waiting mail; nil if this server sends none.
        package var wakeMails: (@Sendable () -> Void)?
        /// Receives the error that interrupts an erasure. The sweep continues it.
        package var report: @Sendable (any Error) -> Void

        /// Takes the values.
        package init(
            storage: ObjectStorage,
            storesAside: @escaping @Sendable () throws -> [ObjectStorage] = { [] },
            confirmStore: @escaping @Sendable () async throws -> Void = {},
            ledgerDigest: @escaping @Sendable (_ userID: String) -> [UInt8],
            noteInLedger: @escaping @Sendable ([UInt8]) async throws -> Void = { _ in },
            wakeMails: (@Sendable () -> Void)? = nil,
            report: @escaping @Sendable (any Error) -> Void = { _ in }
        ) {
            self.storage = storage
            self.storesAside = storesAside
            self.confirmStore = confirmStore
            self.ledgerDigest = ledgerDigest
            self.noteInLedger = noteInLedger
            self.wakeMails = wakeMails
            self.report = report
        }
    }

    private let database: CallerDatabase
    private let place: Place
    /// Limit of rows of a table in one step, which takes a fraction of a second.
    private static let rowsAtOnce = 20_000
    private static let objectsAtOnce = 20
    /// The time limit of a request; then the sweep continues.
    package static let requestMs: UInt64 = 30_000

    /// Takes the database with the accounts, and the environment.
    package init(database: Database, place: Place) {
        self.database = CallerDatabase(database)
        self.place = place
    }

    /// Makes the caller's account unusable on every server at once: all sessions end, and logins fail. Does not check
    /// that the caller has confirmed; that must be done before.
    package func begin(for caller: Caller, from address: IPAddress?) async throws {
        let digest = place.ledgerDigest(caller.userID)
        let session = Parameter.text(caller.sessionID)
        _ = try await database.write(
            for: caller,
            locking: [SessionSQL.lockAll(caller)],
            AccountErasureSQL.begin(
                .bytes(digest),
                session,
                .text(address?.description),
                .bool(place.wakeMails != nil)
            )
        )
        place.wakeMails?()
        await reporting { try await place.noteInLedger(digest) }
    }

    /// Deletes an account's data, for at most `limitMs`. The sweep does the rest, also after an error. Returns a report
    /// of the deleted data.
    package func finish(_ userID: String, withinMs limitMs: UInt64 = requestMs) async -> ErasureReport {
        let endMs = Monotonic.nowMs() + limitMs
        var report = ErasureReport()
        let rowsAreGone = await reporting { try await eraseRows(of: userID, untilMs: endMs, &report) }
        let objectsAreGone = await reporting { try await eraseObjects(of: userID, untilMs: endMs) }
        report.isComplete = rowsAreGone == true && objectsAreGone == true
        return report
    }

    /// Continues erasures that began at least `age` seconds ago. Returns the number of accounts erased.
    package func resume(afterSeconds age: Int) async throws -> Int {
        let begun: [String] = try await database.background(AccountErasureSQL.begun(.int(age)))
        var count = 0
        for userID in begun {
            var report = ErasureReport()
            if await reporting({ try await eraseRows(of: userID, untilMs: .max, &report) }) == true { count += 1 }
        }
        _ = try await eraseObjects(of: nil, untilMs: .max)
        return count
    }

    /// Returns true if nothing is left.
    private func eraseRows(of userID: String, untilMs endMs: UInt64, _ report: inout ErasureReport) async throws -> Bool
    {
        while Monotonic.nowMs() < endMs {
            let steps = try await eraseSome(of: userID)
            for step in steps { report.add(step) }
            if steps.contains(where: \.isDone) { return true }
        }
        return false
    }

    /// One account at a time, so that logins, which use the same connections, wait for one step at most.
    private func eraseSome(of userID: String) async throws -> [ErasureStep] {
        try await database.backgroundTransaction(key: "erase") { transaction in
            let steps = try await transaction.run(AccountErasureSQL.step(.text(userID), .int(Self.rowsAtOnce)))
            try await transaction.commit([])
            return steps
        }
    }

    /// Returns true if nothing is left. `userID` nil means any account.
    private func eraseObjects(of userID: String?, untilMs endMs: UInt64) async throws -> Bool {
        var objectKeys = try await objects(of: userID, after: "")
        if objectKeys.isEmpty { return true }
        try await place.confirmStore()
        let stores = [place.storage] + (try place.storesAside())
        var left: [String] = []
        while let last = objectKeys.last {
            guard Monotonic.nowMs() < endMs else { return false }
            let kept = try await remove(objectKeys, from: stores)
            left += kept
            _ = try await database.background(
                AccountErasureSQL.forget(.texts(objectKeys.filter { !kept.contains($0) }))
            )
            // Objects that can't be deleted must not block the others.
            objectKeys = try await objects(of: userID, after: last)
        }
        return left.isEmpty
    }

    private func objects(of userID: String?, after last: String) async throws -> [String] {
        try await database.background(AccountErasureSQL.objects(.text(userID), .int(Self.objectsAtOnce), .text(last)))
    }

    /// Returns the objects that could not be deleted, and reports each. Throws if the store is unavailable.
    private func remove(_ objectKeys: [String], from stores: [ObjectStorage]) async throws -> [String] {
        var left: [String] = []
        for key in objectKeys {
            do {
                for store in stores { try await RecordingObject.remove(key, from: store) }
            } catch StorageError.unavailable(let reason) {
                throw StorageError.unavailable(reason)
            } catch {
                place.report(UndeletedObject(objectKey: key, reason: error))
                left.append(key)
            }
        }
        return left
    }

    /// Nil after an error.
    @discardableResult
    private func reporting<T>(_ work: () async throws -> T) async -> T? {
        do {
            return try await work()
        } catch {
            place.report(error)
            return nil
        }
    }
}

/// The statements of `AccountErasure`.
private enum AccountErasureSQL {
    /// In a transaction of the caller's. $1 digest for the ledger, $2 session, $3 the client's address, $4 true if mail
    /// is sent.
    static let begin = Query<Void>("SELECT erase_account($1::bytea, $2::uuid, $3::inet, $4::bool)")

    /// $1 account, $2 limit of rows of a table.
    static let step = Query(
        "SELECT counted_as, rows, bytes, is_done FROM erase_account_step($1::uuid, $2::int)"
    ) { columns throws(UnexpectedResult) in try ErasureStep(&columns) }

    /// Accounts whose erasure began at least $1 seconds ago, or by a clock that was ahead, the oldest first.
    static let begun = Query(
        "SELECT account FROM account_erasures WHERE began_at <= now() - $1::int * interval '1 second' OR NOT is_past(began_at) ORDER BY began_at LIMIT 1000"
    ) { columns throws(UnexpectedResult) -> String in try columns.next() }

    /// Files that are still in the store, ordered by name. $1 account or null, $2 limit of rows, $3 the last name of
    /// the page before.
    static let objects = Query(
        """
        SELECT object_key FROM erased_objects WHERE ($1::uuid IS NULL OR account = $1::uuid) AND object_key > $3::text
        ORDER BY object_key LIMIT $2::int
        """
    ) { columns throws(UnexpectedResult) -> String in try columns.next() }

    /// $1 names of the deleted files.
    static let forget = Query<Void>("DELETE FROM erased_objects WHERE object_key = ANY ($1::text[])")
}
