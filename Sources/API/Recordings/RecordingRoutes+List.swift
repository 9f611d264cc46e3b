import CloudSync
import HTTP
import NeuroViewsJSON

extension RecordingRoutes {
    /// With a cursor of changes: a delta, as for configurations. Without one: a list, newest first.
    func list(_ context: RequestContext) async throws -> Response {
        if try context.parameter("sync_token") != nil {
            try context.refuseListParameters()
            let recordingText = recordingText(context)
            return try await context.delta(of: recordings.changes, acceptsEmptyToken: true) { delta, hasLimit in
                DeltaAnswer(delta, hasLimit: hasLimit, name: "recordings") { item, text in
                    recordingText.append(endOf: item, to: &text)
                }
            }
        }
        if try context.parameter("seen") != nil {
            throw Problem(parameter: "seen", "is allowed only with sync_token", keyword: "dependentRequired")
        }
        let limit = try context.pageLimit()
        let wantsURLs = try context.wantsURLs()
        let page = try await recordings.list(
            context.recordingFilter(schemas.videoFormats),
            before: context.before { RecordingCursor($0) },
            offset: context.offset(),
            limit: limit,
            for: context.caller()
        )
        let urls: RecordingURLs? = wantsURLs ? try await urls(of: page.content.ids, context) : nil
        let recordingText = recordingText(context, urls)
        return .json(.ok, reservingBytes: 256 + page.content.count * (urls == nil ? 1024 : 2048)) {
            Self.write(page, limit, recordingText, to: &$0)
            if let urls { $0.member("urls_expire_at", string: urls.end) }
        }
    }

    private static func write(
        _ page: RecordingList,
        _ limit: Int,
        _ recordingText: RecordingText,
        to writer: inout JSONWriter
    ) {
        writer.member("recordings")
        writer.beginArray()
        switch page.content {
        case .recordings(let recordings):
            for index in 0..<recordings.count {
                let recording = recordings[index]
                writer.raw { text in
                    recording.appendDocument(0..<(recording.documentBytes - 1), to: &text)
                    recordingText.append(endOf: recording, to: &text)
                }
            }
        case .uploads(let uploads):
            for upload in uploads { writer.raw(recordingText.whole(upload)) }
        }
        writer.endArray()
        writer.member("total", integer: Int64(page.total))
        writer.member("limit", integer: Int64(limit))
        if let head = page.head { writer.member("sync_token", string: head.text) }
        writer.member("has_more", bool: page.next != nil)
        writer.member("next", optional: page.next?.text)
    }
}

extension RecordingList.Content {
    fileprivate var count: Int {
        switch self {
        case .recordings(let recordings): recordings.count
        case .uploads(let uploads): uploads.count
        }
    }

    fileprivate var ids: [String] {
        switch self {
        case .recordings(let recordings): (0..<recordings.count).map { recordings[$0].id }
        case .uploads(let uploads): uploads.map(\.id)
        }
    }
}

extension RequestContext {
    private static let offsetMax = 1_000_000
    private static let tagMaxCharacters = 100

    /// A delta has all changes: filters would hide some of them for good.
    fileprivate func refuseListParameters() throws(Problem) {
        let names = ["before", "offset", "from", "to", "video_format", "tag", "state", "urls"]
        for name in names where try parameter(name) != nil {
            throw Problem(parameter: name, "must not be combined with sync_token", keyword: "not")
        }
    }

    fileprivate func recordingFilter(_ videoFormats: [String]) throws(Problem) -> RecordingFilter {
        var filter = RecordingFilter()
        filter.deviceID = try deviceID()
        filter.from = try time("from")
        filter.to = try time("to")
        filter.videoFormat = try name("video_format", among: videoFormats)
        filter.tag = try tag()
        filter.state = try name("state", among: RecordingState.allCases.map(\.rawValue)).flatMap(RecordingState.init)
        return filter
    }

    /// A query parameter with one of these names as its value.
    private func name(_ parameter: String, among names: [String]) throws(Problem) -> String? {
        guard let name = try self.parameter(parameter) else { return nil }
        guard names.contains(name) else {
            throw Problem(parameter: parameter, "must be one of \(names.joined(separator: ", "))", keyword: "enum")
        }
        return name
    }

    private func tag() throws(Problem) -> String? {
        guard let tag = try parameter("tag") else { return nil }
        guard (1...Self.tagMaxCharacters).contains(tag.unicodeScalars.count) else {
            throw Problem(parameter: "tag", "must have 1 to \(Self.tagMaxCharacters) characters", keyword: "maxLength")
        }
        return tag
    }

    /// The query parameter `offset`: the number of entries to skip; 0 without it.
    fileprivate func offset() throws(Problem) -> Int {
        guard let text = try parameter("offset") else { return 0 }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        guard isNumber, let offset = Int(text), offset <= Self.offsetMax else {
            throw Problem(parameter: "offset", "must be a number from 0 to \(Self.offsetMax)", keyword: "maximum")
        }
        if try parameter("before") != nil {
            throw Problem(parameter: "offset", "must not be combined with before", keyword: "not")
        }
        return offset
    }

    private func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try parameter(name) else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(parameter: name, "must be an RFC 3339 time such as 2026-03-01T12:00:00Z")
        }
        return time
    }
}
