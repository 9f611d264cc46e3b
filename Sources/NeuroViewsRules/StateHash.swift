import NeuroViewsJSON

/// The hash over all copies (docs/client.md, "state_hash"): the XOR of the items' parts, so that a change costs two.
package struct StateHash: Sendable, Equatable {
    /// SHA-256.
    package typealias SHA256 = ([UInt8]) -> [UInt8]

    private static let digits = Array("0123456789abcdef".utf8)

    /// The 32 bytes.
    package private(set) var bytes = [UInt8](repeating: 0, count: 32)

    /// The hash of an account without configurations.
    package init() {}

    /// Takes stored bytes; nil unless they are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits in lower case; nil for anything else.
    package init?(text: String) {
        let values = text.utf8.compactMap { Self.digits.firstIndex(of: $0).map(UInt8.init) }
        guard text.utf8.count == 64, values.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { (index: Int) -> UInt8 in values[index] << 4 | values[index + 1] }
    }

    /// The 64 hexadecimal digits.
    package var text: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Takes an item's old document out and its new one in.
    package mutating func change(_ id: String, from old: Document?, to new: Document?, _ sha256: SHA256) {
        if old == new { return }
        for document in [old, new] {
            guard let document else { continue }
            let part = Self.part(id, document, sha256)
            bytes = zip(bytes, part).map { $0 ^ $1 }
        }
    }

    /// The part of one document. Its id counts in lower case.
    private static func part(_ id: String, _ document: Document, _ sha256: SHA256) -> [UInt8] {
        var spelled = document.object
        spelled.set("id", to: .string(id))
        return sha256(Array(id.utf8) + sha256(JSONValue.object(spelled).canonical()))
    }
}

/// Compares the copies with the server's after each complete pull.
package struct StateCheck: Sendable, Equatable {
    private static let dayS: Int64 = 86400

    /// The time of the last report; nil if the hash was right since.
    package var wrongAt: Instant?

    /// Takes the stored time.
    package init(wrongAt: Instant?) { self.wrongAt = wrongAt }

    /// The next step.
    package enum Next: Sendable {
        /// Nothing: the hash is right, or was reported within a day.
        case nothing
        /// Pull a full set.
        case pullFullSet
        /// Tell the app: the client computes the hash wrongly.
        case report
    }

    /// Judges a hash. `isRepeat`: the pull was the full set for a wrong hash.
    package mutating func next(isRight: Bool, isRepeat: Bool, at now: Instant) -> Next {
        if isRight {
            wrongAt = nil
            return .nothing
        }
        if isRepeat {
            wrongAt = now
            return .report
        }
        return wrongAt?.isWithin(seconds: Self.dayS, before: now) == true ? .nothing : .pullFullSet
    }
}
