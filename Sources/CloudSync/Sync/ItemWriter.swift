import Net
import Postgres

/// The author of a write.
struct Writer: Sendable {
    let userID: String
    /// The author's name if the session has no device.
    let sessionID: String

    init(_ caller: Caller) { (userID, sessionID) = (caller.userID, caller.sessionID) }

    /// The server, in the background role.
    init(serverFor userID: String) { (self.userID, sessionID) = (userID, "server") }
}

/// Writes items of a collection. No other code changes them.
struct ItemWriter: Sendable {
    let database: CallerDatabase
    let sql: WriteSQL
    /// The limits of each account.
    let quotas: AccountQuotas
    /// Called with the account after a commit that has stored something, or may have.
    let announce: @Sendable (_ userID: String) -> Void
    /// So many writes of a batch are judged before other requests of the loop have their turn.
    private static let judgedAtOnce = 64

    /// Writes items with different ids in one transaction. It takes two round trips, one more for contested writes and
    /// one more for a key. Returns one result for each write, in order, and the newest change. If a write of an atomic
    /// request is rejected, nothing is written, and each result is the one that this write alone would have. With a
    /// key, earlier writes of the same request return their first result; the others are judged again. Throws
    /// `.accountGone`, `.idempotencyKeyReused`.
    func write(
        _ writes: [ItemWrite],
        isAtomic: Bool,
        _ key: IdempotencyKey?,
        for caller: Caller
    ) async throws -> (results: [Result<WriteReceipt, CloudSyncError>], head: SyncToken) {
        try await database.transaction(for: caller) { transaction in
            try await write(writes, isAtomic: isAtomic, key, by: Writer(caller), in: transaction)
        }
    }

    /// Writes one item, as a batch of one.
    func write(
        _ write: ItemWrite,
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (results, head) = try await self.write([write], isAtomic: false, key, for: caller)
        return Written(results[0], head)
    }

    /// Writes items within a transaction, and ends it. Runs `more` only if something is stored, so not for a retry.
    func write(
        _ writes: [ItemWrite],
        isAtomic: Bool = true,
        _ key: IdempotencyKey? = nil,
        by writer: Writer,
        in transaction: CallerTransaction,
        more: [Step] = []
    ) async throws -> (results: [Result<WriteReceipt, CloudSyncError>], head: SyncToken) {
        var scene = try await read(writes, key, writer, transaction)
        let before = scene.plan.head.newest
        var results: [Result<WriteReceipt, CloudSyncError>] = []
        for (index, write) in writes.enumerated() {
            if index > 0, index.isMultiple(of: Self.judgedAtOnce) { await EventLoop.current?.yield() }
            results.append(try scene.judge(write, number: index + 1))
        }
        if isAtomic, results.contains(where: \.isFailure) {
            try await transaction.commit([])
            return (results, before)
        }
        let steps = scene.plan.steps(sql, by: writer)
        let keep = scene.hasWritten ? keepStep(key, KeptWrite.answer(scene.receipts, of: writes.count), writer) : []
        // Not before the commit: whoever hears of it reads at once. Its result may be unknown.
        defer { if scene.hasWritten { announce(writer.userID) } }
        try await transaction.commit(steps + keep + (scene.hasWritten ? more : []))
        return (results, scene.plan.head.newest)
    }

    /// Stores the document that lost against that version, once. Throws `.quotaExceeded`, `.notFound`.
    func keepLoser(of write: ItemWrite, against version: VersionTag, for caller: Caller) async throws -> Written<Void> {
        try await database.transaction(for: caller) { transaction in
            let scene = try await read([write], nil, Writer(caller), transaction)
            var plan = scene.plan
            let result = plan.keepLoser(of: write, scene.stored[1], scene.contests[1], against: version)
            try await transaction.commit(plan.steps(sql, by: Writer(caller)))
            return Written(result, plan.head.newest)
        }
    }
}

/// The data that are read before the first write of a request is judged. Writes are numbered from 1.
private struct WriteScene {
    var plan: WritePlan
    let stored: [Int: StoredItem]
    let contests: [Int: Contest]
    /// The receipts of writes, made now or earlier with the same key.
    var receipts: [Int: WriteReceipt]
    var hasWritten = false

