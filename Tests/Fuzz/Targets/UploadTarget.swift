import HTTP

@testable import Uploads

/// Any requests to an upload resource leave a valid state. Input: requests separated by an empty line, each with a line
/// for the method and a line for each field.
enum UploadTarget {
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let choice = input.choice()
        let limits = UploadLimits(maxBytes: 50, lifetimeSeconds: 9)
        var state = UploadState(length: choice & 1 == 0 ? 20 : nil)
        for request in requests(in: input.message) {
            let answers = UploadAnswers(UploadDialect(request.headers), location: "/u", limits: limits)
            let before = state
            do throws(UploadRefusal) {
                let read = try UploadRequest(request)
                let admission = try state.admit(read, limits: limits, announces: choice & 2 == 0)
                guard case .transfer(let transfer) = admission else { continue }
                let sent = read.contentBytes ?? 7
                let end = transfer.start + (choice & 4 == 0 ? sent : sent / 2)
                _ = try state.finish(transfer, offset: end, choice & 4 == 0 ? .whole : .interrupted, limits: limits)
            } catch {
                let status = answers.refusal(error).status.code
                try property("a refusal is the client's error, not \(status)", (400..<500).contains(status))
            }
            try check(state, after: before)
            try property(
                "a state has an answer",
                answers.report(state).fields.value("Upload-Offset") == "\(state.offset)"
            )
        }
        try checkDigests(input.message)
    }

    private static func check(_ state: UploadState, after before: UploadState) throws {
        try property("an epoch never goes back", state.epoch >= before.epoch)
        try property("an offset is in the file", state.offset >= 0 && state.offset <= state.length ?? 50)
        try property("a length stays", before.length == nil || state.length == before.length)
        try property("what is complete is whole", state.phase != .complete || state.offset == state.length)
        try property("what is complete stays", before.phase != .complete || state == before)
        try property("an end is one", before.phase == .open || before.phase == .complete || state == before)
    }

    private static func requests(in message: ArraySlice<UInt8>) -> [RequestHead] {
        let text = String(decoding: message, as: UTF8.self)
        return text.split(separator: "\n\n").compactMap { lines in
            var lines = lines.split(separator: "\n")
            guard let method = lines.popFirst() else { return nil }
            var parser = RequestParser()
            parser.input = Array(
                (["\(method) /u HTTP/1.1", "Host: h"] + lines + ["", ""]).joined(separator: "\r\n").utf8
            )
            guard case .head(let head) = try? parser.next() else { return nil }
            return head
        }
    }

    private static func checkDigests(_ message: ArraySlice<UInt8>) throws {
        guard let members = StructuredItem.dictionary(Array(message)) else { return }
        let digests = DigestAlgorithm.allCases.compactMap { algorithm -> UploadDigest? in
            guard let key = algorithm.fieldKey, case .bytes(let bytes)? = members[key] else { return nil }
            return UploadDigest(algorithm, bytes)
        }
        let again = StructuredItem.dictionary(Array(DigestFields.value(digests).utf8))
        let isSame = digests.allSatisfy { digest in
            digest.algorithm.fieldKey.flatMap { again?[$0] } == .bytes(digest.bytes)
        }
        try property("digests are read again", again?.count == digests.count && isSame)
    }
}

extension UploadRequest {
    fileprivate var contentBytes: Int? {
        switch action {
        case .create(let content), .append(let content, _): content.contentBytes
        default: nil
        }
    }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
