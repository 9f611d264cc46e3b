import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An upload, as the store has it.
struct UploadRow: Sendable, Equatable {
    /// A pause that ends later than this was noted by a wrong clock.
    private static let pauseMaxMs: Int64 = 3_600_000
    /// The bytes under way are stored each time that they have grown by one of so many parts of the file.
    private static let notedParts: Int64 = 50

    /// The recording's id.
    let id: UUID
    /// The file's absolute path.
    var path: String
    /// The file as it was queued.
    var identity: FileIdentity
    /// The media type.
    let type: String
    /// What `upload-url` and `complete` get besides.
    let metadata: RecordingMetadata
    /// The bytes of each part to an S3 store; nil for the server's choice.
    var partSize: Int64?
    /// The time of the queueing, in milliseconds since 1970, for the order.
    let addedMs: Int64
    var phase: UploadPhase = .hashing
    /// Of the file; nil before it was read.
    var sha256: [UInt8]?
    /// The bytes that the server reported last, or that were on their way since. It is shown, and never sent from: the server
    /// knows better.
    var sent: Int64 = 0
    /// Attempts in a row that brought nothing.
    var attempts: Int64 = 0
    /// The end of the pause, in milliseconds since 1970.
    var notBeforeMs: Int64 = 0
    /// The reason, if it has failed.
    var failure: UploadFailure?
    /// True if the server has opened this upload. Before that, a recording of the same id is another one.
    var isGranted = false
    /// True if the file or its seal has changed since: the open upload at the server ends with the next request for a place.
    var replaces = false
    /// Nil for a file that goes as it is.
    var seal: UploadSeal?

    /// The bytes that the server gets.
    var transferBytes: Int64 {
        seal == nil ? identity.size : SealedLayout(plainBytes: identity.size).sealedBytes
    }

    /// The rest of the pause.
    func pauseMs(at nowMs: Int64) -> Int64 {
        let rest = notBeforeMs - nowMs
        return rest > Self.pauseMaxMs ? 0 : max(0, rest)
    }

    /// True if it is about the same file, sealed with the same key, as the other row of this upload.
    func isSame(_ other: UploadRow) -> Bool { identity == other.identity && seal == other.seal }

    /// True if so many bytes under way are worth a write, so that an app that starts again can show them.
    func isBehind(_ underWay: Int64) -> Bool {
        phase == .sending && underWay - sent >= max(1, identity.size / Self.notedParts)
    }
}

/// The outcome of a step of an upload.
struct UploadNews: Sendable {
    var event: UploadEvent
    var sha256: [UInt8]?
    /// Of the segments of a sealed file, with its SHA-256.
    var tags: [UInt8]?
    var sent: Int64?
    /// True if the server has more than before the attempt.
    var isFurther = false
    var failure: UploadFailure?
    /// The server's own pause.
    var retryAfterS: Int64?
    /// The reason of an interruption, for the app.
    var reason: ClientError?

    init(_ event: UploadEvent) { self.event = event }

    /// `before`: the bytes before the attempt.
    static func sent(_ bytes: Int64, before: Int64) -> UploadNews {
        var news = UploadNews(.everythingSent)
        news.note(bytes, before: before)
        return news
    }

    static func gaveUp(_ failure: UploadFailure) -> UploadNews {
        var news = UploadNews(UploadEvent(failure))
        news.failure = failure
        return news
    }

    /// The server has so many bytes by now.
    static func stored(_ bytes: Int64, before: Int64) -> UploadNews {
        var news = UploadNews(.partStored)
        news.note(bytes, before: before)
        return news
    }

    /// `sent`: the bytes that the server has, if it said so.
    static func interrupted(_ reason: ClientError? = nil, sent: Int64? = nil, before: Int64 = 0) -> UploadNews {
        var news = UploadNews(UploadEvent(reason))
        news.reason = reason
        news.retryAfterS = reason?.retryAfterSeconds
        news.note(sent, before: before)
        return news
    }

    private mutating func note(_ bytes: Int64?, before: Int64) {
        sent = bytes
        isFurther = bytes.map { $0 > before } ?? false
    }
}

extension UploadRow {
    /// Takes an event over. Returns false, and changes nothing, if it does not fit the state.
    mutating func take(_ news: UploadNews, at nowMs: Int64, _ pauses: UploadPauses) -> Bool {
        guard let next = phase.after(news.event) else { return false }
        phase = next
        if let sha256 = news.sha256 { self.sha256 = sha256 }
        // The stored number has grown during the attempt.
        if news.isFurther { attempts = 0 }
        if let sent = news.sent { self.sent = sent }
        failure = next == .failed ? news.failure ?? failure : nil
        switch news.event {
        case _ where news.event.isInterruption:
            attempts += 1
            notBeforeMs = nowMs + (news.retryAfterS.map { $0 * 1000 } ?? pauses.lengthMs(attempt: attempts))
        // The server begins to read the file now.
        case .completed: (attempts, notBeforeMs) = (1, nowMs + pauses.lengthMs(attempt: 1))
        case .paused, .resumed, .cancelled, .relaunched: (attempts, notBeforeMs) = (0, 0)
        default: break
        }
        return true
    }
}

extension UploadRow {
    /// The metadata are lost, perhaps with the seal. Only the user can go on, unless nobody needs them any more.
    mutating func lose(withSeal: Bool = false) {
        guard let next = phase.after(withSeal ? .sealLost : .metadataLost) else { return }
        (phase, failure) = (next, .unreadable)
    }

    /// Ends the pause before its time. Returns false if there is none.
    mutating func endPause(at nowMs: Int64) -> Bool {
        guard !phase.isAtRest, pauseMs(at: nowMs) > 0 else { return false }
        phase = phase.after(.pauseEnded) ?? phase
        notBeforeMs = 0
        return true
    }
}

/// The pauses between attempts, each twice as long as the one before.
struct UploadPauses: Sendable {
    /// Enough to reach the longest.
    private static let doublingsMax: Int64 = 20
    let maxMs: Int64
    /// 0 to 1, by chance.
    let fraction: @Sendable () -> Double

    init(maxMs: Int64, fraction: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }) {
        (self.maxMs, self.fraction) = (maxMs, fraction)
    }

    /// The pause after so many attempts.
    func lengthMs(attempt: Int64) -> Int64 {
        var growing = GrowingPause(maxMs: maxMs)
        var pause = growing.next(fraction: fraction())
        for _ in 1..<max(1, min(attempt, Self.doublingsMax)) { pause = growing.next(fraction: fraction()) }
        let (seconds, attoseconds) = pause.length.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
