import CloudSync
import Net
import Postgres
import TestSupport

/// A run for one seed: several users with several devices, concurrent writers and readers, and the final states.
struct ConvergenceRun {
    struct Account: Sendable {
        let userID: String
        var writers: [ConvergenceWriter] = []
        var readers: [ConvergenceReader] = []
    }

    static let users = 3
    static let writersPerUser = 4
    static let writesPerWriter = 25

    private enum Worker: Sendable {
        case writer(account: Int, ConvergenceWriter)
        case reader(account: Int, ConvergenceReader)
    }

    /// Delays every commit by up to 30 ms. Meanwhile its row is invisible, but its inputs are visible.
    static func delayCommits(in world: World, seed: Int) async throws {
        try await world.sql(
            """
            CREATE FUNCTION public.delay_commit() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_sleep(abs(hashtextextended(NEW.id::text || NEW.version, \(seed)) % 31) / 1000.0);
                RETURN NULL;
            END
            $$;
            CREATE CONSTRAINT TRIGGER delay_commit AFTER INSERT ON configuration_versions
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.delay_commit()
            """
        )
    }

    static func run(in world: World, seed: Int) async throws -> [Account] {
        var accounts: [Account] = []
        var workers: [Worker] = []
        for user in 0..<users {
            let devices = try await world.newAccount(devices: writersPerUser)
            accounts.append(Account(userID: devices[0].userID))
            workers += makeWorkers(user, devices, world, seed)
        }
        for worker in try await runAll(workers, world) {
            switch worker {
            case .writer(let account, let writer): accounts[account].writers.append(writer)
            case .reader(let account, let reader): accounts[account].readers.append(reader)
            }
        }
        return accounts
    }

    private static func makeWorkers(_ user: Int, _ devices: [Caller], _ world: World, _ seed: Int) -> [Worker] {
        func random(_ number: Int) -> SeededRandom { SeededRandom(seed: seed, worker: user * 100 + number) }
        let writers = devices.enumerated().map { number, caller in
            // Different lengths of the names spread the writers over the servers.
            let name = "user \(user) writer " + String(repeating: "w", count: number + 1)
            return Worker.writer(
                account: user,
                ConvergenceWriter(world: world, caller: caller, name: name, random: random(number))
            )
        }
        var sizes = random(50)
        let cursors: [ConvergenceReader.Cursor] = [
            .token(limit: nil), .token(limit: 1), .token(limit: 2 + sizes.below(5)), .lastSync, .lastSync,
            .pages(rows: 1), .fullSet(rows: 4 + sizes.below(5)),
        ]
        let readers = cursors.enumerated().map { number, cursor in
            Worker.reader(
                account: user,
                ConvergenceReader(
                    world: world,
                    caller: devices[number % devices.count],
                    cursor: cursor,
                    random: random(60 + number)
                )
            )
        }
        return writers + readers
    }

    /// Runs writers and readers alternately on the two loops. The readers stop after the last writer.
    private static func runAll(_ workers: [Worker], _ world: World) async throws -> [Worker] {
        let isDone = Flag()
        return try await withThrowingTaskGroup(of: Worker.self) { group in
            defer { isDone.set() }
            var writing = 0
            for (number, worker) in workers.enumerated() {
                if case .writer = worker { writing += 1 }
                group.addTask(executorPreference: world.loops[number / 2 % world.loops.count]) {
                    try await run(worker, isDone)
                }
            }
            var finished: [Worker] = []
            while let worker = try await group.next() {
                finished.append(worker)
                if case .writer = worker { writing -= 1 }
                if writing == 0 { isDone.set() }
            }
            return finished
        }
    }

    private static func run(_ worker: Worker, _ isDone: Flag) async throws -> Worker {
        switch worker {
        case .writer(let account, var writer):
            try await writer.run(writes: writesPerWriter)
            return .writer(account: account, writer)
        case .reader(let account, var reader):
            try await reader.run(until: isDone)
            return .reader(account: account, reader)
        }
    }
}
