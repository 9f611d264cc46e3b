import Net
import Postgres

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
    /// Set when the request was signed and changes something: it is taken once.
    public let nonce: SignedNonce?
    /// Where the database notes how long the request took it.
    let record: RequestRecord?

    /// Names the caller. The identity must have been verified.
    public init(
        userID: String,
        sessionID: String,
        counter: Int,
        keyID: String,
        nonce: SignedNonce? = nil,
        record: RequestRecord? = nil
    ) {
        self.userID = userID
        self.sessionID = sessionID
        self.counter = counter
        self.keyID = keyID
        self.nonce = nonce
        self.record = record
    }

    /// The same without the nonce, for a further transaction of the same request.
    var withoutNonce: Caller {
        Caller(userID: userID, sessionID: sessionID, counter: counter, keyID: keyID, record: record)
    }

    private static let enter = Statement("SELECT enter($1, $2)")
    private static let enterSigned = Statement("SELECT enter_signed($1, $2, $3, $4)")

    /// The first step of each of the caller's transactions: checks the session, takes the nonce, and sets the user whose
    /// rows the rest may see.
    var enter: Step {
        guard let nonce else { return Self.enter(.text(sessionID), .int(counter)) }
        return Self.enterSigned(.text(sessionID), .int(counter), .int(nonce.signedAt), .text(nonce.value))
    }
}

/// What makes a signed request different from every other one of its session.
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
