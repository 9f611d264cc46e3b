import Foundation
import NeuroViewsJSON
import TestSupport

/// A session of one device: logs in, signs, refreshes its token (docs/client.md, "Answers to any request").
final class Session: @unchecked Sendable {
    /// Statuses about the way to the server or its load, not about the request.
    private static let ofTheWay: Set<Int> = [405, 408, 417, 421, 429, 431]
    /// Statuses that a proxy may send instead of the server.
    private static let ofAnybody: Set<Int> = [413, 414]
    private static let pauseS = 1.0...3600.0
    /// The same request is signed anew.
    private static let resigned: Set<String> = ["clock-skew", "nonce-used"]
    private static let repairs = resigned.union(["token-expired", "token-outdated"])

    private let client: APIClient
    private let email: String
    private let password: String
    let deviceID: String
    /// Stores the login.
    var store: (@Sendable (Login) throws -> Void)?
    /// Held during a refresh: a second thread then finds a newer token.
    private let renewing = NSLock()
    /// Guards the members below: the user may restore an older version during a sync.
    private let lock = NSLock()
    private var login: Login
    private var clockS = 0

    init(port: UInt16, email: String, password: String, deviceID: String, _ stored: Login) {
        client = APIClient(port: port)
        (self.email, self.password, self.deviceID) = (email, password, deviceID)
        login = stored.email == email ? stored : Login(user: stored.user, email: email)
    }

    /// Changes the login in memory and on disk, before anything else is sent.
    private func keep(_ change: (inout Login) -> Void) throws {
        try lock.withLock {
            change(&login)
            try store?(login)
        }
    }

    /// Continues with another account.
    func enter(_ other: Login) throws { try keep { $0 = other } }

    /// Ends the use of the session: the next request begins with a login.
    func forget() throws { try keep { ($0.token, $0.attempt) = (nil, nil) } }

    /// The server's answer to a signed request.
    func send(_ method: String, _ path: String, _ fields: APIClient.Fields, _ body: String) throws -> HTTPAnswer {
        var repaired: Set<String> = []
        while true {
            let current = lock.withLock { login }
            let used = try current.token == nil ? logIn() : current
            let answer = try attempt(method, path, fields, body, by: used)
            guard answer.status == 401 else { return answer }
            switch try repair(answer, &repaired) {
            case "token-expired", "token-outdated": try renewing.withLock { try renew(used) }
            case "log in": try forget()
            default: break
            }
        }
    }

    /// Returns the row of a 401, which counts once for each request. Corrects the clock.
    private func repair(_ answer: HTTPAnswer, _ repaired: inout Set<String>) throws -> String {
        let repair = Self.repairs.contains(answer.problem) ? answer.problem : "log in"
        guard repaired.insert(repair).inserted else { throw SyncFailure.told(answer) }
        if repair == "clock-skew" {
            let difference = (answer.int("server_time") ?? 0) - Int(Date().timeIntervalSince1970)
            lock.withLock { clockS = difference }
        }
        return repair
    }

