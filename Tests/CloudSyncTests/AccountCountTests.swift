import CloudSync
import Postgres
import TestSupport
import Testing

/// What the writes count of an account: for integrity and quotas.
struct AccountCountTests {
    @Test(
        "After random writes of every kind, state_hash and counters are those of the items, from scratch",
        arguments: 1...3
    )
    func randomWrites(seed: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            var random = SeededRandom(seed: seed, worker: 0)
            let ids = (0..<8).map { _ in random.uuid(isUpperCase: true) }
            for number in 0..<120 {
                try await Self.writeAtRandom(number, id: ids[random.below(ids.count)], &random, world, caller)
                if number % 20 != 19 { continue }
                let state = try await FinalState(of: caller.userID, in: world)
                #expect(state.irregularities == [], "seed \(seed), write \(number)")
            }
            let head = try await world.sql("SELECT items, tombstones, state_hash::text LIKE '%1%' FROM sync_heads")
                .first
            #expect((head?.int(0) ?? 0) > 0)
            #expect((head?.int(1) ?? 0) > 0)
            #expect(head?.bool(2) == true)
        }
    }

    /// Refusals are part of it.
    private static func writeAtRandom(
        _ number: Int,
        id: String,
        _ random: inout SeededRandom,
        _ world: World,
        _ caller: Caller
    ) async throws {
        let server = world.servers[number % 2]
        let document = try Document("write \(random.below(40))", id: id, edited: random.below(90)).parsed()
        let conditions = WriteConditions(ifMatch: random.below(2) == 0 ? nil : .versions([1 + random.below(9)]))
        do {
            switch random.below(5) {
            case 0, 1: _ = try await server.create(document, for: caller)
            case 2, 3: _ = try await server.update(id, document, conditions, for: caller)
            default: _ = try await server.delete(id, conditions, for: caller)
            }
        } catch CloudSyncError.conflict, CloudSyncError.notFound {
            return
        }
    }

    @Test("The migration counts what accounts have already")
    func migration() async throws {
        let address = try await onThread {
            let address = try TestCluster.shared.get().makeDatabase()
            _ = try World.migrator(upTo: 2).run(address)
            return address
        }
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for rule in WriteRule.all.prefix(12) { try await Self.perform(rule, world.servers[0], caller) }
            let columns = "items, tombstones, history_bytes, state_hash"
            let counted = try await world.sql("SELECT \(columns) FROM sync_heads").first
            let dump = try await Self.tables(of: world)
            let rows = try await onThread {
                let session = try BlockingSession(address)
                try session.execute("SET search_path = neuroviews; SET session_replication_role = replica;" + dump)
                _ = try World.migrator.run(address)
                return try session.execute("SET search_path = neuroviews; SELECT \(columns) FROM sync_heads")
            }
            for column in 0..<4 { #expect(rows.first?.text(column) == counted?.text(column), "column \(column)") }
            #expect((rows.first?.int(0) ?? 0) > 0)
        }
    }

    private static func perform(_ rule: WriteRule, _ server: ConfigurationService, _ caller: Caller) async throws {
        for (number, step) in rule.steps.enumerated() {
            // Each rule has an item of its own.
            let id = "\(WriteRule.id.dropLast(2))\(10 + rule.name.utf8.count % 90)"
            do {
                switch step.write {
                case .create(let document):
                    let own = Document("\(rule.name) \(document.name)", id: id, at: document.modifiedAt)
                    _ = try await server.create(own.parsed(), for: caller)
                case .update(let document, _):
                    let own = Document("\(rule.name) \(document.name) \(number)", id: id, at: document.modifiedAt)
                    _ = try await server.update(id, own.parsed(), for: caller)
                case .delete: _ = try await server.delete(id, for: caller)
                }
            } catch CloudSyncError.conflict, CloudSyncError.notFound {
                continue
            }
        }
    }

    /// Statements that put the same rows into the tables of migration 2.
    private static func tables(of world: World) async throws -> String {
        var statements = ""
        let columns = [
            "users": "id, email, password_hash, created_at",
            "sync_heads": "user_id, epoch, seq, changed_at",
            "configurations":
                "user_id, id, spelled_id, document, digest, version, seq, changed_at, edited_at, deleted",
            "configuration_versions":
                "user_id, id, version, document, digest, changed_at, edited_at, device_id, deleted",
            "configuration_conflicts":
                "user_id, id, digest, document, base_version, edited_at, received_at, device_id",
        ]
        for (table, names) in columns.sorted(by: { $0.key < $1.key }) {
            let rows = try await world.sql("SELECT quote_literal(t::text) FROM (SELECT \(names) FROM \(table)) t")
            for index in 0..<rows.count {
                statements += "INSERT INTO \(table) SELECT (\(rows[index].text(0) ?? "")::\(table)).*;"
            }
        }
        return statements
    }

    @Test("What is emptied or deleted of the history no longer counts")
    func released() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for name in ["A", "B", "C"] {
                let document = try Document(name, id: WriteRule.id, edited: 1).parsed()
                _ = try? await world.servers[0].create(document, for: caller)
                _ = try await world.servers[0].update(WriteRule.id, document, .init(ifMatch: .any), for: caller)
            }
            for statement in [
                "UPDATE configuration_versions SET document = NULL WHERE version = 1",
                "DELETE FROM configuration_conflicts",
                "UPDATE configuration_versions SET document = 'x' WHERE version = 2",
            ] {
                try await world.sql(statement)
                let irregular = try await FinalState(of: caller.userID, in: world).irregularities
                #expect(irregular.filter { $0.contains("bytes") } == [], "\(statement)")
            }
        }
    }
}
