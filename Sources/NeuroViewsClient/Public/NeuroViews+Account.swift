import NeuroViewsJSON

/// The account's devices and limits.
extension NeuroViews {
    /// The devices of the account, last seen first.
    public func devices() async throws(ClientError) -> [Device] {
        try await read("/devices") { json in json.all("devices") { Device($0) } }
    }

    /// Removes a device and ends its sessions, for one that was lost or given away. What it has written stays. A device that
    /// is not there any more is removed, too.
    public func removeDevice(_ id: String) async throws(ClientError) {
        guard !id.isEmpty else { throw .invalidArgument("The id of a device has at least one character.") }
        try await remove("/devices/\(id.percentEncoded)")
    }

    /// Gives this device a name in the account's list of devices, unless it has one there.
    package func nameDevice(_ name: String) async throws(ClientError) {
        guard let own = try await devices().first(where: \.isCurrent), own.name == nil else { return }
        _ = try await call("PATCH", "/devices/\(own.id.percentEncoded)", ["name": .string(name)])
    }

    /// The limits of the account, and how much of each is used.
    public func quotas() async throws(ClientError) -> Quotas {
        try await read("/account/quota") { Quotas($0) }
    }
}
