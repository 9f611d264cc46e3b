import Foundation
import Net

@testable import NeuroViewsClient

/// Files behind links.
extension FakeUploads {
    func download(_ fields: [String: String], _ file: DownloadFile?) throws(TransportError) -> TransferAnswer {
        guard let file else { throw .other("no file") }
        let (content, tag, cut) = state.withLock { state in
            (state.file, state.tag, state.cuts.isEmpty ? nil : state.cuts.removeFirst())
        }
        let wanted = fields["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
        let start = fields["If-Range"] == tag ? wanted ?? 0 : 0
        if start >= content.count, wanted != nil { return TransferAnswer(status: 416, fields: [], body: []) }
        let range = ("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)")
        let head = TransferAnswer(
            status: start > 0 ? 206 : 200,
            fields: [("ETag", tag), start > 0 ? range : ("Content-Length", "\(content.count)")],
            body: []
        )
        guard start > 0 || ftruncate(file.descriptor, 0) == 0 else { throw .file(code: errno) }
        file.began(head)
        let piece = Array(content[start...].prefix(cut ?? .max))
        guard pwrite(file.descriptor, piece, piece.count, start) == piece.count else { throw .file(code: errno) }
        state.withLock { $0.sentBytes += Int64(piece.count) }
        file.received(Int64(start + piece.count))
        if start + piece.count < content.count { throw .cut("by the test") }
        return head
    }
}
