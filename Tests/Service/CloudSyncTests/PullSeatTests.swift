import Net
import TestSupport
import Testing

@testable import CloudSync

struct PullSeatTests {
    private static let pullsMax = 32
    private static let everything = DeltaRequest(cursor: .none)

    private static func fill(_ caller: Caller, in world: World) async throws -> [Delta] {
        var held: [Delta] = []
        for _ in 0..<pullsMax { held += [try #require(try await world.servers[0].delta(everything, for: caller))] }
        return held
    }

    @Test("A pull of everything waits until one of the account's others is sent, and other requests do not")
    func waits() async throws {
        try await World.with { world in
            let (caller, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            var held = try await Self.fill(caller, in: world)
            let token = try #require(held.first).next
            let wasSent = Locked(false)
            let (server, loop) = (world.servers[0], world.loops[0])
            async let late = loop.run {
                let delta = try await server.delta(Self.everything, for: caller)
                return (delta != nil, wasSent.withLock { $0 })
            }
            for _ in 0..<20 {
                #expect(try await server.delta(Self.everything, for: other) != nil)
                #expect(try await server.delta(DeltaRequest(cursor: .token(token)), for: caller) != nil)
            }
            wasSent.withLock { $0 = true }
            held.removeLast()
            let (isServed, waited) = try await late
            #expect(isServed)
            #expect(waited)
            withExtendedLifetime(held) {}
        }
    }

    @Test("A request that gets no seat in time is refused, and each account has seats of its own")
    func refused() async throws {
        try await withLoops { loops in
            let (seats, loop) = (AccountSeats(ofAccount: 1, waitMs: 50), loops[0])
            let seat = try await loop.run { try await seats.take("a") }
            await #expect(throws: CloudSyncError.self) { try await loop.run { try await seats.take("a") } }
            _ = try await loop.run { try await seats.take("b") }
            seat.leave()
            _ = try await loop.run { try await seats.take("a") }
        }
    }

    @Test("A free seat goes to the request that waits longest")
    func order() async throws {
        try await withLoops { loops in
            let (seats, loop) = (AccountSeats(ofAccount: 1, waitMs: UInt64(Patience.ms(30_000))), loops[0])
            let served = Locked<[Int]>([])
            let seat = try await loop.run { try await seats.take("a") }
            let wait: @Sendable (Int) async -> Void = { number in
                guard let own = try? await seats.take("a") else { return }
                served.withLock { $0.append(number) }
                own.leave()
            }
            let waiting = (1...3).map { number in loop.spawn { await wait(number) } }
            // Tasks of a loop run in order, so all of them wait now.
            await loop.run {}
            seat.leave()
            for task in waiting { await task.value }
            #expect(served.withLock { $0 } == [1, 2, 3])
        }
    }
}
