import CloudSync
import Net

/// The places of sockets and waits, and who has them on which loop.
final class RealtimeRoom: Sendable {
    let places: RealtimePlaces
    let sockets: LoopLocal<SocketList>
    private let loops: [EventLoop]

    /// Newcomers may choose the same loop, which then has none left.
    private static let choicesMax = 8

    init(placesMax: Int, loops: [EventLoop]) {
        places = RealtimePlaces(max: placesMax)
        sockets = LoopLocal(loops) { SocketList() }
        self.loops = loops
    }

    /// Takes a place for a socket or a wait. When there is none, the one of the largest holder whose client has been silent longest ends,
    /// and its place goes to the newcomer. Throws `.overloaded`.
    func takePlace(for site: IPAddress?) async throws(CloudSyncError) {
        for _ in 0..<Self.choicesMax {
            if places.take(for: site) { return }
            guard let largest = places.largestSite, let loop = await mostSilentLoop(of: largest) else { break }
            let isPassed = await loop.run { [sockets] in sockets.current?.giveWay(of: largest) == true }
            if isPassed { return places.pass(from: largest, to: site) }
        }
        throw .problem(.overloaded)
    }

    /// The loop with the most silent client of a site.
    private func mostSilentLoop(of site: IPAddress?) async -> EventLoop? {
        let silences = await sockets.gather { $0.silenceMs(of: site) }
        let found = zip(loops, silences).compactMap { loop, silenceMs in silenceMs.map { (loop: loop, silenceMs: $0) } }
        return found.max { $0.silenceMs < $1.silenceMs }?.loop
    }
}
