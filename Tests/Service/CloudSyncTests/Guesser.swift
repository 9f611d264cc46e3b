import CloudSync
import Net
import TestSupport

/// A client that makes attempts at one of a world's servers.
struct Guesser: Sendable {
    let limits: AttemptLimits
    /// The number of attempts not refused by a limit.
    let looked = Counter()

    init(_ world: World, server: Int = 0, _ maxima: AttemptLimits.Maxima = .init()) {
        limits = AttemptLimits(database: world.databases[server], keys: World.keys, maxima: maxima)
    }

    /// Logs in with a wrong password, or with the right one if `isRight`. Returns the reached limit; nil if the
    /// password was checked.
    func logIn(
        _ email: String,
        device: String? = nil,
        from address: String? = "192.0.2.1",
        isRight: Bool = false
    ) async throws -> ReachedLimit? {
        let login = LoginAttempt(
            email: email,
            password: "",
            deviceID: device,
            address: address.flatMap { IPAddress($0) }
        )
        return try await attempt(.login(login), failing: isRight ? nil : .problem(.credentialsInvalid))
    }

    /// Makes an attempt that fails with `error`, or succeeds if it is nil. Returns the reached limit; nil if there was
    /// none.
    func attempt(_ attempt: LimitedAttempt, failing error: CloudSyncError?) async throws -> ReachedLimit? {
        var isLookedAt = false
        do {
            try await limits.passing(attempt) { _ in
                isLookedAt = true
                looked.add()
                if let error { throw error }
            }
        } catch CloudSyncError.rateLimited(let limit) {
            return limit
        } catch {
            guard isLookedAt else { throw error }
        }
        return nil
    }

    /// Makes `count` attempts, one after the other. Returns the number not refused by a limit.
    func looked(_ count: Int, _ attempt: (Int) async throws -> ReachedLimit?) async throws -> Int {
        var passed = 0
        for number in 0..<count where try await attempt(number) == nil { passed += 1 }
        return passed
    }
}

extension World {
    /// Creates an account with earlier logins on these devices and from these addresses.
    func newAccount(_ email: String, devices: [String] = [], addresses: [String] = []) async throws {
        try await sql("INSERT INTO users (email, password_hash) VALUES ('\(email)', '-')")
        for device in devices {
            try await sql(
                "INSERT INTO devices (user_id, id, logged_in_at) SELECT id, '\(device)', now() FROM users WHERE email = '\(email)'"
            )
        }
        for address in addresses {
            try await sql("SELECT note_address(id, '\(address)', 20) FROM users WHERE email = '\(email)'")
        }
    }

    /// Moves all attempts into the past.
    func passAttempts(seconds: Int) async throws {
        try await sql("UPDATE attempts SET ends_at = ends_at - interval '\(seconds) seconds'")
    }
}
