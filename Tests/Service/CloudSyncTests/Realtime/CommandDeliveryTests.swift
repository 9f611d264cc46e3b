import TestSupport
import Testing

@testable import CloudSync

/// The delivery of commands to the sockets of one account.
struct CommandDeliveryTests {
    private static func with(_ body: @Sendable (AccountScene) throws -> Void) async throws {
        try await withLoops { loops in try body(AccountScene(loops[0])) }
    }

    @Test("A command that is read again is not delivered again")
    func once() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            for _ in 0..<3 { scene.account.take(scene.command("a", for: "camera"), readMs: scene.nowMs) }
            scene.settle()
            #expect(scene.messages(for: camera).count == 1)
            #expect(scene.write(camera) == [])
            #expect(scene.effects.commands.map(\.delivery) == [.written(speaksV2: true)])
            scene.account.leave(camera, nowMs: scene.nowMs)
            let again = try scene.socket("camera")
            scene.account.take(scene.command("a", for: "camera"), readMs: scene.nowMs)
            scene.settle()
            #expect(scene.messages(for: again) == [] && scene.effects.commands.isEmpty)
        }
    }

    @Test("A command past its deadline is not written")
    func late() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            scene.account.take(scene.command("a", for: "camera", remainingMs: 500), readMs: scene.nowMs)
            scene.settle()
            #expect(scene.messages(for: camera).first?.contains(#""timeout_ms":500"#) == true)
            scene.account.take(scene.command("b", for: "camera", remainingMs: 500), readMs: scene.nowMs)
            scene.nowMs += 500
            #expect(scene.write(camera) == [])
        }
    }

    @Test("A command that waits in its socket has the time that is left at its write, and none after its deadline")
    func slowSocket() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera", speaksV2: false)
            scene.account.take(scene.command("a", for: "camera", remainingMs: 500), readMs: scene.nowMs)
            scene.settle()
            let output = try #require(scene.outputs(for: camera).first)
            let later = output.written(atMs: scene.nowMs + 200).map { String(decoding: $0, as: UTF8.self) }
            #expect(output.isTimed && later?.contains(#""timeout_ms":300"#) == true)
            scene.nowMs += 500
            #expect(output.written(atMs: scene.nowMs) == nil)
            // It does not count as delivered.
            #expect(scene.write(camera) == [] && scene.effects.commands.isEmpty)
        }
    }

    @Test("A command without a socket of its device, or behind 16 others, is unreachable")
    func unreachable() async throws {
        try await Self.with { scene in
            let camera = try scene.socket("camera")
            scene.account.take(scene.command("gone", for: "other"), readMs: scene.nowMs)
            scene.settle()
            #expect(scene.effects.commands.map(\.delivery) == [.unreachable])
            // The first batch is being written; then 16 wait.
            scene.account.take(scene.command("first", for: "camera"), readMs: scene.nowMs)
            scene.settle()
            for number in 1...17 { scene.account.take(scene.command("\(number)", for: "camera"), readMs: scene.nowMs) }
            scene.settle()
            #expect(scene.effects.commands.map(\.command.id) == ["17"])
            scene.account.leave(camera, nowMs: scene.nowMs)
            scene.settle()
            #expect(scene.effects.commands.count == 16)
            #expect(scene.effects.commands.allSatisfy { $0.delivery == .unreachable })
        }
    }

    @Test("The newest socket of a device gets its command, once it has been admitted")
    func newestSocket() async throws {
        try await Self.with { scene in
            let (first, second) = (try scene.socket("camera"), try scene.socket("camera"))
            let opening = try scene.opened()
            #expect(scene.account.open(opening, nowMs: scene.nowMs))
            scene.account.confirm(opening, device: "camera")
            scene.account.take(scene.command("a", for: "camera"), readMs: scene.nowMs)
            scene.settle()
            #expect(scene.messages(for: first) == [] && scene.messages(for: opening) == [])
            #expect(scene.messages(for: second).count == 1)
        }
    }
}
