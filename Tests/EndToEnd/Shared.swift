import Foundation
import NeuroViewsCrypto
import TestSupport

/// Servers and devices that most tests share: a server takes a second to start, an account half a second of hashing.
enum Shared {
    static let server = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "optional",
            // The server leaves recordings without uploaded bytes unchanged.
            "--media-jobs", "0",
            // The limit of other bodies, because some tests send bad bodies to every operation.
            "--batch-body-max-bytes", "1052672",
            "--openid-providers-file", TestIssuer.file([apple]),
            "--passkey-rp-id", PasskeyDevice.domain, "--passkey-origins",
            PasskeyDevice.origin + ",ios:A1B2C3D4E5.org.example.app",
        ])
    }
    /// The OpenID provider in the document's examples.
    static let apple = TestIssuer("apple")
    private static let firstDevice = Result { try Device.new(server.get().client) }
    private static let secondDevice = Result { try device().other(name: "tablet") }
    private static let stranger = Result { try Device.new(server.get().client) }

    /// A server with production settings: registration closed, signatures required, a public URL of its own.
    static let strictServer = Result {
        try ServerProcess(["--signatures", "required", "--public-url", publicOrigin + "/v2"])
    }
    /// A server with full logging: JSON lines at level debug, every request slow, pages of two origins allowed.
    static let observedServer = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--log-format", "json", "--log-level", "debug",
            "--slow-request-ms", "1", "--cors-origins", "https://app.example.org,http://localhost:3000",
            "--password-cost", "12",
        ])
    }
    static let publicOrigin = "https://cloud.example.org"
    private static let strictDevice = Result {
        let server = try strictServer.get()
        return try addUser(to: server)
    }

    /// A device on the strict server. It does not sign its requests.
    static func signer() throws -> Device { try strictDevice.get() }

    /// Creates an account by the operator's command, beside the running server, and logs in.
    static func addUser(to server: ServerProcess) throws -> Device {
        let email = Device.newEmail()
        let added = try Program.run(
            [Program.server, "user", "add", email, "--data", server.data],
            input: Device.password + "\n"
        )
        guard added.status == 0 else { throw Program.Failure(added.complaint) }
        return try Device.logIn(server.client, email)
    }

    static func client() throws -> APIClient { try server.get().client }

    /// A device of an account that many tests use. Each test uses items of its own.
    static func device() throws -> Device { try firstDevice.get() }

    /// Another device of the same account.
    static func tablet() throws -> Device { try secondDevice.get() }

    /// A device of another account.
    static func other() throws -> Device { try stranger.get() }

    /// A device of an account that no other test uses. Hashing a password for each account would take most of the
    /// tests' time. So this function writes account and session into the database.
    static func newDevice() throws -> Device {
        let (server, master, model) = (try server.get(), try Forger.master(), try device())
        let email = Device.newEmail()
        let rows = try server.sql(
            """
            WITH account AS (
                INSERT INTO users (email, password_hash)
                SELECT '\(email)', password_hash FROM users WHERE id = '\(model.userID)' RETURNING id
            ), head AS (
                INSERT INTO sync_heads (user_id, collection, genesis, chain)
                SELECT id, collection, uuid_send(id), uuid_send(id)
                FROM account, unnest(enum_range(NULL::collection)) collection
            )
            INSERT INTO sessions (user_id, key_id, device_id, confirmed_at)
            SELECT id, '\(master.kid)', 'phone', now() FROM account RETURNING user_id, id
            """
        )
        let ids = rows.first?.split(separator: "|").map(String.init) ?? []
        guard ids.count == 2 else { throw Program.Failure("no account was made") }
        return Device(
            client: server.client,
            email: email,
            token: try Forger.token(sessionID: ids[1], userID: ids[0], counter: 1, expiresIn: 3600),
            signingKey: Base64.padded.encode(master.signingKey(sessionID: ids[1])),
            userID: ids[0]
        )
    }

    /// Another device of the same account, without a login.
    static func session(of device: Device, on name: String) throws -> Device {
        let rows = try server.get().sql(
            """
            INSERT INTO sessions (user_id, key_id, device_id, confirmed_at)
            SELECT user_id, key_id, '\(name)', now() FROM sessions WHERE id = '\(device.sessionID)' RETURNING id
            """
        )
        var other = device
        other.token = try Forger.token(sessionID: rows[0], userID: device.userID, counter: 1, expiresIn: 3600)
        return other
    }
}
