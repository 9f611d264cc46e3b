import NeuroViewsCrypto
import TestSupport
import Uploads

/// A client with a file, a bad network and a choice of dialects. It creates, asks, appends and starts over, like real
/// clients.
struct RandomClient {
    let file: [UInt8]
    private(set) var server: MemoryServer
    /// The requests and answers so far, for the message of a failed test.
    private(set) var log: [String] = []
    private let dialects: [UploadDialect]
    private var random: SeededRandom
    private var offset: Int?

    init(seed: UInt64, dialects: [UploadDialect]) {
        var random = SeededRandom(seed: seed)
        let fileBytes = Int.random(in: 0...60, using: &random)
        file = (0..<fileBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
        // The recording's size is usually known. The rules also hold without it.
        server = MemoryServer(length: Bool.random(using: &random) || dialects.contains(.tus) ? fileBytes : nil)
        server.announces = Bool.random(using: &random)
        self.dialects = dialects
        self.random = random
    }

    /// One more request.
    mutating func step() throws {
        let dialect = pick(dialects)
        guard let offset, dialect != .plain, chance(9, of: 10) else { return try create(dialect) }
        if chance(1, of: 4) {
            try ask(dialect)
        } else {
            try append(dialect, at: chance(1, of: 6) ? Int.random(in: 0...file.count, using: &random) : offset)
        }
    }

    private mutating func create(_ dialect: UploadDialect) throws {
        let isWhole = dialect == .plain || Bool.random(using: &random)
        let content = Array(isWhole ? file[...] : file.prefix(Int.random(in: 0...file.count, using: &random)))
        var fields = ownFields(dialect)
        switch dialect {
        case .plain: break
        case .tus: fields += ["Upload-Length: \(file.count)", "Content-Type: application/offset+octet-stream"]
        case .interop3: fields.append("Upload-Incomplete: \(isWhole ? "?0" : "?1")")
        default: fields.append("Upload-Complete: \(isWhole ? "?1" : "?0")")
        }
        try send("POST", of: dialect, fields, content)
    }

    private mutating func ask(_ dialect: UploadDialect) throws {
        try send("HEAD", of: dialect, ownFields(dialect), nil)
    }

    private mutating func append(_ dialect: UploadDialect, at start: Int) throws {
        let content = Array(file[start...].prefix(Int.random(in: 0...file.count, using: &random)))
        let isLast = start + content.count == file.count && chance(2, of: 3)
        var fields = ownFields(dialect) + ["Upload-Offset: \(start)"]
        switch dialect {
        case .tus: fields.append("Content-Type: application/offset+octet-stream")
        case .interop3: fields.append("Upload-Incomplete: \(isLast ? "?0" : "?1")")
        default:
            fields += ["Content-Type: application/partial-upload", "Upload-Complete: \(isLast ? "?1" : "?0")"]
        }
        try send("PATCH", of: dialect, fields, content)
    }

    /// Sends the content in pieces, with or without a digest. The content may be damaged or cut off.
    private mutating func send(
        _ method: String,
        of dialect: UploadDialect,
        _ fields: [String],
        _ content: [UInt8]?
    ) throws {
        var (fields, sent) = (fields, content ?? [])
        let isCut = content != nil && chance(1, of: 3)
        if content != nil {
            fields.append(chance(1, of: 4) ? "Transfer-Encoding: chunked" : "Content-Length: \(sent.count)")
            if chance(1, of: 3) {
                fields.append(digestField(dialect, sent))
                // The server finds damage only at the end of the content, so a cut connection brings correct bytes.
                if !isCut, !sent.isEmpty, chance(1, of: 2) { sent[pick(Array(sent.indices))] ^= 1 }
            }
        }
        if isCut { sent = Array(sent.prefix(Int.random(in: 0...sent.count, using: &random))) }
        let middle = Int.random(in: 0...sent.count, using: &random)
        let pieces = [Array(sent[..<middle]), Array(sent[middle...])]
        let answers = try server.handle(method, fields, pieces, isCut: isCut)
        log.append("\(method) \(fields) \(sent.count)\(isCut ? " cut" : "") -> \(answers)")
        remember(answers)
    }

    /// Remembers the offset of the last answer that has one. Without an offset, the client asks for it at the URL.
    private mutating func remember(_ answers: [String]) {
        if offset == nil, !answers.isEmpty { offset = 0 }
        for field in answers.joined(separator: " | ").components(separatedBy: " | ") {
            if let value = field.value(of: "Upload-Offset") { offset = value }
        }
    }

    private func digestField(_ dialect: UploadDialect, _ content: [UInt8]) -> String {
        let digest = SHA256.hash(content)
        return dialect == .tus
            ? "Upload-Checksum: sha256 \(Base64.padded.encode(digest))"
            : "Content-Digest: sha-256=:\(Base64.padded.encode(digest)):"
    }

    private func ownFields(_ dialect: UploadDialect) -> [String] {
        if dialect == .tus { return ["Tus-Resumable: 1.0.0"] }
        return dialect.interopVersion.map { ["Upload-Draft-Interop-Version: \($0)"] } ?? []
    }

    private mutating func chance(_ times: Int, of all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < times }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}

extension String {
    fileprivate func value(of name: String) -> Int? {
        hasPrefix("\(name): ") ? Int(dropFirst(name.count + 2)) : nil
    }

    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator).map(String.init)
    }
}
