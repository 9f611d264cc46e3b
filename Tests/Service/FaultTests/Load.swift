import Foundation
import TestSupport

/// Concurrent writers and readers of several accounts during a fault, and their final states.
struct Load {
    /// The final states of the clients of one account.
    struct Account: Sendable {
        let device: Device
        var written: [String: Belief] = [:]
        var read: [(items: [String: Belief], resets: Int)] = []
    }

    static let accounts = 2
    static let writersPerAccount = 4
    static let readersPerAccount = 2

    let server: ServerProcess
    let observations = Observations()
    private(set) var accounts: [Account]

    private enum Ended: Sendable {
        case writer(account: Int, [String: Belief])
        case reader(account: Int, [String: Belief], resets: Int)
    }

    /// Runs the load on a running server until `fault` returns. Throws the first error of a client.
    static func run(
        on server: ServerProcess,
        _ fault: @escaping @Sendable (Observations) throws -> Void
    ) async throws -> Load {
        let devices = try await onThread { try (0..<accounts).map { _ in try Device.new(server.client) } }
        var load = Load(server, devices)
        let observations = load.observations
        try await withThrowingTaskGroup(of: Ended?.self) { group in
            for account in 0..<accounts { load.addClients(of: account, to: &group) }
            group.addTask {
                defer { observations.stop() }
                try await onThread { try fault(observations) }
                return nil
            }
            // Stops the other tasks after any failure.
            defer { observations.stop() }
            for try await ended in group { load.note(ended) }
        }
        return load
    }

    private init(_ server: ServerProcess, _ devices: [Device]) {
        self.server = server
        accounts = devices.map { Account(device: $0) }
    }

    private func addClients(of account: Int, to group: inout ThrowingTaskGroup<Ended?, any Error>) {
        let (server, observations, device) = (server, observations, accounts[account].device)
        observations.noteWriters(Self.writersPerAccount)
        for number in 0..<Self.writersPerAccount {
            group.addTask {
                defer { observations.noteWriters(-1) }
                return try await onThread {
                    let client = LoadClient(server, device, observations)
                    var writer = LoadWriter(client, observations, name: "writer \(account).\(number)")
                    try writer.run()
                    return .writer(account: account, writer.items)
                }
            }
        }
        for number in 0..<Self.readersPerAccount {
            group.addTask {
                return try await onThread {
                    let client = LoadClient(server, device, observations)
                    var reader = LoadReader(client, observations, limit: number == 0 ? nil : 7)
                    try reader.run()
                    try Deadline.wait("the end of the writers", seconds: 60) { observations.writersRunning == 0 }
                    try reader.finish()
                    return .reader(account: account, reader.items, resets: reader.resets)
                }
            }
        }
    }

    private mutating func note(_ ended: Ended?) {
        switch ended {
        case .writer(let account, let items): accounts[account].written.merge(items) { _, new in new }
        case .reader(let account, let items, let resets): accounts[account].read.append((items, resets))
        case nil: break
        }
    }
}
