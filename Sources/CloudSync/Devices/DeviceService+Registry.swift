import Postgres

/// A registered device.
package struct RegisteredDevice: Sendable {
    /// The id that the client chose and sends at login.
    package let id: String
    /// The description that the device sent.
    package let description: DeviceDescription
    /// The time of the first request, RFC 3339.
    package let firstSeenAt: String
    /// The time of the last request, within the hour, RFC 3339.
    package let lastSeenAt: String
    /// True if the caller's session runs on it.
    package let isCurrent: Bool
}

/// A device's description of itself.
package struct DeviceDescription: Sendable, Equatable {
    /// The name for people.
    package var name: String?
    /// The model of the device.
    package var model: String?
    /// The version of the client.
    package var appVersion: String?

    /// Takes the values.
    package init(name: String?, model: String?, appVersion: String?) {
        self.name = name
        self.model = model
        self.appVersion = appVersion
    }
}

extension DeviceService {
    /// Returns all devices, the last seen one first.
    package func list(for caller: Caller) async throws -> [RegisteredDevice] {
        try await database.read(for: caller, DeviceSQL.list(.text(caller.userID)))
    }

    /// Adds a device or replaces its description. Throws `.quotaExceeded`.
    package func put(
        _ id: String,
        _ description: DeviceDescription,
        for caller: Caller
    ) async throws -> (device: RegisteredDevice, isNew: Bool) {
        let user = Parameter.text(caller.userID)
        let put = DeviceSQL.put(
            user,
            .text(id),
            .text(description.name),
            .text(description.model),
            .text(description.appVersion),
            .int(Self.countMax)
        )
        let (_, written) = try await database.write(for: caller, SyncSQL.lockConfigurationsHead(user), put)
        guard let device = written.first else {
            throw CloudSyncError.quotaExceeded(.init(quota: .devices, limit: Self.countMax, used: Self.countMax))
        }
        return device
    }

    /// Removes a device and ends its sessions, the caller's own included. Throws `.notFound`. Throws
    /// `.confirmationRequired` if a session of the device has a fresh proof of its person and the caller's has none.
    package func delete(_ id: String, for caller: Caller) async throws {
        let lock = DeviceSQL.lockSessions(.text(caller.userID), .text(caller.sessionID), .text(id))
        let (_, removed) = try await database.write(
            for: caller,
            locking: [lock],
            SessionSQL.requireStanding(.text(caller.sessionID), .text(nil), .text(id)),
            DeviceSQL.delete(.text(caller.userID), .text(id))
        )
        if removed.isEmpty { throw CloudSyncError.problem(.notFound) }
        forget(id, of: caller)
    }
}

extension RegisteredDevice {
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        description = DeviceDescription(
            name: try columns.next(),
            model: try columns.next(),
            appVersion: try columns.next()
        )
        firstSeenAt = try columns.next()
        lastSeenAt = try columns.next()
        isCurrent = try columns.next()
    }
}
