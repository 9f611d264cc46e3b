#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What this device tells the others: its status and its streams. The newest state counts, so that a slow socket gets no
/// queue; a new socket gets all of them.
struct OwnStates {
    /// The server lets a device have so many streams.
    private static let streamsMax = 4
    /// The server forgets a stream that tells nothing for so long.
    private static let silenceMax = Duration.seconds(60)

    private struct Stream {
        let id: UUID
        var messages: [RealtimeText.Kind: [UInt8]]
    }

    private struct Key: Hashable {
        let stream: UUID?
        let kind: RealtimeText.Kind
    }

    private var status: [UInt8]?
    private var streams: [Stream] = []
    /// The stops of the last streams: a socket that breaks may have lost them, and the server takes them twice.
    private var stops: [(message: [UInt8], at: ContinuousClock.Instant)] = []
    private var changed: [(key: Key, message: [UInt8])] = []

    /// Takes a status.
    mutating func set(status message: [UInt8]) {
        status = message
        note(Key(stream: nil, kind: .status), message)
    }

    /// Takes a report of a stream. Returns false for one of a stream that was not started.
    mutating func take(_ report: StreamReport) -> Bool {
        let (id, kind, message) = RealtimeText.stream(report)
        if kind == .started, !streams.contains(where: { $0.id == id }) {
            if streams.count == Self.streamsMax { streams.removeFirst() }
            streams.append(Stream(id: id, messages: [:]))
        }
        guard let place = streams.firstIndex(where: { $0.id == id }) else { return false }
        if kind == .stopped {
            streams.remove(at: place)
            changed.removeAll { $0.key.stream == id }
            stops = stops.suffix(Self.streamsMax - 1) + [(message, .now)]
        } else {
            streams[place].messages[kind] = message
        }
        note(Key(stream: id, kind: kind), message)
        return true
    }

    /// The messages that have changed since the last call.
    mutating func takeChanged() -> [[UInt8]] {
        defer { changed = [] }
        return changed.map(\.message)
    }

    /// All that a new socket must know; nothing is left to send then.
    mutating func takeAll() -> [[UInt8]] {
        changed = []
        let kinds: [RealtimeText.Kind] = [.started, .metrics, .failed]
        let now = ContinuousClock.now
        stops.removeAll { now - $0.at > Self.silenceMax }
        return (status.map { [$0] } ?? []) + stops.map(\.message)
            + streams.flatMap { stream in kinds.compactMap { stream.messages[$0] } }
    }

    private mutating func note(_ key: Key, _ message: [UInt8]) {
        if let place = changed.firstIndex(where: { $0.key == key }) {
            changed[place].message = message
        } else {
            changed.append((key, message))
        }
    }
}
