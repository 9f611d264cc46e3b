import CloudSync
import Net
import Problems
import TestSupport
import Testing

/// The counting of attempts.
struct AttemptLimitTests {
    private static let strangers = (0..<1000).map { "10.1.\($0 / 250).\($0 % 250)" }

    @Test("Only 10 of 200 concurrent guesses at two servers from 200 addresses are checked", arguments: [true, false])
    func atOnce(isKnown: Bool) async throws {
        try await World.with { world in
            if isKnown { try await world.newAccount("ada@example.org") }
            // Slow insertions, so that other transactions read in between.
            try await world.sql(
                """
                CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
                CREATE TRIGGER slow BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION public.slow()
                """
            )
            let guessers = [Guesser(world), Guesser(world, server: 1)]
            let refused = try await withThrowingTaskGroup(of: ReachedLimit?.self) { group in
                for (number, address) in Self.strangers.prefix(200).enumerated() {
                    group.addTask(executorPreference: world.loops[number / 2 % 2]) {
                        try await guessers[number % 2].logIn("ada@example.org", from: address)
                    }
                }
                return try await group.reduce(into: [ReachedLimit]()) { if let limit = $1 { $0.append(limit) } }
            }
            #expect(guessers.map(\.looked.value).reduce(0, +) == 10)
            #expect(refused.count == 190)
            #expect(refused.allSatisfy { $0.limit == 10 && (800...900).contains($0.waitSeconds) })
        }
    }

