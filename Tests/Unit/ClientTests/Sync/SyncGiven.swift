import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

/// A device at a server of its own. Each client is another process of it.
struct SyncGiven: Sendable {
    let server = FakeConfigurations()
    let folder = Sandbox.makeFolder()
    let table: AnswerTable
    let gate: SyncGate

    init() {
        table = AnswerTable { [server] request throws(TransportError) in try server.answer(request) }
        gate = SyncGate(table)
    }

    /// A client of the folder, or of a copy of it.
    func client(at copy: String? = nil, _ change: (inout ClientSetup, inout Options) -> Void = { _, _ in }) throws
        -> NeuroViews
    {
        var (options, setup) = (Options(), ClientSetup())
        options.folder = URL(fileURLWithPath: (copy ?? folder) + "/data")
        options.secrets = FileSecretStore(folder: (copy ?? folder) + "/secrets")
        (setup.transport, setup.systemID, setup.pauseMaxMs) = (gate, "this one", 20)
        change(&setup, &options)
        return try NeuroViews(server: #require(URL(string: "https://cloud.example.org")), options, setup)
    }

    /// A client that is logged in and has pulled.
    func synced(_ change: (inout ClientSetup, inout Options) -> Void = { _, _ in }) async throws -> NeuroViews {
        let client = try client(change)
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        try await client.sync()
        return client
    }

    /// The writes so far.
    var writes: [AnswerTable.Request] { table.requests.filter { $0.method != "GET" } }

    /// The number of pulls so far.
    var pulls: Int { table.names.count { $0.hasPrefix("GET /configurations") } }

    /// The names on the server, sorted.
    var names: [String] { server.documents.values.compactMap { $0.object["name"]?.string }.sorted() }
}

extension NeuroViews {
    /// Makes a configuration of that name.
    func make(_ name: String) throws -> UUID { try save(CameraConfiguration(name: name)).id }

    func rename(_ id: UUID, _ name: String) throws { try edit(id) { $0.name = name } }

    /// The names that are shown, sorted.
    var names: [String] { get throws { try configurations().map(\.configuration.name).sorted() } }

    /// The error of a sync that must fail.
    func syncFailure() async -> ClientError? {
        do throws(ClientError) {
            try await sync()
            return nil
        } catch {
            return error
        }
    }
}

/// Holds requests back while it is shut.
final class SyncGate: NeuroViewsClient.Transport {
    private let table: AnswerTable
    private let shut = Guarded<Gate?>(nil)

    init(_ table: AnswerTable) { self.table = table }

    /// Answers wait until the gate that is returned opens.
    func close() -> Gate {
        let gate = Gate()
        shut.withLock { $0 = gate }
        return gate
    }

    func send(_ request: TransferRequest, into file: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        let gate = shut.withLock { gate in
            defer { gate = nil }
            return gate
        }
        let answer = try await table.send(request, into: file)
        await gate?.pass()
        if Task.isCancelled { throw .cancelled }
        return answer
    }
}