    /// Stores the next token of the session, unless there is a newer one. Without an answer, the next try is the same
    /// attempt.
    private func renew(_ used: Login) throws {
        let current = lock.withLock { login }
        guard current.token == used.token else { return }
        let name = current.attempt ?? UUID().uuidString
        if current.attempt == nil { try keep { $0.attempt = name } }
        var repaired: Set<String> = []
        while true {
            let answer = try attempt("POST", "/auth/refresh", [], #"{"attempt":"\#(name)"}"#, by: used)
            if answer.status == 401, try Self.resigned.contains(repair(answer, &repaired)) { continue }
            guard answer.status == 200 || answer.status == 401 else {
                throw SyncFailure.pause(seconds: nil)
            }
            return try keep { ($0.token, $0.attempt) = (answer.status == 200 ? answer.string("token") : nil, nil) }
        }
    }

    private func logIn() throws -> Login {
        let body = #"{"email":"\#(email)","password":"\#(password)","device_id":"\#(deviceID)"}"#
        let answer = try checked(["token", "signing_key", "user"]) {
            try client.send("POST", "/v2/auth/login", body: body)
        }
        if answer.status == 401 || answer.status == 403 { throw SyncFailure.signedOut(answer) }
        guard answer.status == 200 else { throw SyncFailure.pause(seconds: nil) }
        let user = (answer.json["user"] as? [String: Any])?["id"] as? String ?? ""
        let made = Login(
            user: user.lowercased(),
            email: email,
            token: answer.string("token"),
            key: answer.string("signing_key")
        )
        let known = lock.withLock { login.user }
        guard known.isEmpty || known == made.user else { throw SyncFailure.otherAccount(made) }
        try keep { $0 = made }
        return made
    }

    private func attempt(
        _ method: String,
        _ path: String,
        _ fields: APIClient.Fields,
        _ body: String,
        by login: Login
    ) throws -> HTTPAnswer {
        let token = login.token ?? ""
        let device = Device(client: client, email: email, token: token, signingKey: login.key, userID: login.user)
        let now = Int(Date().timeIntervalSince1970) + lock.withLock { clockS }
        let signature = try device.signature(
            method,
            client.origin + "/v2" + path,
            fields,
            body: body,
            version: 3,
            timestamp: now
        )
        let authorization = [("Authorization", "Bearer \(token)")]
        let hasTag = method != "GET" && (method != "POST" || path == "/configurations")
        return try checked(Self.needed(method, path), hasTag: hasTag) {
            try client.send(method, "/v2" + path, fields + signature + authorization, body: body.isEmpty ? nil : body)
        }
    }

    /// The required members of a 200 or 201 response to a request.
    private static func needed(_ method: String, _ path: String) -> [String] {
        switch (method, path.prefix { $0 != "?" }) {
        case ("GET", "/configurations"): ["sync_token", "server_time", "configurations", "versions", "deleted"]
        case ("POST", "/configurations"): ["id", "created_at"]
        case ("POST", "/configurations/batch"): ["outcome", "results"]
        case ("POST", _): ["token"]
        case ("GET", _): ["id"]
        case ("DELETE", _): ["deleted_at"]
        default: ["updated_at"]
        }
    }

    /// Returns the server's answer; throws if there is none, or if the result of the request is unknown.
    private func checked(_ needed: [String], hasTag: Bool = false, _ send: () throws -> HTTPAnswer) throws
        -> HTTPAnswer
    {
        guard let answer = try? send() else { throw SyncFailure.pause(seconds: nil) }
        let isUnknown =
            Self.ofTheWay.contains(answer.status) || answer.status >= 500 && ![501, 505].contains(answer.status)
        guard !isUnknown, Self.isOfServer(answer, needed, hasTag) else {
            throw SyncFailure.pause(seconds: Self.retryAfter(answer))
        }
        return answer
    }

    /// True if the answer came from the server, so that the result of the request is known.
    static func isCertain(_ answer: HTTPAnswer) -> Bool { answer.status < 400 || isProblem(answer) }

    private static func isOfServer(_ answer: HTTPAnswer, _ needed: [String], _ hasTag: Bool) -> Bool {
        guard answer.status == 200 || answer.status == 201 else {
            return ofAnybody.contains(answer.status) || answer.status >= 400 && isProblem(answer)
        }
        let object = try? JSONParser.parse(answer.body, policy: .rfc8259).object
        return needed.allSatisfy { object?[$0] != nil } && (!hasTag || answer.field("etag") != nil)
    }

    private static func isProblem(_ answer: HTTPAnswer) -> Bool {
        answer.field("content-type")?.lowercased().hasPrefix("application/problem+json") == true
            && (try? JSONParser.parse(answer.body, policy: .rfc8259))?["type"]?.string?.contains("/problems/") == true
    }

    /// The server's Retry-After within its bounds; nil if the answer came from a proxy.
    private static func retryAfter(_ answer: HTTPAnswer) -> Double? {
        guard isProblem(answer), let seconds = answer.field("retry-after").flatMap(Double.init) else { return nil }
        return min(max(seconds, pauseS.lowerBound), pauseS.upperBound)
    }
}
