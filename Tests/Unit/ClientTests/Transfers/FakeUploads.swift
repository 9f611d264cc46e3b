import Foundation
import Net
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport

@testable import NeuroViewsClient

/// A server with one recording, whose faults the test chooses. Its connection may be cut at any byte.
final class FakeUploads: NeuroViewsClient.Transport {
    struct Request {
        let method: String
        let url: String
        let fields: [String: String]
        let bodyBytes: Int64
    }

    struct State {
        /// The size of parts straight to a store; nil: an upload of the server's own.
        var partSize: Int64?
        var size: Int64 = 0
        var stored: [UInt8] = []
        var isEnded = false
        var parts: [Int64: [UInt8]] = [:]
        var isCompleted = false
        var status = "ready"
        /// The digest of the receipt; nil: that of the bytes.
        var receipt: [UInt8]?
        var polls = 0
        /// The connection of each next body is cut behind so many bytes.
        var cuts: [Int] = []
        /// Of the bytes that were sent before a cut, so many do not arrive.
        var lostBytes = 0
        /// Answers to the next requests with these methods, in place of the right ones.
        var faults: [(method: String, answer: TransferAnswer)] = []
        /// The same for the interface, by the end of its paths.
        var refusals: [(path: String, answer: Answer)] = []
        var failures: [(path: String, error: ClientError)] = []
        /// Called before each fault.
        var beforeAnswer: (@Sendable () -> Void)?
        /// Called before each body is read.
        var beforeBody: (@Sendable () -> Void)?
        var requests: [Request] = []
        var calls: [(method: String, path: String, body: JSON?)] = []
        var sentBytes: Int64 = 0
        var file: [UInt8] = []
        var tag = "\"1\""
        var links = 0
    }

    static let location = "http://127.0.0.1/uploads/token"
    let id: UUID
    let state = Locked(State())

    init(_ id: UUID, _ change: (inout State) -> Void = { _ in }) {
        self.id = id
        state.withLock { change(&$0) }
    }

    func requests(_ method: String) -> [Request] { state.withLock { $0.requests.filter { $0.method == method } } }

    func calls(_ end: String) -> Int { state.withLock { $0.calls.filter { $0.path.hasSuffix(end) }.count } }

    func send(_ request: TransferRequest, into file: DownloadFile?) async throws(TransportError) -> TransferAnswer {
        let bodyBytes: Int64 = if case .file(let region) = request.body { region.length } else { 0 }
        let fields = Dictionary(request.fields.map { ($0.name, $0.value) }) { $1 }
        let fault = state.withLock { state -> TransferAnswer? in
            state.requests.append(
                Request(method: request.method, url: request.url, fields: fields, bodyBytes: bodyBytes)
            )
            guard let index = state.faults.firstIndex(where: { $0.method == request.method }) else { return nil }
            return state.faults.remove(at: index).answer
        }
        if let fault {
            state.withLock { $0.beforeAnswer }?()
            return fault
        }
        switch request.method {
        case "HEAD": return offset(204)
        case "PATCH": return try append(request, fields)
        case "PUT": return try put(request)
        default: return try download(fields, file)
        }
    }

    /// tus has no field for the end of the file.
    private func offset(_ status: Int, isTus: Bool = false) -> TransferAnswer {
        state.withLock { state in
            var fields: [TransferRequest.Field] = [("Upload-Offset", "\(state.stored.count)")]
            if !isTus { fields.append(("Upload-Complete", state.isEnded ? "?1" : "?0")) }
            return TransferAnswer(status: status, fields: fields, body: [])
        }
    }

    private func append(_ request: TransferRequest, _ fields: [String: String]) throws(TransportError) -> TransferAnswer
    {
        let (start, size) = state.withLock { (Int64($0.stored.count), $0.size) }
        guard fields["Upload-Offset"] == "\(start)" else { return offset(409) }
        if let length = Self.length(fields, from: start, request.body), length != size {
            return .of(400, "http://127.0.0.1/v2/problems/inconsistent-upload-length")
        }
        let body = try received(request.body)
        state.withLock { $0.stored += body.bytes }
        if let cut = body.cut { throw cut }
        let isTus = fields["Tus-Resumable"] != nil
        let mayEnd = isTus || fields["Upload-Complete"] == "?1"
        state.withLock { $0.isEnded = mayEnd && Int64($0.stored.count) == $0.size }
        return isTus ? offset(204, isTus: true) : offset(201)
    }

    /// The length of the whole file by the fields of the draft; nil without one, and with those of tus.
    private static func length(_ fields: [String: String], from start: Int64, _ body: TransferRequest.Body) -> Int64? {
        if fields["Tus-Resumable"] != nil { return nil }
        if fields["Upload-Draft-Interop-Version"] != "3" { return fields["Upload-Length"].flatMap { Int64($0) } }
        guard fields["Upload-Incomplete"] != "?1", case .file(let region) = body else { return nil }
        return start + region.length
    }

    /// A part for a store, or the whole file of an upload of the server's own.
    private func put(_ request: TransferRequest) throws(TransportError) -> TransferAnswer {
        let body = try received(request.body)
        if request.url == Self.location {
            state.withLock { state in (state.stored, state.isEnded) = (body.bytes, body.cut == nil) }
            if let cut = body.cut { throw cut }
            return offset(201)
        }
        if let cut = body.cut { throw cut }
        let number = Int64(request.url.split(separator: "=").last ?? "") ?? 0
        state.withLock { $0.parts[number] = body.bytes }
        return TransferAnswer(status: 200, fields: [], body: [])
    }

    private func content(of region: FileRegion, _ count: Int) throws(TransportError) -> [UInt8] {
        if let source = region.source {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let next = try source.bytes(at: region.offset + Int64(bytes.count))
                bytes += next.prefix(min(100_000, count - bytes.count))
            }
            return bytes
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(region.descriptor, &bytes, count, off_t(region.offset))
        guard read == count else { throw read < 0 ? .file(code: errno) : .fileEnded }
        return bytes
    }

    /// Reads a body, up to a cut.
    private func received(_ body: TransferRequest.Body) throws(TransportError) -> (bytes: [UInt8], cut: TransportError?)
    {
        guard case .file(let region) = body else { return ([], nil) }
        let (cut, lost, before) = state.withLock { state in
            (state.cuts.isEmpty ? nil : state.cuts.removeFirst(), state.lostBytes, state.beforeBody)
        }
        before?()
        let count = min(Int(region.length), cut ?? .max)
        let bytes = try content(of: region, count)
        state.withLock { $0.sentBytes += Int64(count) }
        region.sent(Int64(count))
        guard count < Int(region.length) else { return (bytes, nil) }
        return (Array(bytes.prefix(max(0, count - lost))), .cut("by the test"))
    }
}
