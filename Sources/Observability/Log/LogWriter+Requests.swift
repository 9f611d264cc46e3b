import API
import Settings
import Tracing

/// The names of a request's fields. Raise `fieldsMax` with each new one, and `nameMaxBytes` for a longer name.
private enum Key {
    static let id = LogKey("id")
    static let method = LogKey("method")
    static let path = LogKey("path")
    static let status = LogKey("status")
    static let bytes = LogKey("bytes")
    static let duration = LogKey("us")
    static let peer = LogKey("peer")
    static let port = LogKey("port")
    static let trace = LogKey("trace")
    static let parent = LogKey("parent")
    static let account = LogKey("user")
    static let session = LogKey("session")
    static let tried = LogKey("tried")
    static let pathBytes = LogKey("path_bytes")
    static let problem = LogKey("problem")
    static let failure = LogKey("failure")
    static let body = LogKey("body_us")
    static let authentication = LogKey("auth_us")
    static let hashing = LogKey("hash_us")
    static let databaseWait = LogKey("db_wait_us")
    static let database = LogKey("db_us")
    static let roundTrips = LogKey("db_round_trips")
    static let handler = LogKey("handler_us")
    static let write = LogKey("write_us")
}

extension LogWriter {
    private static let request = LogMessage("request")
    private static let slowRequest = LogMessage("slow request")
    /// One for each name in `Key`. Without room for all of them a full line traps.
    private static let fieldsMax = 24
    /// The most bytes of a name.
    private static let nameMaxBytes = 16
    /// The size of all names, and of all values except those with a length that clients choose.
    private static let fixedMaxBytes = fieldsMax * (nameMaxBytes + LogForm.fieldMaxBytes) + 320

    /// Writes one line for a request, at level debug with the times of its parts. Rejections of unauthenticated clients
    /// beyond a limit get no line.
    package func write(_ event: RequestEvent) {
        guard !event.isRefusalOfStranger || admits(refusalOf: event.peer) else { return }
        write(event, event.isFailure ? .error : .info, Self.request, hasParts: level == .debug)
    }

    /// Writes a further line for a slow request, with the times of its parts.
    package func writeSlow(_ event: RequestEvent) { write(event, .warning, Self.slowRequest, hasParts: true) }

    private func write(_ event: RequestEvent, _ level: Settings.LogLevel, _ message: LogMessage, hasParts: Bool) {
        guard isWanted(level) else { return }
        let texts = event.record.id.utf8.count + event.method.utf8.count + event.path.count
        let failure = event.record.failure?.utf8.count ?? 0
        let maxBytes = Self.fixedMaxBytes + (texts + failure) * LogForm.escapedMaxBytes
        write(level, message, fieldsMaxBytes: maxBytes) { form, output in
            Self.append(event, form, &output)
            if hasParts { Self.appendParts(event.record, form, &output) }
        }
    }

    private static func append(_ event: RequestEvent, _ form: LogForm, _ output: inout OutputSpan<UInt8>) {
        let record = event.record
        form.field(Key.id, token: record.id, to: &output)
        form.field(Key.method, token: event.method, to: &output)
        form.field(Key.path, ascii: event.path, to: &output)
        if event.isPathCut { form.field(Key.pathBytes, event.pathBytes, to: &output) }
        form.field(Key.status, event.status, to: &output)
        if let bytes = event.bytes { form.field(Key.bytes, bytes, to: &output) }
        form.field(Key.duration, us(record.times.totalNs), to: &output)
        if let peer = event.peer {
            form.field(Key.peer, token: peer.host, to: &output)
            // A proxy may omit the port.
            if peer.port != 0 { form.field(Key.port, Int(peer.port), to: &output) }
        }
        if let trace = event.trace {
            form.field(Key.trace, ascii: trace.traceID, to: &output)
            form.field(Key.parent, ascii: trace.parentID, to: &output)
        }
        if let account = record.account { form.field(Key.account, token: account, to: &output) }
        if let session = record.session { form.field(Key.session, token: session, to: &output) }
        if record.account == nil, let tried = record.tried { form.field(Key.tried, token: tried, to: &output) }
        if let problem = record.problem { form.field(Key.problem, token: problem, to: &output) }
        if let failure = record.failure { form.field(Key.failure, failure, to: &output) }
    }

    private static func appendParts(_ record: RequestRecord, _ form: LogForm, _ output: inout OutputSpan<UInt8>) {
        let times = record.times
        form.field(Key.body, us(times.bodyNs), to: &output)
        form.field(Key.authentication, us(times.authenticationNs), to: &output)
        form.field(Key.hashing, us(times.hashingNs), to: &output)
        form.field(Key.databaseWait, us(times.databaseWaitNs), to: &output)
        form.field(Key.database, us(times.databaseNs), to: &output)
        form.field(Key.roundTrips, record.databaseRoundTrips, to: &output)
        form.field(Key.handler, us(times.handlerNs), to: &output)
        form.field(Key.write, us(times.writeNs), to: &output)
    }

    private static func us(_ durationNs: UInt64) -> Int { Int(clamping: durationNs / 1000) }
}
