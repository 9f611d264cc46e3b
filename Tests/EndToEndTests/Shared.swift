import Foundation
import TestSupport

/// What most tests share: a server takes a second to start, an account half a second of hashing.
enum Shared {
    static let server = Result { try ServerProcess(["--registration", "open", "--signatures", "optional"]) }
    private static let firstDevice = Result { try Device.new(server.get().client) }
    private static let stranger = Result { try Device.new(server.get().client) }

    static func client() throws -> APIClient { try server.get().client }

    /// A device of an account that many tests use, each with items of its own.
    static func device() throws -> Device { try firstDevice.get() }

    /// A device of another account.
    static func other() throws -> Device { try stranger.get() }

    /// A device of an account that nobody else uses.
    static func newDevice() throws -> Device { try Device.new(client()) }
}
