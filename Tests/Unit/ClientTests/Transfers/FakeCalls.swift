import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport

@testable import NeuroViewsClient

/// The interface of `FakeUploads`.
final class FakeCalls: TransferCalls {
    private let uploads: FakeUploads

    init(_ uploads: FakeUploads) { self.uploads = uploads }

    func send(
        _ method: String,
        _ path: String,
        _ body: JSON?,
        acceptsRedirect: Bool
    ) async throws(ClientError) -> Answer {
        let (failure, refusal) = uploads.state.withLock { state -> (ClientError?, Answer?) in
            state.calls.append((method, path, body))
            if let index = state.failures.firstIndex(where: { path.hasSuffix($0.path) }) {
                return (state.failures.remove(at: index).error, nil)
            }
            let index = state.refusals.firstIndex { path.hasSuffix($0.path) }
            return (nil, index.map { state.refusals.remove(at: $0).answer })
        }
        if let failure { throw failure }
        if let refusal { return refusal }
        switch path.split(separator: "/").last {
        case "upload-url": return grant(body)
        case "complete": return complete()
        case "content": return link(acceptsRedirect)
        default: return recording()
        }
    }

    private func grant(_ body: JSON?) -> Answer {
        uploads.state.withLock { state in
            state.size = body?["file_size"]?.number?.int64 ?? 0
            guard let partSize = state.partSize else {
                let url = FakeUploads.location
                return .json(
                    200,
                    #"{"upload_url":"\#(url)","location":"\#(url)","upload_offset":\#(state.stored.count)}"#
                )
            }
            let missing = (1...(state.size + partSize - 1) / partSize).filter { state.parts[$0] == nil }
            let parts = missing.prefix(4).map { number in
                let size = min(partSize, state.size - (number - 1) * partSize)
                return #"{"number":\#(number),"size":\#(size),"url":"http://127.0.0.1/store?part=\#(number)"}"#
            }
            let offset = missing.isEmpty ? state.size : 0
            return .json(
                200,
                #"{"upload_url":"http://127.0.0.1/store","upload_offset":\#(offset),"headers":{"Content-Type":"video/mp4"},"#
                    + #""multipart":{"part_size":\#(partSize),"parts":[\#(parts.joined(separator: ","))]}}"#
            )
        }
    }

    private func complete() -> Answer {
        uploads.state.withLock { state in
            let isWhole = state.partSize == nil ? state.isEnded : state.joined.count == Int(state.size)
            guard isWhole else {
                let numbers = #""upload_offset":\#(state.stored.count),"file_size":\#(state.size)"#
                return .problem(409, "upload-incomplete", numbers)
            }
            state.isCompleted = true
            return .json(200, #"{"processing_status":"pending","thumbnail_url":"http://127.0.0.1/t"}"#)
        }
    }

    private func recording() -> Answer {
        uploads.state.withLock { state in
            guard state.isCompleted else { return .problem(404, "not-found") }
            state.polls += 1
            return .json(200, FakeCalls.recording(uploads.id, state))
        }
    }

    private func link(_ acceptsRedirect: Bool) -> Answer {
        uploads.state.withLock { state in
            guard acceptsRedirect else { return .problem(404, "not-found") }
            state.links += 1
            return Answer(
                status: 307,
                fields: [HeaderField("Location", "http://127.0.0.1/link/\(state.links)")],
                body: []
            )
        }
    }

    /// A recording with the server's words about it.
    static func recording(_ id: UUID, _ state: FakeUploads.State) -> String {
        let digest = Base64.padded.encode(state.receipt ?? SHA256.hash(state.joined))
        let receipt = #"{"size":\#(state.size),"sha256":"\#(digest)","verified_at":"2026-11-20T18:00:00Z"}"#
        let failure = state.status == "failed" ? #""wrong digest""# : "null"
        let isRead = ["ready", "processing"].contains(state.status)
        return
            #"{"id":"\#(id.uuidString)","processing_status":"\#(state.status)","failure":\#(failure),"sha256":"\#(digest)","#
            + #""created_at":"2026-11-20T18:00:00Z","filename":"a.mp4","receipt":\#(isRead ? receipt : "null")}"#
    }
}

extension FakeUploads.State {
    /// The bytes of the file at the server.
    var joined: [UInt8] { partSize == nil ? stored : parts.sorted { $0.key < $1.key }.flatMap(\.value) }
}

extension Answer {
    static func json(_ status: Int64, _ text: String) -> Answer {
        Answer(status: status, fields: [HeaderField("Content-Type", "application/json")], body: Array(text.utf8))
    }

    static func problem(_ status: Int64, _ code: String, _ members: String = "") -> Answer {
        let more = members.isEmpty ? "" : "," + members
        return Answer(
            status: status,
            fields: [HeaderField("Content-Type", "application/problem+json")],
            body: Array(#"{"type":"http://127.0.0.1/v2/problems/\#(code)","detail":"by the test"\#(more)}"#.utf8)
        )
    }
}
