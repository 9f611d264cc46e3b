import CloudSync
import HTTP
import JSON

extension RecordingRoutes {
    private static let limitUsual = 100

    /// With a cursor of changes: a delta, as of configurations. Without: a list, newest first.
    func list(_ context: RequestContext) async throws -> Response {
        if try context.parameter("sync_token") != nil {
            return try await context.delta(of: recordings.changes) { [self] delta, hasLimit in
                DeltaAnswer(delta, hasLimit: hasLimit, name: "recordings") { item, text in
                    var (id, tag): ([UInt8], [UInt8]) = ([], [])
                    item.appendID(to: &id)
                    item.appendTag(to: &tag)
                    append(endOf: String(decoding: id, as: UTF8.self), String(decoding: tag, as: UTF8.self), to: &text)
                }
            }
        }
        let page = try await recordings.list(
            context.recordingFilter(),
            before: context.recordingCursor(),
            offset: context.offset(),
            limit: context.limit() ?? Self.limitUsual,
            for: context.caller()
        )
        return .json(.ok, reservingBytes: 256 + page.recordings.count * 1024) { write(page, to: &$0) }
    }

    private func write(_ page: RecordingList, to writer: inout JSONWriter) {
        writer.member("recordings")
        writer.beginArray()
        for listed in page.recordings { writer.raw(text(listed.recording, listed.id)) }
        writer.endArray()
        writer.member("total", integer: Int64(page.total))
        if let head = page.head { writer.member("sync_token", string: head.text) }
        writer.member("has_more", bool: page.hasMore)
        writer.member("next", optional: page.hasMore ? page.recordings.last?.cursor.text : nil)
    }
}

extension RequestContext {
    private static let offsetMax = 1_000_000

    fileprivate func recordingFilter() throws(Problem) -> RecordingFilter {
        var filter = RecordingFilter()
        filter.deviceID = try deviceID()
        filter.from = try time("from")
        filter.to = try time("to")
        filter.videoFormat = try parameter("video_format")
        filter.tag = try parameter("tag")
        if let text = try parameter("state") {
            guard let state = RecordingState(rawValue: text) else {
                let names = RecordingState.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.invalidParameter, "state takes one of \(names).")
            }
            filter.state = state
        }
        return filter
    }

    fileprivate func recordingCursor() throws(Problem) -> RecordingCursor? {
        guard let text = try parameter("before") else { return nil }
        guard let cursor = RecordingCursor(text) else {
            throw Problem(.invalidParameter, "before takes the next of an earlier answer.")
        }
        return cursor
    }

    /// The query parameter `offset`: entries to leave out; 0 without it.
    fileprivate func offset() throws(Problem) -> Int {
        guard let text = try parameter("offset") else { return 0 }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber, let offset = Int(text), offset <= Self.offsetMax else {
            throw Problem(.invalidParameter, "offset takes a number up to \(Self.offsetMax).")
        }
        if try parameter("before") != nil { throw Problem(.invalidParameter, "Send before or offset, not both.") }
        return offset
    }

    private func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try parameter(name) else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(.invalidParameter, "\(name) takes an RFC 3339 time, such as 2026-03-01T12:00:00Z.")
        }
        return time
    }
}
