import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Session {
    /// Opens an account. Nobody is logged in by it.
    func register(
        email: String,
        password: String,
        invitation: String?
    ) async throws(ClientError) -> Registration {
        let invited = invitation.map { [JSONObject.Member.text("invitation", $0)] } ?? []
        let request = Self.post("/auth/register", [.text("email", email), .text("password", password)] + invited)
        let answer = try await open(request)
        guard answer.status == 201 else { return .mailSent }
        guard let account = answer.json?["user"].flatMap({ Account($0) }) else {
            throw request.unknown(answer, retryAfterSeconds: nil)
        }
        return .opened(account)
    }

    /// The argument of a passkey's log in, the same for everybody.
    func passkeyOptions() async throws(ClientError) -> JSON {
        try await open(Self.post("/auth/passkey/options")).json ?? .null
    }

    /// The server's success to a request without a session. A refusal is thrown.
    func open(_ request: SessionRequest) async throws(ClientError) -> Answer {
        let answer = try await attempt(request, by: nil)
        switch request.judgement(answer) {
        case .done: return answer
        case .refused(let problem), .unauthorized(_, let problem): throw .refused(Problem(problem))
        case .unknown(let seconds): throw request.unknown(answer, retryAfterSeconds: seconds)
        }
    }

    /// Confirms the session for 10 minutes.
    func confirm(with proof: Proof) async throws(ClientError) {
        let request = Self.post("/auth/confirm", proof.members)
        _ = try await ask(request)
    }

    /// Changes the password and takes over the session that the server begins with it; it ends all others. If an answer was
    /// lost, the new password logs in.
    func changePassword(from old: String, to new: String) async throws(ClientError) {
        let user = try known()?.account?.id
        try await inTurn { () throws(ClientError) in
            try readAgain(as: user)
            let used = record?.login
            let members = [JSONObject.Member.text("current_password", old), .text("new_password", new)]
            let request = Self.post("/auth/password", members, Self.entered)
            var course = Course()
            switch try await exchange(request, as: user, .isReturned, &course) {
            case .answer(let answer):
                let (account, login) = try entered(try Self.accepted(answer))
                // Another process may have logged out meanwhile.
                try await change { if $0.account?.id == user { $0.begin(account, login) } }
                try check(user)
            case .ended(let reason): try await enterAgain(new, after: used, reason, as: user)
            }
        }
    }

    private func enterAgain(
        _ password: String,
        after used: SessionRecord.Login?,
        _ reason: Problem,
        as user: UUID?
    ) async throws(ClientError) {
        try await end(used, reason)
        try check(user)
        guard let email = record?.account?.email else { throw .needsLogIn(reason) }
        do throws(ClientError) {
            guard case .done = try await logIn(with: .password(email: email, password: password)) else {
                throw ClientError.needsLogIn(reason)
            }
        } catch .refused {
            throw .needsLogIn(reason)
        }
    }

    /// Deletes the account at the server, that of the session unless told. A repetition after a lost answer finds no session,
    /// and then it is done.
    func deleteAccount(_ proof: Proof, of user: UUID? = nil) async throws(ClientError) {
        let own = try known()?.account?.id
        let user = user ?? own
        try await inTurn { () throws(ClientError) in
            try readAgain(as: user)
            if let login = record?.login {
                try await erase(proof, of: user, by: login)
            } else if record?.isErasing != true {
                throw .needsLogIn(record?.problem)
            }
            // Otherwise the deletion has ended the session, and another request has found that.
        }
    }

    /// Sends the deletion. It is noted before, and the note goes if the server has certainly not done it: else a session
    /// that ends later, for another reason, would count as a deleted account.
    private func erase(_ proof: Proof, of user: UUID?, by used: SessionRecord.Login) async throws(ClientError) {
        var course = Course(isOpen: record?.isErasing == true)
        if Task.isCancelled { throw .cancelled }
        try await noteErasing(true, as: user)
        switch try await deletion(proof, of: user, &course) {
        case .answer(let answer) where answer.status >= 400:
            try await noteErasing(false, as: user)
            _ = try Self.accepted(answer)
        case .ended(let reason) where !course.mayBeDone:
            try await noteErasing(false, as: user)
            try await end(used, reason)
            throw .needsLogIn(reason)
        default: break
        }
    }

    private func deletion(
        _ proof: Proof,
        of user: UUID?,
        _ course: inout Course
    ) async throws(ClientError) -> Outcome {
        let body = JSON.object(JSONObject(proof.members)).serialized()
        do throws(ClientError) {
            return try await exchange(SessionRequest("DELETE", "/account", body: body), as: user, .isReturned, &course)
        } catch {
            if !course.mayBeDone { try await noteErasing(false, as: user) }
            throw error
        }
    }

    private func noteErasing(_ isErasing: Bool, as user: UUID?) async throws(ClientError) {
        try await change { if $0.account?.id == user { $0.isErasing = isErasing } }
    }

    /// Notes that the server has ended the session. One that began meanwhile stays.
    private func end(_ used: SessionRecord.Login?, _ reason: Problem) async throws(ClientError) {
        try await change { if $0.login?.key == used?.key { $0.end(reason) } }
    }

    /// Removes all that the device has of the session, unless it is another account's by now.
    func forget(_ user: UUID) async throws(ClientError) { try adopt(try await vault.remove(of: user)) }

    /// Forgets the session and the account, unless `check` throws. Nothing can happen between the two.
    func leave(_ user: UUID, _ check: () throws(ClientError) -> Void) async throws(ClientError) {
        var login: SessionRecord.Login?
        var failure: ClientError?
        try await change { record in
            do throws(ClientError) {
                // Another process may have logged out, or logged in.
                if let account = record.account, account.id != user { throw .otherAccount }
                try check()
                login = record.login
                record.leave()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        left = login
    }

    /// Ends the session that was left at the server, as far as that can be reached.
    func endLeft() async {
        guard let login = left else { return }
        left = nil
        await end(login)
    }

    /// Ends a session that nothing stores any more.
    private func end(_ login: SessionRecord.Login) async {
        var login = login
        for _ in 0..<4 {
            guard let answer = try? await attempt(Self.post("/auth/logout"), by: login), answer.status == 401 else {
                return
            }
            switch Self.post("/auth/logout").judgement(answer) {
            case .unauthorized(.clockSkew, let problem): try? await setClock(problem)
            case .unauthorized(.nonceUsed, _): break
            case .unauthorized(.tokenExpired, _), .unauthorized(.tokenOutdated, _):
                let next = try? await refresh(login, login.attempt ?? UUID())
                guard let next, next.isSuccess, let token = next.json?["token"]?.string else { return }
                login.token = token
            default: return
            }
        }
    }
}
