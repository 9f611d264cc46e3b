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

    // Unchecked: each is read or set at once, in every request.
    /// Where the time went.
    @exclusivity(unchecked) public var times = Times()
    /// Batches that were sent to the database.
    @exclusivity(unchecked) public var databaseRoundTrips = 0
    /// Bytes of the body that were read.
    @exclusivity(unchecked) public var bodyBytes = 0
    /// The request's id.
    public var id = ""
    /// Which of the application's route labels it counts for.
    public var label = 0
    /// The problem type of an error.
    @exclusivity(unchecked) public var problem: String?
    /// What an operator should know about a failure; never shown to clients.
    @exclusivity(unchecked) public var failure: String?

    /// A record of nothing.
    public init() {}

    /// Forgets the last request and begins the next one now.
    public func begin() {
        times = Times()
        times.startedNs = Monotonic.nowNs()
        databaseRoundTrips = 0
        bodyBytes = 0
        problem = nil
        failure = nil
    }

    /// The answer is made.
    public func answer() { times.answeredNs = Monotonic.nowNs() }

    /// The answer is sent, or can't be.
    public func end() {
        times.endedNs = Monotonic.nowNs()
        // Nobody made an answer of its own.
        if times.answeredNs == 0 { times.answeredNs = times.endedNs }
    }
}
