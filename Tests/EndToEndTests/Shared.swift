import Foundation
import TestSupport

/// What most tests share: a server takes a second to start, an account half a second of hashing.
enum Shared {
    static let server = Result { try ServerProcess(["--registration", "open", "--signatures", "optional"]) }
    private static let firstDevice = Result { try Device.new(server.get().client) }
    private static let stranger = Result { try Device.new(server.get().client) }

    /// A server as an operator runs it: registration closed, signatures required, a public URL of its own.
    static let strictServer = Result {
        try ServerProcess(["--signatures", "required", "--public-url", publicOrigin + "/v2"])
    }
    static let publicOrigin = "https://cloud.example.org"
    private static let strictDevice = Result {
        let server = try strictServer.get()
        return try addUser(to: server)
    }

    /// A device on the strict server. It signs nothing by itself.
    static func signer() throws -> Device { try strictDevice.get() }

    /// Makes an account as an operator does, beside the running server, and logs in.
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

    /// A device of an account that many tests use, each with items of its own.
    static func device() throws -> Device { try firstDevice.get() }

    /// A device of another account.
    static func other() throws -> Device { try stranger.get() }

    /// A device of an account that nobody else uses.
    static func newDevice() throws -> Device { try Device.new(client()) }
}
