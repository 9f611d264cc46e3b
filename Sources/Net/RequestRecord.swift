/// What is noted of one request on its way, for the log, the metrics and Server-Timing. It is handed on as an argument, down
/// to the database; a connection has one and uses it for its requests in turn.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
public final class RequestRecord: @unchecked Sendable {
    /// Where the time went, in nanoseconds. What none of the parts names was spent in the handler.
    public struct Times: Sendable {
        /// On the monotonic clock, when the head was complete.
        public internal(set) var startedNs: UInt64 = 0
        /// On the same clock, when the answer was made.
        public internal(set) var answeredNs: UInt64 = 0
        /// On the same clock, when the system had taken the whole answer, or the client had gone.
        public internal(set) var endedNs: UInt64 = 0
        /// Reading the body.
        public var bodyNs: UInt64 = 0
        /// Checking token and signature.
        public var authenticationNs: UInt64 = 0
        /// Hashing a password, the wait for the thread that does it included.
        public var hashingNs: UInt64 = 0
        /// Waiting for a database connection.
        public var databaseWaitNs: UInt64 = 0
        /// From sending statements to their results.
        public var databaseNs: UInt64 = 0

        /// No time at all.
        public init() {}

        /// From the complete head to the complete answer.
        public var totalNs: UInt64 { endedNs &- startedNs }
        /// From the complete head to the first byte of the answer.
        public var answerNs: UInt64 { answeredNs &- startedNs }
        /// Writing the answer, and reading what was left of the body.
        public var writeNs: UInt64 { endedNs &- answeredNs }
        /// What is left for the handler.
        public var handlerNs: UInt64 {
            let parts = bodyNs + authenticationNs + hashingNs + databaseWaitNs + databaseNs
            return answerNs > parts ? answerNs - parts : 0
        }
    }

    /// Where the time went.
    public var times: Times {
        get { stored.times }
        set { stored.times = newValue }
    }
    /// Batches that were sent to the database.
    public var databaseRoundTrips: Int {
        get { stored.databaseRoundTrips }
        set { stored.databaseRoundTrips = newValue }
    }
    /// Bytes of the body that were read.
    public var bodyBytes: Int {
        get { stored.bodyBytes }
        set { stored.bodyBytes = newValue }
    }
    /// The request's id.
    public var id: String {
        get { stored.id }
        set { stored.id = newValue }
    }
    /// Who asks, of a request with a body; nil behind a Unix socket.
    public var client: IPAddress? {
        get { stored.client }
        set { stored.client = newValue }
    }
    /// Which of the application's route labels it counts for.
    public var label: Int {
        get { stored.label }
        set { stored.label = newValue }
    }
    /// The problem type of an error.
    public var problem: String? {
        get { stored.problem }
        set { stored.problem = newValue }
    }
    /// The id of the account that asks, once its token was verified, or it has logged in.
    public var account: String? {
        get { stored.account }
        set { stored.account = newValue }
    }
    /// The id of its session.
    public var session: String? {
        get { stored.session }
        set { stored.session = newValue }
    }
    /// What stands in the log for the address that somebody tries to log in to.
    public var tried: String? {
        get { stored.tried }
        set { stored.tried = newValue }
    }
    /// What an operator should know about a failure; never shown to clients.
    public var failure: String? {
        get { stored.failure }
        set { stored.failure = newValue }
    }

    /// Whether an answer that had begun was broken off, because the rest of it could not be made.
    public var isCutOff: Bool {
        get { stored.isCutOff }
        set { stored.isCutOff = newValue }
    }

    /// Whether who asks is still there; nil where nobody knows.
    public let presence: Presence?

    private struct Stored {
        var times = Times()
        var databaseRoundTrips = 0
        var bodyBytes = 0
        var id = ""
        var label = 0
        var client: IPAddress?
        var problem: String?
        var account: String?
        var session: String?
        var tried: String?
        var failure: String?
        var isCutOff = false
    }

    // Unchecked and behind functions, since other modules would check each access of every request all the same: each is
    // read or set at once.
    @exclusivity(unchecked) private var stored = Stored()

    /// A record of nothing.
    public init(presence: Presence? = nil) { self.presence = presence }

    /// Forgets the last request and begins the next one now.
    public func begin() {
        stored.times = Times()
        stored.times.startedNs = Monotonic.nowNs()
        stored.databaseRoundTrips = 0
        stored.bodyBytes = 0
        stored.client = nil
        stored.problem = nil
        stored.account = nil
        stored.session = nil
        stored.tried = nil
        stored.failure = nil
        stored.isCutOff = false
    }

    /// The answer is made.
    public func answer() { stored.times.answeredNs = Monotonic.nowNs() }

    /// The answer is sent, or can't be.
    public func end() {
        stored.times.endedNs = Monotonic.nowNs()
        // Nobody made an answer of its own.
        if stored.times.answeredNs == 0 { stored.times.answeredNs = stored.times.endedNs }
    }
}
