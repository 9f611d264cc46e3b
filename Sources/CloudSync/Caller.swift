import Net
import Postgres
import Synchronization

/// Who asks. Handed to every service method, never kept anywhere else.
public struct Caller: Sendable {
    /// The user's id.
    public let userID: String
    /// The session's id.
    public let sessionID: String
    /// The token's rotation counter.
    public let counter: Int
    /// The master key that the session's keys are derived from.
    public let keyID: String
    /// Of the request's signature; 0 without one.
    public let signatureVersion: Int
    /// Where the database notes how long the request took it.
    let record: RequestRecord?
    private let nonce: UnspentNonce?

    /// Names the caller. The identity must have been verified. `nonce` is set when the request was signed and changes something.
    public init(
        userID: String,
        sessionID: String,
        counter: Int,
        keyID: String,
        signatureVersion: Int = 0,
        nonce: SignedNonce? = nil,
        record: RequestRecord? = nil
    ) {
        self.userID = userID
        self.sessionID = sessionID
        self.counter = counter
        self.keyID = keyID
        self.signatureVersion = signatureVersion
        self.nonce = nonce.map(UnspentNonce.init)
        self.record = record
    }

    private static let enter = Statement("SELECT enter_request($1, $2, $3)")
    private static let enterSigned = Statement("SELECT enter_signed_request($1, $2, $3, $4, $5)")

    /// The first step of each of the caller's transactions: checks the session, and sets the user whose rows the rest may see.
    var enter: Step { Self.enter(.text(sessionID), .int(counter), .int(signatureVersion)) }

    /// The same for a transaction that writes: it spends the nonce of a signed request, if no earlier one has.
    func enterSpendingNonce() -> Step {
        guard let nonce = nonce?.take() else { return enter }
        return Self.enterSigned(
            .text(sessionID),
            .int(counter),
            .int(signatureVersion),
            .int(nonce.signedAt),
            .text(nonce.value)
        )
    }

    /// The nonce of a signed request, for a transaction that enters in another way; nil when an earlier one has spent it.
    func takeNonce() -> SignedNonce? { nonce?.take() }

    /// After a transaction that was rolled back: the next one spends the nonce.
    func keepNonce() { nonce?.putBack() }
}

/// Tells a signed request from every other one of its session.
public struct SignedNonce: Sendable, Equatable {
    /// `X-Timestamp`, Unix seconds.
    public let signedAt: Int
    /// `X-Nonce`.
    public let value: String

    /// Takes the two headers' values.
    public init(signedAt: Int, value: String) {
        self.signedAt = signedAt
        self.value = value
    }
}

/// The nonce of one request, which the first of its transactions that writes spends.
private final class UnspentNonce: Sendable {
    private let nonce: SignedNonce
    private let isSpent = Atomic(false)

    init(_ nonce: SignedNonce) { self.nonce = nonce }

    func take() -> SignedNonce? { isSpent.exchange(true, ordering: .relaxed) ? nil : nonce }

    func putBack() { isSpent.store(false, ordering: .relaxed) }
}
