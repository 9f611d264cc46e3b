import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON

@testable import NeuroViewsClient

extension FakeServer.State {
    private static let skewMaxS: Int64 = 300

    /// Does what a request asks.
    mutating func answer(to request: FakeServer.Request, _ sent: TransferRequest) -> TransferAnswer {
        switch request.name {
        case "POST /auth/login", "POST /auth/passkey", "POST /auth/oidc": return logIn(request)
        case "POST /auth/second-factor": return finish(request)
        case "POST /auth/register":
            return .success(201, #"{"user":{"id":"\#(UUID().uuidString)","email":"new@example.org"}}"#)
        case "POST /auth/passkey/options": return .success(200, #"{"challenge":"abc"}"#)
        default: break
        }
        let parts = request.token.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2, let index = sessions.firstIndex(where: { $0.number == parts[0] }) else {
            return .refusal(401, "token-invalid")
        }
        // The time of a token is in it; only the database knows of the session.
        if parts[1] <= sessions[index].expired, request.path != "/auth/refresh" {
            return .refusal(401, "token-expired")
        }
        if sessions[index].isEnded { return .refusal(401, "session-ended") }
        return refusal(request, sent, sessions[index]) ?? answer(to: request, index, counter: parts[1])
    }

    private mutating func answer(to request: FakeServer.Request, _ index: Int, counter: Int) -> TransferAnswer {
        if request.path == "/auth/refresh" { return refresh(request, index, counter: counter) }
        let session = sessions[index]
        if counter < session.counter, session.outdates { return .refusal(401, "token-outdated") }
        let email = users.first { $0.value == session.user }?.key ?? ""
        switch request.name {
        case "POST /auth/confirm", "DELETE /account":
            guard request.json?["password"]?.string == passwords[email] else {
                return .refusal(401, "credentials-invalid")
            }
            if request.method == "DELETE" { endAll(of: session.user) }
            return request.method == "DELETE" ? .success(200, #"{"complete":true}"#) : Self.empty
        case "POST /auth/password":
            guard request.json?["current_password"]?.string == passwords[email] else {
                return .refusal(401, "credentials-invalid")
            }
            passwords[email] = request.json?["new_password"]?.string
            endAll(of: session.user)
            return begin(email)
        case "POST /auth/logout":
            sessions[index].isEnded = true
            return Self.empty
        default: return .success(200, #"{"token":"\#(request.token)"}"#)
        }
    }

    private static let empty = TransferAnswer(status: 204, fields: [], body: [])

    /// What is wrong with the signature.
    private mutating func refusal(
        _ request: FakeServer.Request,
        _ sent: TransferRequest,
        _ session: FakeSession
    ) -> TransferAnswer? {
        var body: [UInt8] = []
        if case .bytes(let bytes) = sent.body { body = bytes }
        let (time, nonce) = (request.fields["x-timestamp"] ?? "", request.fields["x-nonce"] ?? "")
        guard request.fields["x-signature-version"] == "3", let covered = SignedFields(sent.fields),
            let signature = RequestSignature(
                version: .three(covered, bodyDigest: SHA256.hash(body)),
                method: sent.method,
                url: sent.url,
                timestamp: time,
                nonce: nonce
            ), signature.isValid(request.fields["x-signature"] ?? "", key: HMACSHA256(key: session.key))
        else { return .refusal(401, "signature-invalid") }
        guard let time = Int64(time), abs(time - clock) <= Self.skewMaxS else {
            return .refusal(401, "clock-skew", more: #","server_time":\#(clock)"#)
        }
        return nonces.insert(nonce).inserted ? nil : .refusal(401, "nonce-used")
    }

    private mutating func refresh(_ request: FakeServer.Request, _ index: Int, counter: Int) -> TransferAnswer {
        let attempt = request.json?["attempt"]?.string
        if counter == sessions[index].counter {
            sessions[index].counter += 1
            sessions[index].attempt = attempt
        } else if counter != sessions[index].counter - 1 || attempt == nil || attempt != sessions[index].attempt {
            sessions[index].isEnded = true
            return .refusal(401, "session-ended")
        }
        return .success(200, #"{"token":"\#(sessions[index].token)","expires_at":"2027-01-15T09:00:00Z"}"#)
    }

    private mutating func logIn(_ request: FakeServer.Request) -> TransferAnswer {
        guard request.path == "/auth/login" else { return begin("ada@example.org") }
        let email = request.json?["email"]?.string ?? ""
        guard let password = passwords[email], request.json?["password"]?.string == password else {
            return .refusal(401, "credentials-invalid")
        }
        if hasApp {
            let more = #","challenge":"the-challenge","methods":["code","recovery_code"]"#
            return .refusal(403, "second-factor-required", more: more)
        }
        return begin(email)
    }

    private mutating func finish(_ request: FakeServer.Request) -> TransferAnswer {
        guard request.json?["challenge"]?.string == "the-challenge" else { return .refusal(401, "challenge-expired") }
        let factors: [String?] = ["code", "recovery_code"].map { request.json?[$0]?.string }
        return factors.contains("123456") ? begin("ada@example.org") : .refusal(401, "code-invalid")
    }

    /// The answer that begins a session.
    mutating func begin(_ email: String) -> TransferAnswer {
        let session = FakeSession(number: sessions.count + 1, user: users[email] ?? UUID())
        sessions.append(session)
        let user = #"{"id":"\#(session.user.uuidString)","email":"\#(email)"}"#
        let key = Base64.padded.encode(session.key)
        return .success(
            200,
            #"{"token":"\#(session.token)","signing_key":"\#(key)","user":\#(user),"expires_at":"2027-01-15T08:00:00Z"}"#
        )
    }

    mutating func endAll(of user: UUID) {
        for index in sessions.indices where sessions[index].user == user { sessions[index].isEnded = true }
    }
}
