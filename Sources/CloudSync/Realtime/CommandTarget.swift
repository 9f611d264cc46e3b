/// The device that a command is for.
enum CommandTarget: Equatable {
    /// A connected device, and the server that may deliver to it.
    case device(name: String, serverID: String)
    /// The device that the sender named is not connected; nil: no other device can do it.
    case absent(name: String?)
    /// The sender must name one of these.
    case several([String])

    /// Chooses among the devices of the account. `sender` is one of them, or none. Without `to`, the command passes over devices that can't
    /// do anything: those without a socket, and those whose status accepts no command.
    static func of(_ command: RemoteCommand, from sender: String, among devices: [RealtimeDevice]) -> CommandTarget {
        if let name = command.to {
            guard let device = devices.first(where: { $0.name == name }) else { return .absent(name: name) }
            return .device(name: name, serverID: device.serverID)
        }
        let others = devices.filter { $0.name != sender && $0.isConnected && $0.accepts?.isEmpty != true }
        let accepting = others.filter { device in
            guard let name = command.name, let accepts = device.accepts else { return false }
            return accepts.contains(name)
        }
        let undeclared = others.filter { $0.status != nil && $0.accepts == nil }
        let candidates = [accepting, undeclared, others].first { !$0.isEmpty } ?? []
        guard let first = candidates.first else { return .absent(name: nil) }
        let names = Set(candidates.map(\.name)).sorted()
        return names.count == 1 ? .device(name: first.name, serverID: first.serverID) : .several(names)
    }
}
