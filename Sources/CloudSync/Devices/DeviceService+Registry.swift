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
        try await database.read(for: caller, DeviceSQL.list())
    }

    /// Adds a device or replaces what is known of it. Throws `.quotaExceeded`.
    public func put(
        _ id: String,
        _ description: DeviceDescription,
        for caller: Caller
    ) async throws -> (device: RegisteredDevice, isNew: Bool) {
        let put = DeviceSQL.put(
            .text(id),
            .text(description.name),
            .text(description.model),
            .text(description.appVersion),
            .int(Self.countMax)
        )
        let (_, written) = try await database.write(for: caller, HistorySQL.lockHead(), put)
        guard let device = written.first else {
            throw CloudSyncError.quotaExceeded(.init(quota: .devices, limit: Self.countMax, used: Self.countMax))
        }
        return device
    }

    /// Removes a device and ends its sessions, the asking one too when it runs there. Throws `.notFound`, and `.confirmationRequired` where the
    /// person at the device has proven more.
    public func delete(_ id: String, for caller: Caller) async throws {
        let lock = DeviceSQL.lockSessions(.text(caller.sessionID), .text(id))
        let (_, removed) = try await database.write(
            for: caller,
            locking: [lock],
            SessionSQL.requireStanding(.text(caller.sessionID), .text(nil), .text(id)),
            DeviceSQL.delete(.text(id))
        )
        if removed.isEmpty { throw CloudSyncError.notFound }
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