    mutating func judge(_ write: ItemWrite, number: Int) throws -> Result<WriteReceipt, CloudSyncError> {
        if let receipt = receipts[number] { return .success(receipt) }
        let count = plan.changes.count
        let result = try plan.add(write, stored[number], contests[number])
        if plan.changes.count > count, case .success(let receipt) = result {
            receipts[number] = receipt
            hasWritten = true
        }
        return result
    }
}

extension ItemWriter {
    private func read(
        _ writes: [ItemWrite],
        _ key: IdempotencyKey?,
        _ writer: Writer,
        _ transaction: CallerTransaction
    ) async throws -> WriteScene {
        let (heads, items) = try await transaction.run(sql.lock(.text(writer.userID)), itemsQuery(writes, writer))
        guard let head = heads.first, let first = items.first else { throw CloudSyncError.accountGone }
        let receivedAt = first.receivedAt
        var receipts: [Int: WriteReceipt] = [:]
        if let key {
            let writes: [KeptWrite] = try await transaction.run(kept(key, writer))
            for kept in writes { receipts[kept.number] = kept.receipt }
        }
        var stored: [Int: StoredItem] = [:]
        for row in items { stored[row.number] = row.item }
        let contested = writes.indices.filter { index in
            receipts[index + 1] == nil
                && Contest.isNeeded(for: writes[index], stored[index + 1], receivedAt: receivedAt)
        }
        var contests: [Int: Contest] = [:]
        if !contested.isEmpty {
            let found: [Contest] = try await transaction.run(contestsQuery(contested.map { writes[$0] }, writer))
            for contest in found { contests[contested[contest.number - 1] + 1] = contest }
        }
        let plan = WritePlan(head.within(first.lineage), receivedAt: receivedAt, quotas)
        return WriteScene(plan: plan, stored: stored, contests: contests, receipts: receipts)
    }

    private func itemsQuery(_ writes: [ItemWrite], _ writer: Writer) -> BoundQuery<StoredItem.Numbered> {
        let (user, session) = (Parameter.text(writer.userID), Parameter.text(writer.sessionID))
        let sent = writes.map { $0.conditions.tags == nil ? $0.sent.bytes[...] : nil }
        guard writes.count == 1 else {
            return sql.items(user, .uuids(writes.map(\.id)), .array(of: .bytes, sent), session)
        }
        return sql.item(user, .text(writes[0].id), sent[0].map { .bytes(Array($0)) } ?? .null, session)
    }

    private func contestsQuery(_ writes: [ItemWrite], _ writer: Writer) -> BoundQuery<Contest> {
        sql.contests(
            .text(writer.userID),
            .uuids(writes.map(\.id)),
            .array(of: .bytes, writes.map { $0.sent.bytes[...] }),
            .texts(writes.map { $0.conditions.tags.map { "{" + $0.map(\.text).joined(separator: ",") + "}" } }),
            .array(of: .bytes, writes.map { ($0.loser?.content ?? $0.content)?.digest[...] }),
            .text(writer.sessionID),
            .int(Contest.documentsMaxBytes)
        )
    }

    /// The earlier writes of the same request with that key.
    func kept(_ key: IdempotencyKey, for caller: Caller) -> BoundQuery<KeptWrite> { kept(key, Writer(caller)) }

    private func kept(_ key: IdempotencyKey, _ writer: Writer) -> BoundQuery<KeptWrite> {
        sql.kept([.text(writer.userID)] + keyParameters(key))
    }

    private func keepStep(_ key: IdempotencyKey?, _ answer: [UInt8], _ writer: Writer) -> [Step] {
        guard let key else { return [] }
        let more: [Parameter] = [.int(IdempotencyKey.lifetimeSeconds), .utf8(answer[...])]
        return [sql.keep([.text(writer.userID)] + keyParameters(key) + more)]
    }

    private func keyParameters(_ key: IdempotencyKey) -> [Parameter] { [.text(key.text), .bytes(key.requestDigest)] }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
