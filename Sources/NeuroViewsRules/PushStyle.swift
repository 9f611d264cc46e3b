/// The way to push edits.
package struct PushStyle: Sendable, Equatable {
    /// The request for one document that has a copy.
    package enum Single: Sendable {
        /// `PUT`.
        case put
        /// `PUT` that lets the server merge.
        case merge
        /// `PATCH` with the difference, where there is one.
        case patch
    }

    /// Items from which on a batch is sent; nil for none.
    package var batchFrom: Int?
    /// A batch is done as a whole or not at all.
    package var isAtomic = false
    /// The request for one item.
    package var single: Single

    /// One item by a merge, several by a batch.
    package static let automatic = PushStyle(batchFrom: 2, single: .merge)
    /// Each item by `PUT`.
    package static let put = PushStyle(single: .put)
    /// Each item by a merge.
    package static let merge = PushStyle(single: .merge)
    /// Each item by `PATCH`.
    package static let patch = PushStyle(single: .patch)
    /// Always a batch.
    package static let batch = PushStyle(batchFrom: 1, single: .put)
    /// Always a batch, as a whole or not at all.
    package static let atomic = PushStyle(batchFrom: 1, isAtomic: true, single: .put)

    /// The style of that name; nil if there is none.
    package init?(name: String) {
        let styles: [String: PushStyle] = [
            "automatic": .automatic, "put": .put, "merge": .merge, "patch": .patch, "batch": .batch, "atomic": .atomic,
        ]
        guard let style = styles[name] else { return nil }
        self = style
    }

    private init(batchFrom: Int? = nil, isAtomic: Bool = false, single: Single) {
        (self.batchFrom, self.isAtomic, self.single) = (batchFrom, isAtomic, single)
    }
}

/// What an account stores about its pushes.
package struct PushState: Sendable, Equatable {
    private static let seenMax = 16
    private static let refusalsMax: Int64 = 3

    /// The different heads of answers to writes since the last complete pull, which ends them.
    package var seen: [String] = []
    /// Atomic batches refused in a row. Zero again when nothing is unsent.
    package var refusals: Int64 = 0

    /// Nothing was pushed.
    package init() {}

    /// Takes the stored values.
    package init(seen: [String], refusals: Int64) { (self.seen, self.refusals) = (seen, refusals) }

    /// True if the next step must be a pull: it can name no more heads.
    package var needsPull: Bool { seen.count >= Self.seenMax }

    /// True if batches were refused, so that items go one by one.
    package var isOneByOne: Bool { refusals >= Self.refusalsMax }

    mutating func note(head: String?) {
        if let head, !seen.contains(head) { seen.append(head) }
    }

    mutating func noteBatch(isRefused: Bool) { refusals = isRefused ? min(refusals, Self.refusalsMax) + 1 : 0 }

    /// The refusal of a batch does not name its item; single requests will show it.
    mutating func goOneByOne() { refusals = Self.refusalsMax }
}
