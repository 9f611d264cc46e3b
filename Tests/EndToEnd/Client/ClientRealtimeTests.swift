import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Devices of one account in touch", .blocking, .timeLimit(.minutes(Patience.minutes(3))))
struct ClientRealtimeTests {
    private let phone: NeuroViews
    private let watch: NeuroViews

    init() async throws {
        let server = try Shared.server.get()
        let email = try TestSupport.Device.new(server.client, name: "desk").email
        phone = try await Self.client(server, email)
        watch = try await Self.client(server, email)
    }

    /// A device that polls once in an hour.
    private static func client(_ server: ServerProcess, _ email: String) async throws -> NeuroViews {
        var options = Options()
        let folder = Sandbox.makeFolder()
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = FileSecretStore(folder: folder + "/secrets")
        options.pollInterval = .seconds(3600)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.client.port)"))
        let client = try NeuroViews(server: url, options)
        _ = try await client.logIn(with: .password(email: email, password: TestSupport.Device.password))
        return client
    }

    private func stop() async {
        await phone.stop()
        await watch.stop()
    }

    private static func isConnected(_ client: isolated NeuroViews) -> Bool { client.realtime.channel != nil }

    private func connect(_ client: NeuroViews) async throws {
        await client.start()
        try await eventually { await Self.isConnected(client) }
    }

    @Test("A change of one device comes to the other at once, in both directions")
    func notices() async throws {
        try await connect(phone)
        try await connect(watch)
        for (one, other) in [(phone, watch), (watch, phone)] {
            let id = try await one.save(CameraConfiguration(name: "Harbour")).id
            try await one.sync()
            try await eventually { try await other.configuration(id)?.configuration.name == "Harbour" }
            try await one.delete(id)
            try await one.sync()
            try await eventually { try await other.configuration(id) == nil }
        }
        await stop()
    }

    @Test("A device without a socket controls one with a socket, whose app answers, until that stops listening")
    func commands() async throws {
        let commands = phone.commands()
        let camera = Task {
            for await command in commands {
                let factor = command.parameters?["factor"]
                await command.finish(command.name == "set_zoom" ? .done(factor) : .failed("unknown"))
            }
        }
        try await connect(phone)
        try await phone.setStatus(["state": "idle"], accepts: ["set_zoom"])
        try await eventually { try await watch.presence().devices.first?.accepts == ["set_zoom"] }
        let id = try #require(try await watch.presence().devices.first?.id)
        #expect(try await watch.devices().contains { $0.id == id })
        let zoomed = try await watch.send(.setZoom(factor: 2))
        #expect(zoomed.status == .done && zoomed.result == 2)
        let other = try await watch.send(RemoteCommand("dance"), to: id)
        #expect(other.status == .failed && other.error == "unknown")
        camera.cancel()
        await camera.value
        #expect(try await watch.send(.setZoom(factor: 3)).status == .refused)
        await stop()
    }

    @Test("A device sees the status, the streams and the end of another one")
    func presence() async throws {
        try await connect(watch)
        let stream = UUID()
        try await phone.setStatus(["state": "streaming"])
        try await phone.reportStream(.started(stream, destinations: [["id": "a", "stream_key": "secret"]]))
        try await phone.reportStream(.metrics(stream, ["fps": 30]))
        var presences = watch.presenceChanges().makeAsyncIterator()
        try await connect(phone)
        var presence = Presence()
        while presence.streams.first?.metrics == nil { presence = try #require(await presences.next()) }
        #expect(presence.devices.map(\.state) == ["streaming"] && presence.streams.map(\.id) == [stream])
        #expect(presence.streams[0].destinations == [["id": "a"]] && presence.streams[0].metrics == ["fps": 30])
        let asked = try await watch.presence()
        #expect(asked == presence)
        await phone.stop()
        while !presence.devices.isEmpty { presence = try #require(await presences.next()) }
        #expect(presence.streams.isEmpty)
        await stop()
    }

    @Test("The end of a device's session ends its socket, and the next log in opens another")
    func ended() async throws {
        try await connect(phone)
        let id = try #require(try await phone.devices().first { $0.isCurrent }?.id)
        try await watch.confirm(password: TestSupport.Device.password)
        try await watch.removeDevice(id)
        try await eventually { await !Self.isConnected(phone) }
        let email = try await phone.account.account?.email ?? ""
        _ = try await phone.logIn(with: .password(email: email, password: TestSupport.Device.password))
        try await eventually { await Self.isConnected(phone) }
        await stop()
    }
}
