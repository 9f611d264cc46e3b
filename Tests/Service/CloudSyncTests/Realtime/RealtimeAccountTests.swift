import TestSupport
import Testing

@testable import CloudSync

/// The rules of one account, without hub and database.
struct RealtimeAccountTests {
    private static func with(_ body: @Sendable (AccountScene) throws -> Void) async throws {
        try await withLoops { loops in try body(AccountScene(loops[0])) }
    }

    @Test("A status goes to all other sockets of the account, byte for byte")
    func relay() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            let data = scene.status("camera", #"{ "battery":1.50e+0 }"#, from: camera)
            #expect(scene.messages(for: phone) == [#"{"type":"device_status","from":"camera","data":\#(data)}"#])
            #expect(scene.messages(for: camera) == [])
        }
    }

    @Test("A slow socket gets only the newest state of each key")
    func newest() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            scene.status("camera", "0", from: camera)
            for number in 1...100 { scene.status("camera", "\(number)", from: camera) }
            let texts = scene.write(phone)
            #expect(texts.count == 1 && texts.first?.contains(#""status":100}"#) == true)
            #expect(scene.write(phone) == [])
        }
    }

    @Test("A batch that is being written is followed by the next one only after it")
    func inFlight() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            scene.status("camera", "1", from: camera)
            #expect(scene.messages(for: phone).count == 1)
            scene.publish(.streamingStopped(sessionID: "s"), "{}", from: camera)
            #expect(scene.messages(for: phone) == [])
            #expect(scene.write(phone).count == 1)
        }
    }

    @Test("The end of a batch is told if it had a command, or if something waits")
    func told() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            scene.status("camera", "1", from: camera)
            let isToldForNothing = phone.turn.end()
            #expect(!isToldForNothing)
            scene.status("camera", "2", from: camera)
            #expect(scene.messages(for: phone).count == 1)
            scene.status("camera", "3", from: camera)
            let isToldForMessage = phone.turn.end()
            #expect(isToldForMessage)
            #expect(scene.write(phone).count == 1)
            scene.account.take(scene.command("a", for: "camera"), readMs: scene.nowMs)
            scene.settle()
            let isToldForCommand = camera.turn.end()
            #expect(isToldForCommand)
        }
    }

    @Test("A waiting state is sent once, also among many")
    func manyKeys() {
        var out = Outgoing()
        let keys = (0..<40).map { StateKey.status("\($0)") }
        for key in keys + keys { out.add(key) }
        var sent: [StateKey] = []
        while case .state(let key)? = out.next() { sent.append(key) }
        #expect(sent == keys && out.isEmpty)
    }

    @Test("A device's row is noted once until it is written")
    func rows() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            scene.status("camera", "1", from: camera)
            #expect(scene.effects.rows == ["camera"])
            scene.status("camera", "2", from: camera)
            #expect(scene.effects.rows == [])
            _ = scene.account.rowChange(of: "camera", nowMs: scene.nowMs)
            scene.status("camera", "3", from: camera)
            #expect(scene.effects.rows == ["camera"])
        }
    }

    @Test("A new socket gets heads and the states of the other devices")
    func snapshot() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            scene.status("camera", "1", from: camera)
            scene.publish(.streamingStarted(sessionID: "s"), #"{"session_id":"s"}"#, from: camera)
            let seat = try scene.opened()
            #expect(scene.account.open(seat, nowMs: scene.nowMs))
            scene.account.confirm(seat, device: "phone")
            #expect(scene.account.admit(seat, nowMs: scene.nowMs) == "phone")
            scene.settle()
            let types = scene.messages(for: seat).compactMap { $0.split(separator: "\"").dropFirst(3).first }
            #expect(types == ["account_changed", "device_status", "streaming_started"])
        }
    }

    @Test("A client of the specification's five types gets neither notices nor ends")
    func plain() async throws {
        try await Self.with { scene in
            let (camera, old) = (try scene.socket("camera"), try scene.socket("old", speaksV2: false))
            var heads = RealtimeHeads()
            heads.configurations = "1"
            scene.account.take(heads, hintedAtNs: 1)
            scene.settle()
            #expect(scene.messages(for: old) == [] && scene.messages(for: camera).count == 1)
            scene.publish(.streamingStopped(sessionID: "s"), "{}", from: camera)
            #expect(scene.messages(for: old) == [])
            scene.status("camera", "1", from: camera)
            #expect(scene.messages(for: old).count == 1)
        }
    }

    @Test("A device is offline five seconds after its last socket, unless it returns before")
    func offline() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            scene.status("camera", "1", from: camera)
            #expect(scene.write(phone) == [])
            scene.account.leave(camera, nowMs: scene.nowMs)
            scene.nowMs += 4000
            #expect(!scene.account.tick(nowMs: scene.nowMs))
            #expect(scene.account.state(serverID: "here").devices.map(\.isConnected) == [false, true])
            let again = try scene.socket("camera")
            scene.account.leave(again, nowMs: scene.nowMs)
            scene.nowMs += 5000
            #expect(scene.account.tick(nowMs: scene.nowMs))
            scene.settle()
            #expect(scene.messages(for: phone) == [String(decoding: RealtimeText.offline("camera"), as: UTF8.self)])
            #expect(scene.effects.rows == ["camera"])
        }
    }

    @Test("A stream without a message for a minute is over")
    func silentStream() async throws {
        try await Self.with { scene in
            let (camera, phone) = (try scene.socket("camera"), try scene.socket("phone"))
            scene.publish(.streamingStarted(sessionID: "s"), #"{"session_id":"s"}"#, from: camera)
            _ = scene.write(phone)
            scene.nowMs += 60_001
            #expect(scene.account.tick(nowMs: scene.nowMs))
            scene.settle()
            let stopped = String(decoding: RealtimeText.stopped("camera", "s"), as: UTF8.self)
            #expect(scene.messages(for: phone) == [stopped])
        }
    }

    @Test("A third socket of a session ends the oldest one")
    func replaced() async throws {
        try await Self.with { scene in
            let first = try scene.socket("camera", session: 7)
            _ = try scene.socket("camera", session: 7)
            let third = try scene.opened(session: 7)
            #expect(scene.account.open(third, nowMs: scene.nowMs))
            _ = scene.account.admit(third, nowMs: scene.nowMs)
            scene.settle()
            #expect(scene.ended(first) == .replaced)
            #expect(scene.account.seats.count == 2)
        }
    }

    @Test("An account has 32 seats, five openings a second, and four waits of a session")
    func limits() async throws {
        try await Self.with { scene throws in
            for number in 0..<5 { #expect(try scene.opens(atMs: UInt64(number))) }
            #expect(try scene.opens(atMs: 999) == false)
            #expect(try scene.opens(atMs: 1000))
            for _ in 0..<4 { #expect(try scene.opens(.request, session: 9, atMs: 1000)) }
            #expect(try scene.opens(.request, session: 9, atMs: 1000) == false)
            for _ in 0..<22 { #expect(try scene.opens(.request, atMs: 1000)) }
            #expect(try scene.opens(.request, atMs: 1000) == false)
        }
    }

    @Test("An opening that was not admitted leaves its place to others")
    func refusedOpenings() async throws {
        try await Self.with { scene throws in
            let seats = try (0..<5).map { _ in try scene.opened() }
            for seat in seats { #expect(scene.account.open(seat, nowMs: 0)) }
            #expect(try scene.opens(atMs: 1) == false)
            _ = scene.account.admit(seats[0], nowMs: 1)
            for seat in seats { scene.account.leave(seat, nowMs: 1) }
            for _ in 0..<4 { #expect(try scene.opens(atMs: 1)) }
            #expect(try scene.opens(atMs: 1) == false)
        }
    }

    @Test("The first status names a device whose session has none, and a status of another device is refused")
    func naming() async throws {
        try await Self.with { scene in
            let (seat, phone) = (try scene.socket(nil), try scene.socket("phone"))
            scene.status("camera", "1", from: seat)
            #expect(scene.messages(for: phone).first?.contains(#""from":"camera""#) == true)
            scene.status("phone", "2", from: seat)
            #expect(scene.messages(for: phone) == [])
            #expect(scene.hasRefused(.otherDevice(own: "camera")))
        }
    }

    @Test("States beyond 16 KiB of a device and 64 KiB of an account are refused")
    func sizes() async throws {
        try await Self.with { scene in
            let large = "\"" + String(repeating: "x", count: 15 << 10) + "\""
            let cameras = try (1...5).map { try scene.socket("camera-\($0)") }
            scene.status("camera-1", large, from: cameras[0])
            scene.publish(.streamingMetrics(sessionID: "s"), large, from: cameras[0])
            #expect(scene.hasRefused(.statesTooLarge))
            #expect(scene.account.shown("camera-1")?.streams.isEmpty == true)
            for (index, camera) in cameras.enumerated() {
                scene.status("camera-\(index + 1)", large, from: camera)
                #expect(scene.hasRefused(.statesTooLarge) == (index == 4))
            }
        }
    }

    @Test("The states of a device count for one of its sockets: the last that sent one, after its end the newest")
    func payer() async throws {
        try await Self.with { scene in
            let large = "\"" + String(repeating: "x", count: 15 << 10) + "\""
            let (first, second) = (try scene.socket("camera"), try scene.socket("camera"))
            scene.status("camera", large, from: first)
            #expect(scene.charges(of: first) == [16 << 10])
            scene.status("camera", large, from: second)
            #expect(scene.charges(of: first) == [0] && scene.charges(of: second) == [16 << 10])
            scene.account.leave(second, nowMs: scene.nowMs)
            scene.settle()
            #expect(scene.charges(of: first) == [16 << 10])
            scene.account.leave(first, nowMs: scene.nowMs)
            // The device is not offline yet.
            let third = try scene.opened()
            #expect(scene.account.open(third, nowMs: scene.nowMs))
            scene.account.confirm(third, device: "camera")
            _ = scene.account.admit(third, nowMs: scene.nowMs)
            scene.settle()
            #expect(scene.charges(of: third) == [16 << 10])
        }
    }
}
