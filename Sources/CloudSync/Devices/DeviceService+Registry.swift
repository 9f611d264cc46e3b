import Postgres

/// A device as its owner sees it.
public struct RegisteredDevice: Sendable {
    /// The client's own name for it, as login takes it.
    public let id: String
    /// What it tells about itself.
    public let description: DeviceDescription
    /// When it was first there, RFC 3339.
    public let firstSeenAt: String
    /// When it was last there, within the hour, RFC 3339.
    public let lastSeenAt: String
    /// Whether the asking session runs on it.
    public let isCurrent: Bool
}

/// What a device tells about itself.
public struct DeviceDescription: Sendable, Equatable {
    /// Its name for people.
    public var name: String?
    /// What kind of device it is.
    public var model: String?
    /// The version of the client on it.
    public var appVersion: String?

    /// Takes the values.
    public init(name: String?, model: String?, appVersion: String?) {
        self.name = name
        self.model = model
        self.appVersion = appVersion
    }
}

extension DeviceService {
    /// All devices, last seen first.
    public func list(for caller: Caller) async throws -> [RegisteredDevice] {
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, DeviceSQL.list(), record: caller.record)
        }[1]
        return (0..<rows.count).map { RegisteredDevice(rows[$0]) }
    }

    /// Adds a device or replaces what is known of it. Throws `.tooManyDevices`.
    public func put(
        _ id: String,
        _ description: DeviceDescription,
        for caller: Caller
    ) async throws -> (device: RegisteredDevice, isNew: Bool) {
        let step = DeviceSQL.put(
            .text(id),
            .text(description.name),
            .text(description.model),
            .text(description.appVersion),
            .int(Self.countMax)
        )
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write(
                [caller.enter, ConfigurationSQL.lockHead(), step],
                key: caller.userID,
                record: caller.record
            )
        }
        guard let row = rows[2].first else { throw CloudSyncError.tooManyDevices }
        return (RegisteredDevice(row), row.bool(7) ?? false)
    }

    /// Removes a device and ends its sessions, the asking one too when it runs there. Throws `.notFound`.
    public func delete(_ id: String, for caller: Caller) async throws {
        let lock = DeviceSQL.lockSessions(.text(caller.sessionID), .text(id))
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write(
                [lock, caller.enter, DeviceSQL.delete(.text(id))],
                key: caller.userID,
                record: caller.record
            )
        }
        if rows[2].first == nil { throw CloudSyncError.notFound }
        forget(id, of: caller)
    }
}

extension RegisteredDevice {
    fileprivate init(_ row: Row) {
        id = row.text(0) ?? ""
        description = DeviceDescription(name: row.text(1), model: row.text(2), appVersion: row.text(3))
        firstSeenAt = row.text(4) ?? ""
        lastSeenAt = row.text(5) ?? ""
        isCurrent = row.bool(6) ?? false
    }
}
