import Net

/// The data of one request for the log, the metrics and Server-Timing. It is passed as an argument, down to the
/// database. A connection has one record and reuses it for each request.
///
/// `@unchecked Sendable`: used only on its loop's thread.
public final class RequestRecord: @unchecked Sendable {
    /// The times of a request, in nanoseconds. Time in none of the parts belongs to the handler.
    public struct Times: Sendable {
        /// The time of the complete head, on the monotonic clock.
        public internal(set) var startedNs: UInt64 = 0
        /// The time of the finished response object, on the same clock.
        public internal(set) var answeredNs: UInt64 = 0
        /// The end, on the same clock: the system accepted the whole response, or the client disconnected.
        public internal(set) var endedNs: UInt64 = 0
        /// Reading the body.
        public var bodyNs: UInt64 = 0
        /// Checking token and signature.
        public var authenticationNs: UInt64 = 0
        /// Hashing a password, with the wait for a thread.
        public var hashingNs: UInt64 = 0
        /// Waiting for a turn on a database connection, also behind earlier batches on it.
        public var databaseWaitNs: UInt64 = 0
        /// Database time: from the moment when PostgreSQL could begin with the statements to their results.
        public var databaseNs: UInt64 = 0

        /// Makes zero times.
        public init() {}

        /// From the complete head to the end of the response.
        public var totalNs: UInt64 { endedNs &- startedNs }
        /// From the complete head to the first byte of the response.
        public var answerNs: UInt64 { answeredNs &- startedNs }
        /// Writing the response, and reading the rest of the body.
        public var writeNs: UInt64 { endedNs &- answeredNs }
        /// The remaining time, for the handler.
        public var handlerNs: UInt64 {
            let parts = bodyNs + authenticationNs + hashingNs + databaseWaitNs + databaseNs
            return answerNs > parts ? answerNs - parts : 0
        }
    }

    /// The times of the request.
    public var times: Times {
        get { stored.times }
        set { stored.times = newValue }
    }
    /// The number of batches sent to the database.
    public var databaseRoundTrips: Int {
        get { stored.databaseRoundTrips }
        set { stored.databaseRoundTrips = newValue }
    }
    /// The number of writes that the hourly limit counts for the request.
    public var writes: Int {
        get { stored.writes }
        set { stored.writes = newValue }
    }
    /// The number of body bytes read.
    public var bodyBytes: Int {
        get { stored.bodyBytes }
        set { stored.bodyBytes = newValue }
    }
    /// The request's id.
    public var id: String {
        get { stored.id }
        set { stored.id = newValue }
    }
    /// The client's address, for requests with a body; nil behind a Unix socket.
    public var client: IPAddress? {
        get { stored.client }
        set { stored.client = newValue }
    }
    /// The index of the application's route label, for counting.
    public var label: Int {
        get { stored.label }
        set { stored.label = newValue }
    }
    /// The problem type of an error.
    public var problem: String? {
        get { stored.problem }
        set { stored.problem = newValue }
    }
    /// The account's id, after its token was verified or after a login.
    public var account: String? {
        get { stored.account }
        set { stored.account = newValue }
    }
    /// The id of the account's session.
    public var session: String? {
        get { stored.session }
        set { stored.session = newValue }
    }
    /// The pseudonym in the log for the email address of a login attempt.
    public var tried: String? {
        get { stored.tried }
        set { stored.tried = newValue }
    }
    /// The details of a failure for an operator; never shown to clients.
    public var failure: String? {
        get { stored.failure }
        set { stored.failure = newValue }
    }

    /// True if a started response was cut off because its rest could not be made.
    public var isCutOff: Bool {
        get { stored.isCutOff }
        set { stored.isCutOff = newValue }
    }

    /// True if the request may wait for something to happen: its time says nothing about the server.
    public var waits: Bool {
        get { stored.waits }
        set { stored.waits = newValue }
    }

    /// Shows if the client is still there; nil if unknown.
    public let presence: Presence?

    private struct Stored {
        var times = Times()
        var databaseRoundTrips = 0
        var writes = 1
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
        var waits = false
    }

    // Unchecked and behind functions: otherwise other modules would check exclusivity for each access of every request.
    // Each access is a single read or write.
    @exclusivity(unchecked) private var stored = Stored()

    /// Makes an empty record.
    public init(presence: Presence? = nil) { self.presence = presence }

    /// Clears the last request and starts the next one now. The application then sets `id` and `label`.
    public func begin() {
        stored = Stored()
        stored.times.startedNs = Monotonic.nowNs()
    }

    /// Records the time of the response.
    public func answer() { stored.times.answeredNs = Monotonic.nowNs() }

    /// Records the end: the response is sent, or can't be.
    public func end() {
        stored.times.endedNs = Monotonic.nowNs()
        // No response was recorded.
        if stored.times.answeredNs == 0 { stored.times.answeredNs = stored.times.endedNs }
    }
}
