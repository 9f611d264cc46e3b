import CloudSync
import Net
import TestSupport

/// Somebody who tries things at one of a world's servers.
struct Guesser: Sendable {
    let limits: AttemptLimits
    /// How many attempts were looked at.
    let looked = Counter()

    init(_ world: World, server: Int = 0, _ maxima: AttemptLimits.Maxima = .init()) {
        limits = AttemptLimits(database: world.databases[server], keys: World.keys, maxima: maxima)
    }

    /// A login with a wrong password, or with the right one. Returns the limit that is reached, nil when the password was looked at.
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
        return try await attempt(.login(login), failing: isRight ? nil : .credentialsInvalid)
    }

    /// An attempt that ends with an error, or well.
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

    /// How many of `count` attempts in turn were looked at.
    func looked(_ count: Int, _ attempt: (Int) async throws -> ReachedLimit?) async throws -> Int {
        var passed = 0
        for number in 0..<count where try await attempt(number) == nil { passed += 1 }
        return passed
    }
}

extension World {
    /// An account with this address that has logged in on these devices and from these addresses.
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

    /// Lets time pass for attempts.
    func passAttempts(seconds: Int) async throws {
        try await sql("UPDATE attempts SET ends_at = ends_at - interval '\(seconds) seconds'")
    }
}
