import NeuroViewsRules

/// Sends parts of a file straight to an S3 store, three at a time. Which parts are there is the store's word: the server asks
/// it before each grant.
struct PartSender {
    private static let concurrentMax = 3
    /// S3's limits.
    private static let sizes: ClosedRange<Int64> = 5 << 20...5 << 30
    private static let countMax: Int64 = 10_000

    /// Throws `.invalidArgument` for parts of a size that no server takes.
    static func check(_ size: Int64, ofFile fileSize: Int64) throws(ClientError) {
        let least = max(sizes.lowerBound, (fileSize + countMax - 1) / countMax)
        guard (least...max(least, sizes.upperBound)).contains(size) else {
            throw .invalidArgument("Parts of this file must have \(least) to \(sizes.upperBound) bytes.")
        }
    }

    /// The end of a round.
    struct Round: Sendable {
        /// The numbers of the parts that the store has taken.
        var stored: Set<Int64> = []
        /// The first reason why a part was not taken.
        var failure: SendingEnd?

        fileprivate mutating func note(_ end: SendingEnd) { failure = failure ?? end }
    }

    let transport: any Transport
    let fields: [String: String]
    let content: UploadContent
    let meter: UploadMeter

    /// Sends the parts. After a failure those that are under way are finished, and no others begun.
    func send(_ parts: [UploadGrant.Part]) async -> Round {
        await withTaskGroup(of: (Int64, SendingEnd).self) { group in
            var round = Round()
            var rest = parts[...]
            for part in rest.prefix(Self.concurrentMax) { begin(part, &group) }
            rest = rest.dropFirst(Self.concurrentMax)
            while let (number, end) = await group.next() {
                if case .everything = end { round.stored.insert(number) } else { round.note(end) }
                if round.failure == nil, let next = rest.popFirst() { begin(next, &group) }
            }
            return round
        }
    }

    private func begin(_ part: UploadGrant.Part, _ group: inout TaskGroup<(Int64, SendingEnd)>) {
        var request = TransferRequest("PUT", part.url, fields: fields.map { ($0.key, $0.value) })
        let sent = meter.counter(part.number)
        request.body = .file(content.region(offset: part.offset, length: part.size, sent: sent))
        group.addTask { [transport, request] in
            do throws(TransportError) {
                return (part.number, SendingEnd(ofStore: try await transport.send(request).status))
            } catch {
                return (part.number, SendingEnd(error) ?? .interrupted(ClientError(error), stored: nil))
            }
        }
    }
}

extension SendingEnd {
    /// Reads the status of a store's answer to the PUT of a part.
    fileprivate init(ofStore status: Int) {
        switch status {
        case 200...299: self = .everything
        case 403, 404, 410: self = .gone
        default:
            let reason = "the store of files answered with status \(status)"
            self = .interrupted(.unexpectedAnswer(reason), stored: nil)
        }
    }
}
