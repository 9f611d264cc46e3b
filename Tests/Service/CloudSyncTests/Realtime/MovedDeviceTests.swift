import TestSupport
import Testing

@testable import CloudSync

/// The rules for a device that has sockets at two servers, without hub and database.
struct MovedDeviceTests {
    private static func with(_ body: @Sendable (AccountScene) throws -> Void) async throws {
        try await withLoops { loops in try body(AccountScene(loops[0])) }
    }

    private static func server(of device: String, _ scene: AccountScene) -> String? {
        scene.account.state(serverID: "here").devices.first { $0.name == device }?.serverID
    }

    @Test("A device whose socket at another server ends keeps its states with a silent one here")
    func inherited() async throws {
        try await Self.with { scene in
            let phone = try scene.socket("phone")
            scene.read([scene.row("camera", "1")])
            let states = try #require(scene.account.shown("camera"))
            let camera = try scene.socket("camera")
            while !scene.write(phone).isEmpty {}
            scene.read([])
            #expect(scene.messages(for: phone) == [])
            #expect(scene.account.shown("camera")?.rowText == states.rowText)
            #expect(scene.effects.rows == ["camera"] && scene.charges(of: camera) == [1024])
            #expect(!scene.account.tick(nowMs: scene.nowMs))
        }
    }

    @Test("A newer row at another server gets the commands, until the device is heard here again")
    func overtaken() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            let own = scene.status("camera", "1", from: camera)
            // An older row that is found late.
            scene.read([scene.row("camera", "2")])
            #expect(Self.server(of: "camera", scene) == "here")
            scene.read([])
            scene.read([scene.row("camera", "2", isAfterOwn: true)])
            #expect(Self.server(of: "camera", scene) == "elsewhere")
            #expect(scene.account.shown("camera")?.status != Array(own.utf8))
            scene.status("camera", "1", from: camera)
            #expect(Self.server(of: "camera", scene) == "here")
            #expect(scene.account.shown("camera")?.status == Array(own.utf8))
            scene.read([])
            scene.read([scene.row("camera", "2", isAfterOwn: true)])
            #expect(Self.server(of: "camera", scene) == "elsewhere")
            _ = try scene.socket("camera")
            #expect(Self.server(of: "camera", scene) == "here")
        }
    }

    @Test("A device that is at another server is gone from here with its last socket, so that commands find it there")
    func gone() async throws {
        try await Self.with { scene in
            scene.read([scene.row("camera", "1")])
            let camera = try scene.socket("camera")
            #expect(Self.server(of: "camera", scene) == "here")
            scene.account.leave(camera, nowMs: scene.nowMs)
            scene.settle()
            #expect(scene.effects.rows == ["camera"])
            #expect(Self.server(of: "camera", scene) == "elsewhere")
        }
    }

    @Test("The states of a device that comes over count once")
    func sizes() async throws {
        try await Self.with { scene in
            let large = "\"" + String(repeating: "x", count: 15 << 10) + "\""
            scene.read((1...4).map { scene.row("camera-\($0)", large) })
            for number in 4...5 {
                let camera = try scene.socket("camera-\(number)")
                scene.status("camera-\(number)", large, from: camera)
                #expect(scene.hasRefused(.statesTooLarge) == (number == 5))
            }
        }
    }
}