    @Test("An address may fail 100 times with any accounts, and another /64 has its own count")
    func address() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let passed = try await guesser.looked(103) {
                try await guesser.logIn("user\($0)@example.org", from: "2001:db8:0:1::\($0)")
            }
            #expect(passed == 100)
            let reached = try await guesser.logIn("another@example.org", from: "2001:db8:0:1:ffff::")
            #expect(reached?.limit == 100)
            #expect(try await guesser.logIn("another@example.org", from: "2001:db8:0:2::1") == nil)
            #expect(try await guesser.logIn("user1@example.org", from: "192.0.2.9") == nil)
        }
    }

    @Test("Successes and the server's own failures do not count as attempts, and every other failure does")
    func givenBack() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let login = LimitedAttempt.login(LoginAttempt(email: "ada@example.org", password: ""))
            let harmless: [CloudSyncError?] = [
                nil, .problem(.overloaded), .databaseUnavailable(reason: "away"), .invalid([]),
            ]
            for error in harmless {
                let passed = try await guesser.looked(11) { _ in try await guesser.attempt(login, failing: error) }
                #expect(passed == 11)
            }
            let passed = try await guesser.looked(12) {
                let type: ProblemType = $0 == 0 ? .confirmationRequired : .credentialsInvalid
                return try await guesser.attempt(login, failing: .problem(type))
            }
            #expect(passed == 10)
            let right = try await guesser.attempt(login, failing: nil)
            #expect(right?.limit == 10, "the right password isn't looked at either")
        }
    }

    @Test("A password check that is cancelled does not count as an attempt")
    func cancelled() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let login = LimitedAttempt.login(LoginAttempt(email: "ada@example.org", password: ""))
            for _ in 0..<12 {
                let task = Task {
                    try await guesser.limits.passing(login) { _ in try await Task.sleep(for: .seconds(3600)) }
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            let counted = try await world.sql("SELECT FROM attempts")
            #expect(counted.count == 0)
        }
    }

    @Test("Each attempt expires by itself, and the wait is until the next one expires")
    func windowEnds() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let first = try await guesser.looked(6) { _ in try await guesser.logIn("ada@example.org") }
            #expect(first == 6)
            try await world.passAttempts(seconds: 600)
            let second = try await guesser.looked(6) { _ in try await guesser.logIn("ada@example.org") }
            #expect(second == 4)
            let wait = try await guesser.logIn("ada@example.org")?.waitSeconds ?? 0
            #expect((200...300).contains(wait))
            try await world.passAttempts(seconds: wait)
            let third = try await guesser.looked(9) { _ in try await guesser.logIn("ada@example.org") }
            // On a busy machine, the first six were more than a second apart.
            try await world.passAttempts(seconds: 60)
            let fourth = try await guesser.looked(9) { _ in try await guesser.logIn("ada@example.org") }
            #expect(third >= 1 && third + fourth == 6)
        }
    }

    @Test("Refused attempts do not extend the wait")
    func refusedDoesNotCount() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            _ = try await guesser.looked(30) { _ in try await guesser.logIn("ada@example.org") }
            #expect(try await world.sql("SELECT DISTINCT id FROM attempts").count == 10)
        }
    }

    @Test("Spellings of an e-mail address share one count, and the table has no typed address")
    func spelling() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let spellings = ["jose@example.org", "JOSE@EXAMPLE.ORG", "Jose@Example.Org"]
            let passed = try await guesser.looked(15) { try await guesser.logIn(spellings[$0 % 3]) }
            #expect(passed == 10)
            let rows = try await world.sql(
                "SELECT a::text, encode(key, 'escape'), key = sha256(convert_to('{account,jose@example.org}', 'UTF8')) FROM attempts a"
            )
            for index in 0..<rows.count {
                let text = "\(rows[index].text(0) ?? "") \(rows[index].text(1) ?? "")"
                #expect(!text.contains("example") && !text.contains("192.0.2.1"))
                #expect(rows[index].bool(2) == false)
            }
        }
    }

    @Test("Each session may send 20 wrong passwords")
    func session() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            func check(_ session: String) -> LimitedAttempt { .passwordCheck(sessionID: session) }
            let passed = try await guesser.looked(25) { _ in
                try await guesser.attempt(check("1"), failing: .problem(.credentialsInvalid))
            }
            #expect(passed == 20)
            #expect(try await guesser.attempt(check("2"), failing: .problem(.credentialsInvalid)) == nil)
        }
    }

    @Test("An account may log in by passkey 100 times in an hour, and successes count")
    func passkeys() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let passed = try await guesser.looked(102) { _ in
                try await guesser.attempt(.passkeyLogin(userID: "1"), failing: nil)
            }
            #expect(passed == 100)
            #expect(try await guesser.attempt(.passkeyLogin(userID: "2"), failing: nil) == nil)
        }
    }

    @Test("An address may register 100 times in an hour; all clients of a Unix socket count as one")
    func registrations() async throws {
        try await World.with { world in
            let guesser = Guesser(world)
            let places = ["192.0.2.1", "2001:db8::1", nil]
            for place in places {
                let registration = LimitedAttempt.registration(place.flatMap { IPAddress($0) })
                let passed = try await guesser.looked(102) {
                    try await guesser.attempt(registration, failing: $0 % 2 == 0 ? nil : .problem(.emailTaken))
                }
                #expect(passed == 100)
                let reached = try await guesser.attempt(registration, failing: nil)
                #expect((3400...3600).contains(reached?.waitSeconds ?? 0))
                #expect(try await guesser.attempt(registration, failing: .invalid([]))?.limit == 100)
            }
            let login = try await guesser.logIn("ada@example.org")
            #expect(login == nil, "logins are counted apart")
        }
    }

    @Test("A limit of 0 means unlimited, for each limit separately")
    func zero() async throws {
        try await World.with { world in
            var maxima = AttemptLimits.Maxima()
            (maxima.login, maxima.address) = (0, 3)
            let some = Guesser(world, maxima)
            let strangers = try await some.looked(5) { try await some.logIn("ada@example.org", from: "10.0.0.\($0)") }
            #expect(strangers == 5)
            let here = try await some.looked(5) { _ in try await some.logIn("ada@example.org") }
            #expect(here == 3)
            (maxima.address, maxima.device, maxima.knownAddress, maxima.registrations) = (0, 0, 0, 0)
            let none = Guesser(world, maxima)
            let count = try await world.sql("SELECT FROM attempts").count
            let unlimited = try await none.looked(30) { _ in try await none.logIn("ada@example.org") }
            #expect(unlimited == 30)
            #expect(try await none.attempt(.registration(nil), failing: nil) == nil)
            #expect(try await world.sql("SELECT FROM attempts").count == count)
        }
    }
}
