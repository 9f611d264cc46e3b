import Foundation
import Net
import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The hubs of two servers on one database. There is no connection for hints between them: a test passes them on by `carryHints`.
struct HubScene: Sendable {
    let world: World
    let hubs: [RealtimeHub]
    let hints: [AccountHints]

    /// Runs `body`, and stops the hubs after it.
    static func with(_ body: @Sendable (HubScene) async throws -> Void) async throws {
        try await World.with { world in
            let scene = try await HubScene(world)
            let result: Result<Void, any Error>
            do { result = .success(try await body(scene)) } catch { result = .failure(error) }
            for hub in scene.hubs { await hub.stop() }
            try result.get()
        }
    }

    private init(_ world: World) async throws {
        self.world = world
        let hints = [AccountHints(), AccountHints()]
        self.hints = hints
        hubs = (0..<2).map { server in
            RealtimeHub(
                database: world.databases[server],
                serverID: UUID().uuidString.lowercased(),
                loops: world.loops,
                hints: hints[server]
            )
        }
        // The tests have no beats: one from the near future lasts long enough.
        for hub in hubs {
            try await world.sql(
                """
                INSERT INTO server_keys (server_id, host, process, key_ids, missing_ids, seen_at)
                VALUES ('\(hub.serverID)', 'test', 1, '{}', '{}', now() + interval '50 seconds')
                """
            )
        }
    }

    /// Passes all hints of one server on to the other.
    func carryHints(from server: Int) {
        while !hints[server].isEmpty { hubs[1 - server].take(hints[server].take()) }
    }

    /// Opens a socket, and waits until it is ready. It takes each batch at once.
    func socket(_ caller: Caller, at server: Int = 0) async throws -> HubSocket {
        let socket = try HubSocket(caller, hubs[server], world.loops[0])
        try await hubs[server].open(socket.seat)
        _ = try await hubs[server].ready(socket.seat)
        return socket
    }

    /// A service that announces its writes to the first hub.
    var announcing: ConfigurationService {
        let hub = hubs[0]
        return ConfigurationService(
            database: world.databases[0],
            devices: DeviceService(database: world.databases[0], now: { 0 }),
            work: World.work,
            overlapSeconds: 0,
            announce: { userID in
                if let account = AccountID(userID) { hub.announce(.heads, of: account) }
            }
        )
    }
}

/// A seat of a hub that notes its messages. It has no connection.
final class HubSocket: Sendable {
    private struct Got {
        var texts: [String] = []
        var end: RealtimeEnd?
        var seat: RealtimeSeat?
    }

    /// The notes, which the seat's closure fills.
    private final class Box: Sendable {
        let got = Locked(Got())
    }

    private let box: Box
    let seat: RealtimeSeat

    init(
        _ caller: Caller,
        _ hub: RealtimeHub,
        _ loop: EventLoop,
        _ door: RealtimeSeat.Door = .socket(speaksV2: true)
    ) throws {
        let box = Box()
        let seat = RealtimeSeat(
            userID: caller.userID,
            sessionID: caller.sessionID,
            counter: caller.counter,
            door: door,
            loop: loop,
            receive: { delivery in
                switch delivery {
                case .messages(let texts):
                    let seat = box.got.withLock { got in
                        got.texts += texts.map { String(decoding: $0.text, as: UTF8.self) }
                        return got.seat
                    }
                    if let seat { hub.wrote(seat) }
                case .ended(let end): box.got.withLock { $0.end = end }
                case .states, .refused: break
                }
            }
        )
        self.box = box
        self.seat = try #require(seat)
        let own = self.seat
        box.got.withLock { $0.seat = own }
    }

    /// The messages that have arrived.
    var texts: [String] { box.got.withLock { $0.texts } }

    /// The reason of the hub's end of the seat; nil while it is open.
    var end: RealtimeEnd? { box.got.withLock { $0.end } }

    /// Publishes a status of that device.
    func publish(_ device: String, _ status: String, to hub: RealtimeHub) {
        let data = #"{"device_id":"\#(device)","status":\#(status)}"#
        let event = RealtimeEvent(.deviceStatus(deviceID: device, accepts: nil), data: Array(data.utf8))
        hub.publish(event, from: seat, reply: nil)
    }
}
