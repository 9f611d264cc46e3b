import Net
import Synchronization
import TestSupport
import Testing

@testable import CloudSync

/// The accounts of one loop, without hub and database.
struct AccountHomeTests {
    @Test("A sweep that begins during another one starves no account")
    func sweeps() async throws {
        try await withLoops { loops in
            let count = Refresh.accountsMax + 1
            let readCount = try await loops[0].run {
                let home = AccountHome(loops[0], serverID: "", AccountHome.Shared())
                for number in 0..<count {
                    let seat = try Self.seat(number, loops[0])
                    #expect(home.open(seat))
                }
                home.sweepNow()
                var read: Set<AccountID> = []
                for _ in 0..<2 {
                    read.formUnion(home.nextBatch()?.refresh.heads ?? [])
                    home.sweepNow()
                }
                return read.count
            }
            #expect(readCount == count)
        }
    }

    @Test(
        "A sweep reads all accounts each minute, and every 5 seconds while no hints of other servers arrive",
        arguments: [(true, 60_000), (false, 5000)] as [(Bool, UInt64)]
    )
    func schedule(isConnected: Bool, everyMs: UInt64) async throws {
        try await withLoops { loops in
            try await loops[0].run {
                let shared = AccountHome.Shared()
                shared.isBusConnected.store(isConnected, ordering: .relaxed)
                let home = AccountHome(loops[0], serverID: "", shared)
                let seat = try Self.seat(0, loops[0])
                #expect(home.open(seat))
                for _ in 0..<2 {
                    let nowMs = Monotonic.nowMs()
                    home.tick(nowMs: nowMs + everyMs - 1000)
                    #expect(!home.hasReads)
                    home.tick(nowMs: nowMs + everyMs)
                    #expect(home.nextBatch()?.refresh.heads.count == 1)
                }
            }
        }
    }

    @Test("A minute without a read ends the sockets that were admitted, and no opening")
    func databaseAway() async throws {
        try await withLoops { loops in
            let ends = Locked<[RealtimeEnd]>([])
            try await loops[0].run {
                let home = AccountHome(loops[0], serverID: "", AccountHome.Shared())
                let seats = try (0..<2).map { number in
                    try Self.seat(number, loops[0]) { delivery in
                        if case .ended(let end) = delivery { ends.withLock { $0.append(end) } }
                    }
                }
                for seat in seats { #expect(home.open(seat)) }
                _ = home.admit(seats[0])
                home.hint(seats[0].account, .all)
                guard let batch = home.nextBatch() else { throw TestSupportError("nothing is read") }
                #expect(home.failed(batch, CloudSyncError.databaseUnavailable(reason: "away")))
                home.tick(nowMs: Monotonic.nowMs() + 59_000)
                #expect(home.holds(seats[0]))
                home.tick(nowMs: Monotonic.nowMs() + 60_001)
                #expect(!home.holds(seats[0]) && home.holds(seats[1]))
            }
            #expect(ends.withLock { $0 } == [.databaseAway])
        }
    }

    @Test("The time of a command counts from the start of the read that found it")
    func slowRead() async throws {
        try await withLoops { loops in
            let written = Locked<[String]>([])
            try await loops[0].run {
                let home = AccountHome(loops[0], serverID: "", AccountHome.Shared())
                let seat = try Self.seat(0, loops[0]) { delivery in
                    guard case .messages(let texts) = delivery else { return }
                    written.withLock { $0 += texts.map { String(decoding: $0.text, as: UTF8.self) } }
                }
                #expect(home.open(seat))
                let name = try #require(home.admit(seat))
                home.with(seat.account) { $0.wrote(seat, nowMs: Monotonic.nowMs()) }
                home.hint(seat.account, .commands)
                guard var batch = home.nextBatch() else { throw TestSupportError("nothing is read") }
                // The database needs a second for its answer.
                batch.beganMs -= 1000
                var found = Refresh.Found()
                for (id, remainingMs) in [("late", 900), ("early", 60_000)] {
                    found.commands.append(
                        OpenCommand(
                            account: seat.account,
                            id: id,
                            sender: "watch",
                            target: name,
                            message: Array(#"{"command":"capture_photo"}"#.utf8),
                            remainingMs: remainingMs
                        )
                    )
                }
                home.take(found, batch)
            }
            let commands = written.withLock { $0 }.filter { $0.contains("remote_command") }
            #expect(commands.count == 1 && commands.first?.contains(#""id":"early""#) == true)
        }
    }

    private static func seat(
        _ number: Int,
        _ loop: EventLoop,
        _ receive: @escaping @Sendable (RealtimeDelivery) -> Void = { _ in }
    ) throws -> RealtimeSeat {
        let id = "00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())"
        let seat = RealtimeSeat(
            userID: id,
            sessionID: id,
            counter: 1,
            door: .socket(speaksV2: true),
            loop: loop,
            receive: receive
        )
        return try #require(seat)
    }
}
