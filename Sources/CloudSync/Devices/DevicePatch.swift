import Postgres

/// A change of some members of a device's description: a JSON Merge Patch (RFC 7396).
package struct DevicePatch: Sendable {
    /// The change of a member.
    package enum Change: Sendable, Equatable {
        /// The patch does not name the member.
        case unchanged
        /// It has this value from now on; nil for none.
        case set(String?)

        /// True and the value, or false.
        fileprivate var parameters: [Parameter] {
            switch self {
            case .unchanged: [.bool(false), .text(nil)]
            case .set(let value): [.bool(true), .text(value)]
            }
        }
    }

    private let changes: [Change]

    /// Takes the changes.
    package init(name: Change, model: Change, appVersion: Change) { changes = [name, model, appVersion] }

    /// The parameters of `DeviceSQL.patch` after the device's id.
    var parameters: [Parameter] { changes.flatMap(\.parameters) }
}

extension DeviceService {
    /// Changes the named members of a device's description and returns all. Throws `.notFound`.
    package func patch(_ id: String, _ patch: DevicePatch, for caller: Caller) async throws -> RegisteredDevice {
        let change = DeviceSQL.patch([.text(caller.userID), .text(id)] + patch.parameters)
        guard let device = try await database.write(for: caller, change).first else {
            throw CloudSyncError.problem(.notFound)
        }
        return device
    }
}
