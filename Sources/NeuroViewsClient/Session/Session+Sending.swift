import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Session {
    /// Sends a signed request, and repeats it after repairs of the session. Returns each answer with the server's verdict: a
    /// success, a 304, or a refusal. Throws an error with `isResultUnknown` if there is no such answer.
    ///
    /// `user` is the account that the request is for. Whoever has a store names its account, always: the session may be
    /// another account's by now.
    func send(
        _ method: String,
        _ path: String,
        fields: [HeaderField] = [],
        body: [UInt8] = [],
        expectation: Expectation = Expectation(.json),
        as user: UUID? = nil,
        acceptsRedirect: Bool = false
    ) async throws(ClientError) -> Answer {
        let request = SessionRequest(
            method,
            path,
            fields: fields,
            body: body,
            expectation,
            acceptsRedirect: acceptsRedirect
        )
        return try await send(request, as: user)
    }

    /// The same for a request that is made already.
    func send(_ request: SessionRequest, as user: UUID? = nil) async throws(ClientError) -> Answer {
        var course = Course()
        let own = try known()?.account?.id
        switch try await exchange(request, as: user ?? own, .logsIn, &course) {
        case .answer(let answer): return answer
        case .ended(let problem): throw .needsLogIn(problem)
        }
    }

    /// The same; a refusal is thrown.
    func ask(_ request: SessionRequest, as user: UUID? = nil) async throws(ClientError) -> Answer {
        try Self.accepted(try await send(request, as: user))
    }

    /// The same for a request without fields of its own.
    func ask(
        _ method: String,
        _ path: String,
        body: [UInt8] = [],
        as user: UUID? = nil
    ) async throws(ClientError) -> Answer {
        try await ask(SessionRequest(method, path, body: body), as: user)
    }

    /// Throws a refusal.
    static func accepted(_ answer: Answer) throws(ClientError) -> Answer {
        guard answer.status >= 400 else { return answer }
        let problem = Problem(answer.problem)
        throw problem.code == "confirmation-required" ? .confirmationRequired : .refused(problem)
    }

    /// The course after the server has ended the session.
    enum SessionEnd {
        /// Log in by the app's credentials, and repeat.
        case logsIn
        /// The caller wants to know: its request may have ended the session. It has the turn.
        case isReturned
    }

    /// The end of an exchange.
    enum Outcome {
        case answer(Answer)
        /// The session has ended, for this reason.
        case ended(Problem)
    }

    /// The state of a request without a verdict.
    struct Course {
        /// Its repairs so far: a second one of a kind would help as little.
        var mended: Set<Judgement.Repair> = []
        /// True if an attempt may have arrived, and has no answer of the server's.
        var isOpen = false

        /// True if the server may have done it. After `nonce-used`, an attempt arrived before.
        var mayBeDone: Bool { isOpen || mended.contains(.nonceUsed) }
    }

    /// Sends a request until there is a verdict. `course` is kept up to date, also if this throws.
    func exchange(
        _ request: SessionRequest,
        as user: UUID?,
        _ end: SessionEnd,
        _ course: inout Course
    ) async throws(ClientError) -> Outcome {
        while true {
            let login = try await login(of: user, end)
            let answer = try await attempt(request, by: login, &course)
            switch request.judgement(answer) {
            case .done, .refused, .unauthorized(.credentialsInvalid, _): return .answer(answer)
            case .unknown(let seconds):
                course.isOpen = true
                throw request.unknown(answer, retryAfterSeconds: seconds)
            case .unauthorized(let repair, let problem):
                guard course.mended.insert(repair).inserted else { throw .tryLater(Problem(problem), seconds: nil) }
                if let reason = try await mend(repair, problem, login, as: user, end) { return .ended(reason) }
            }
        }
    }

    private func attempt(
        _ request: SessionRequest,
        by login: SessionRecord.Login,
        _ course: inout Course
    ) async throws(ClientError) -> Answer {
        do throws(ClientError) {
            return try await attempt(request, by: login)
        } catch {
            if !error.hasSentNothing { course.isOpen = true }
            throw error
        }
    }

    /// One attempt: the answer of whoever gave it. Without a login it has no token.
    func attempt(_ request: SessionRequest, by login: SessionRecord.Login?) async throws(ClientError) -> Answer {
        let sent = try signed(request, by: login)
        do throws(TransportError) {
            return Answer(try await transport.send(sent))
        } catch {
            throw ClientError(error)
        }
    }

    /// The request with the fields of a session, as it is sent now.
    func signed(_ request: SessionRequest, by login: SessionRecord.Login?) throws(ClientError) -> TransferRequest {
        var sent = request.sent(to: address)
        if let login {
            sent.fields += try RequestSigner.fields(for: sent, by: login, at: now() &+ (record?.clockS ?? 0))
        }
        return sent
    }

    /// The login to send with: a new one if there is none, and with the next token if it is time.
    func login(of user: UUID?, _ end: SessionEnd) async throws(ClientError) -> SessionRecord.Login {
        try check(user)
        if let login = record?.login {
            guard end == .logsIn, login.isDue(at: now()), now() >= earlyRefreshAt else { return login }
            try await renewEarly(login, as: user)
        } else if end == .logsIn {
            try await inTurn { () throws(ClientError) in try await logInAgain(after: nil, record?.problem, as: user) }
        }
        try check(user)
        guard let login = record?.login else { throw .needsLogIn(record?.problem) }
        return login
    }
}

extension Answer {
    init(_ answer: TransferAnswer) {
        let fields = answer.fields.map { HeaderField($0.name, $0.value) }
        self.init(status: Int64(answer.status), fields: fields, body: answer.body)
    }
}
