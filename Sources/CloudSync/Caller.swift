import Postgres
import Synchronization
import Tracing

/// The authenticated caller of a request. Passed to every service method; never stored.
package struct Caller: Sendable {
    /// The user's id.
    package let userID: String
    /// The session's id.
    package let sessionID: String
    /// The token's rotation counter.
    package let counter: Int
    /// The master key that the session's keys are derived from.
    package let keyID: String
    /// The version of the request's signature; 0 without one.
    package let signatureVersion: Int
    /// Collects the time that the database needs for the request.
    let record: RequestRecord?
    private let nonce: UnspentNonce?
    /// False in `withAnyToken`.
    private var isTokenChecked = true

    /// Stores the verified identity. `nonce` is set if the request was signed and changes something.
    package init(
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

    private static let enter = Statement("SELECT enter_session($1, $2, $3, $4)")
    private static let enterSigned = Statement("SELECT enter_signed_session($1, $2, $3, $4, $5, $6)")

    /// The first step of each of the caller's transactions. Checks the session, and sets the user for row-level
    /// security.
    var enter: Step { Self.enter(.text(userID), .text(sessionID), .int(enteredCounter), .int(signatureVersion)) }

    /// The same caller, whose transactions accept each token of the live session: `rotate_token` checks it, or the
    /// first transaction of a long answer did. The session may get a newer token meanwhile.
    var withAnyToken: Caller {
        var caller = self
        caller.isTokenChecked = false
        return caller
    }

    private var enteredCounter: Int? { isTokenChecked ? counter : nil }

    /// The first step of a transaction that writes. Also spends the nonce of a signed request, unless it was spent
    /// earlier.
    func enterSpendingNonce() -> Step {
        guard let nonce = nonce?.take() else { return enter }
        return Self.enterSigned(
            .text(userID),
            .text(sessionID),
            .int(enteredCounter),
            .int(signatureVersion),
            .int(nonce.signedAt),
            .text(nonce.value)
        )
    }

    /// True if the next transaction that writes spends a nonce.
    var hasNonce: Bool { nonce?.isUnspent ?? false }

    /// Returns the nonce after a rollback: the next transaction spends it.
    func keepNonce() { nonce?.putBack() }
}

/// Identifies a signed request within its session.
package struct SignedNonce: Sendable, Equatable {
    /// `X-Timestamp`, Unix seconds.
    package let signedAt: Int
    /// `X-Nonce`.
    package let value: String

    /// Stores the two headers' values.
    package init(signedAt: Int, value: String) {
        self.signedAt = signedAt
        self.value = value
    }
}

/// The nonce of one request. The request's first transaction that writes spends it.
private final class UnspentNonce: Sendable {
    private let nonce: SignedNonce
    private let isSpent = Atomic(false)

    init(_ nonce: SignedNonce) { self.nonce = nonce }

    var isUnspent: Bool { !isSpent.load(ordering: .relaxed) }

    func take() -> SignedNonce? { isSpent.exchange(true, ordering: .relaxed) ? nil : nonce }

    func putBack() { isSpent.store(false, ordering: .relaxed) }
}
