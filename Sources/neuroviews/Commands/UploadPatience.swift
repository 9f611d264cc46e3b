import NeuroViewsClient

/// Decides how long a command waits for an upload.
struct UploadPatience {
    /// The command that waits.
    enum Purpose {
        /// Waits until the server has verified the file.
        case upload
        /// Sends the bytes, and waits a little for the receipt.
        case sync
    }

    enum Verdict: Equatable {
        case goOn
        /// Explain the long wait.
        case explain
        /// Every byte is sent: the receipt can wait.
        case leave
        /// The upload stays on the device.
        case giveUp(ClientError?)
    }

    /// The time that a sync waits for receipts.
    static let syncReceipt = Duration.seconds(5)
    private static let explanation = Duration.seconds(5)
    private let purpose: Purpose
    private let receipt: Duration
    private var fruitless = 0
    private var lastSent: Int64 = -1
    private var verifyingSince: ContinuousClock.Instant?
    private var isExplained = false

    /// `receipt`: the time that a sync has for this one.
    init(_ purpose: Purpose, receipt: Duration = Self.syncReceipt) { (self.purpose, self.receipt) = (purpose, receipt) }

    /// So many attempts in a row may bring no byte further.
    private var attemptsMax: Int { purpose == .sync ? 1 : 4 }

    /// A state has come.
    mutating func take(
        _ state: Upload.State,
        sent: Int64,
        _ reason: ClientError?,
        at now: ContinuousClock.Instant
    ) -> Verdict {
        if let reason, !reason.mayPass { return .giveUp(reason) }
        switch state {
        case _ where state == .waiting || state == .completing && reason != nil:
            verifyingSince = nil
            fruitless = sent > lastSent ? 1 : fruitless + 1
            lastSent = max(lastSent, sent)
            return fruitless >= attemptsMax ? .giveUp(reason) : .goOn
        case .verifying:
            verifyingSince = verifyingSince ?? now
            return look(at: now)
        default:
            verifyingSince = nil
            return .goOn
        }
    }

    /// Some time has passed.
    mutating func look(at now: ContinuousClock.Instant) -> Verdict {
        guard let since = verifyingSince else { return .goOn }
        if purpose == .sync, now - since >= receipt { return .leave }
        guard purpose == .upload, !isExplained, now - since >= Self.explanation else { return .goOn }
        isExplained = true
        return .explain
    }
}

extension ClientError {
    /// True if some patience may be all that is needed.
    fileprivate var mayPass: Bool {
        switch self {
        case .offline, .tryLater, .unexpectedAnswer, .answerTooLarge: true
        default: false
        }
    }
}
