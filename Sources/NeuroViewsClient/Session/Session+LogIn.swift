import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Session {
    /// The server's answer to a log in.
    private enum Entry {
        case entered(Account, SessionRecord.Login)
        case secondFactor(Challenge)
        case refused(NeuroViewsRules.Problem)
    }

    /// Begins a session with what the user gave.
    func logIn(with credentials: Credentials) async throws(ClientError) -> LogIn {
        switch try await entry(credentials.path, credentials.members) {
        case .entered(let account, let login):
            try await begin(account, login)
            return .done(account)
        case .secondFactor(let challenge): return .secondFactor(challenge)
        case .refused(let problem): throw .refused(Problem(problem))
        }
    }

    /// Finishes a log in by its second factor.
    func finishLogIn(_ challenge: Challenge, with factor: Factor) async throws(ClientError) -> Account {
        let request = Self.post(
            "/auth/second-factor",
            [.text("challenge", challenge.secret), factor.member],
            Self.entered
        )
        switch try await entry(request) {
        case .entered(let account, let login):
            try await begin(account, login)
            return account
        case .secondFactor: throw .unexpectedAnswer("The server wants a second factor after the second factor.")
        case .refused(let problem): throw .refused(Problem(problem))
        }
    }

    /// Begins another session of the account by the app's credentials, unless somebody else did it meanwhile. The caller has
    /// the turn. Throws `.needsLogIn` if only the user can do it, and `.otherAccount` if the credentials are another
    /// account's: then nothing is repeated.
    func logInAgain(
        after used: SessionRecord.Login?,
        _ reason: Problem?,
        as user: UUID?
    ) async throws(ClientError) {
        try readAgain(as: user)
        guard record?.login?.token == used?.token else { return }
        try await change { if $0.login?.token == used?.token { $0.end(reason) } }
        try check(user)
        guard record?.login == nil else { return }
        guard record?.isLogInRefused == false, let credentials = await credentials?() else { throw .needsLogIn(reason) }
        try await enter(with: credentials)
        try check(user)
    }

    private func enter(with credentials: Credentials) async throws(ClientError) {
        let before = record
        switch try await entry(credentials.path, credentials.members) {
        case .entered(let account, let login):
            // The user may have logged in or out meanwhile.
            try await change { if $0.account == before?.account, $0.login == nil { $0.begin(account, login) } }
        case .secondFactor: throw .needsLogIn(try await refuse(Self.secondFactorNeeded))
        case .refused(let problem) where problem.status == 401 || problem.status == 403:
            throw .needsLogIn(try await refuse(problem))
        case .refused(let problem): throw .tryLater(Problem(problem), seconds: nil)
        }
    }

    /// Notes that only the user can log in.
    private func refuse(_ problem: NeuroViewsRules.Problem) async throws(ClientError) -> Problem {
        let shown = Problem(problem)
        try await change { if $0.login == nil { ($0.problem, $0.isLogInRefused) = (shown, true) } }
        return shown
    }

    /// Stores a new session.
    func begin(_ account: Account, _ login: SessionRecord.Login) async throws(ClientError) {
        try await change { $0.begin(account, login) }
    }

    /// Sends a log in with the name of this device, which is stored before.
    private func entry(
        _ path: String,
        _ members: [JSONObject.Member]
    ) async throws(ClientError) -> Entry {
        let stored = try await vault.change { record in
            record.deviceID = record.deviceID ?? UUID().uuidString.lowercased()
        }
        var device = [JSONObject.Member.text("device_id", stored.deviceID ?? "")]
        if let deviceName { device.append(.text("device_name", deviceName)) }
        return try await entry(Self.post(path, members + device, Self.entered))
    }

    private func entry(_ request: SessionRequest) async throws(ClientError) -> Entry {
        let answer = try await attempt(request, by: nil)
        switch request.judgement(answer) {
        case .done:
            let (account, login) = try entered(answer)
            return .entered(account, login)
        case .refused(let problem), .unauthorized(_, let problem):
            return Challenge(problem).map { .secondFactor($0) } ?? .refused(problem)
        case .unknown(let seconds): throw request.unknown(answer, retryAfterSeconds: seconds)
        }
    }

    /// Reads the answer that begins a session.
    func entered(_ answer: Answer) throws(ClientError) -> (Account, SessionRecord.Login) {
        let json = answer.json
        guard let account = json?["user"].flatMap({ Account($0) }),
            let login = SessionRecord.Login(
                token: json?["token"]?.string,
                key: json?["signing_key"]?.string,
                receivedAt: now()
            )
        else { throw .unexpectedAnswer("The answer to the log in has no account, token or key.") }
        return (account, login)
    }

    /// What the answer to a log in has.
    static let entered = Expectation(.strings(["token", "signing_key"]))

    static func post(
        _ path: String,
        _ members: [JSONObject.Member] = [],
        _ expectation: Expectation = Expectation(.json)
    ) -> SessionRequest {
        let body = members.isEmpty ? [] : JSON.object(JSONObject(members)).serialized()
        return SessionRequest("POST", path, body: body, expectation)
    }

    private static let secondFactorNeeded = NeuroViewsRules.Problem(
        status: 403,
        JSONObject([
            .text("type", "/problems/second-factor-required"), .text("title", "Second factor required"),
            .text("detail", "Log in with the second factor."),
        ])
    )
}
