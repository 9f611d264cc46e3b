import CloudSync
import Net
import TestSupport
import Testing

@testable import API

@Suite("Places of newcomers")
struct RealtimeRoomTests {
    private static func sites() throws -> (crowd: IPAddress, newcomer: IPAddress) {
        (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
    }

    @Test("Two newcomers at once get the places of two waits of the largest site")
    func newcomers() async throws {
        let (crowd, newcomer) = try Self.sites()
        try await withLoops(2) { loops in
            let room = RealtimeRoom(placesMax: 3, loops: loops)
            var waits: [RealtimeWait] = []
            // Both newcomers choose the loop of the older one, at whatever times the two loops look.
            for (loop, sinceMs) in [(loops[0], 0), (loops[1], .max), (loops[1], .max)] as [(EventLoop, UInt64)] {
                let wait = RealtimeWait(of: crowd, nowMs: sinceMs)
                #expect(room.places.take(for: crowd))
                _ = await loop.run { room.sockets.current?.add(wait) {} }
                waits.append(wait)
            }
            try await loops[0].run {
                async let first: Void = room.takePlace(for: newcomer)
                async let second: Void = room.takePlace(for: newcomer)
                _ = try await (first, second)
            }
            #expect(waits.map(\.hasGivenWay) == [true, true, false])
            #expect(throws: CloudSyncError.self) { try waits[0].check() }
            #expect(room.places.count == 3)
            #expect(room.places.largestSite == .some(newcomer))
        }
    }

    @Test("A newcomer is refused when nobody of the largest site can give way")
    func refused() async throws {
        let (crowd, newcomer) = try Self.sites()
        try await withLoops { loops in
            let room = RealtimeRoom(placesMax: 1, loops: loops)
            // An opening, which is in no list yet.
            #expect(room.places.take(for: crowd))
            await #expect(throws: CloudSyncError.self) { try await room.takePlace(for: newcomer) }
            room.places.leave(crowd)
            try await room.takePlace(for: newcomer)
            #expect(room.places.largestSite == .some(newcomer))
        }
    }
}
