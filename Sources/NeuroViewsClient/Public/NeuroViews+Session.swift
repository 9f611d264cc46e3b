import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The account, and the session of this device.
extension NeuroViews {
    /// The account, without asking the server. Throws `.secrets(.locked)` while the device is locked: nobody knows then.
    public var account: AccountState { get throws(ClientError) { try session.state } }

    /// Opens an account at the server. Nobody is logged in by it. After a lost answer, log in to see whether it was done.
    public func register(
        email: String,
        password: String,
        invitation: String? = nil
    ) async throws(ClientError) -> Registration {
        try await session.register(email: email, password: password, invitation: invitation)
    }

    /// Begins a session. Another account than before gets a store of its own; the former one stays on the device.
    ///
    /// - Throws: `.refused` with the server's reason, such as `credentials-invalid`; `.tryLater` after too many wrong
    ///   passwords.
    public func logIn(with credentials: Credentials) async throws(ClientError) -> LogIn {
        let before = try session.state.account
        let outcome = try await session.logIn(with: credentials)
        if case .done(let account) = outcome { await begin(account, after: before) }
        return outcome
    }

    /// Finishes a log in by its second factor.
    ///
    /// - Throws: `.refused` with `code-invalid`, or with `challenge-expired`: begin again with the password.
    public func finishLogIn(_ challenge: Challenge, with factor: Factor) async throws(ClientError) -> Account {
        let before = try session.state.account
        let account = try await session.finishLogIn(challenge, with: factor)
        await begin(account, after: before)
        return account
    }

    /// Goes on with the session. What was under way for another account ends: its store is closed.
    private func begin(_ account: Account, after before: Account?) async {
        if let before, before.id != account.id {
            await stopRealtime()
            await pauseSync()
            await stopTransfers()
        }
        try? core.reopen()
        loggedIn()
    }

    /// The argument of a passkey's request, as `navigator.credentials.get` takes it; the result is for
    /// ``Credentials/passkey(assertion:)``, ``Factor/assertion(_:)`` or ``Proof/passkey(assertion:)``, within 5 minutes.
    public func passkeyOptions() async throws(ClientError) -> JSONValue {
        JSONValue(try await session.passkeyOptions())
    }

    /// Confirms the session after ``ClientError/confirmationRequired``, for 10 minutes.
    public func confirm(password: String) async throws(ClientError) { try await confirm(with: .password(password)) }

    /// Confirms the session by a password, a code, a passkey or an identity, for 10 minutes.
    public func confirm(with proof: Proof) async throws(ClientError) { try await session.confirm(with: proof) }

    /// Changes the password. This device stays logged in; the sessions of all others end.
    public func changePassword(from old: String, to new: String) async throws(ClientError) {
        try await session.changePassword(from: old, to: new)
    }

    /// Logs out on this device, also without the network; the session at the server ends as far as it can be reached.
    /// Entries of ``lost()`` go with the store.
    ///
    /// - Throws: `.unsentEdits` with `.refuse`, and `.otherAccount` if another process has logged in another account: nothing
    ///   has changed then.
    public func logOut(_ unsent: UnsentEdits = .refuse) async throws(ClientError) {
        guard let user = try session.state.account?.id else { return }
        if unsent == .refuse { try refuseUnsent() }
        let folder = store?.folder
        await stopRealtime()
        await pauseSync()
        let uploads = await endTransfers()
        let removal = unsent == .keep ? nil : folder.map { StoreRemoval($0) }
        do throws(ClientError) {
            try await session.leave(user) { () throws(ClientError) in
                // Edits were possible until here.
                if unsent == .refuse { try refuseUnsent() }
                // After a crash, the next log in must not find them.
                try removal?.begin()
            }
        } catch {
            // An unreadable session may have ended: the store stays hidden.
            if (try? session.state.account?.id) == user { removal?.undo() }
            goOn(with: uploads)
            throw error
        }
        var failure: ClientError?
        do throws(ClientError) { try removal?.end() } catch { failure = error }
        // Nothing stores the session any more: a caller that is cancelled must not leave it open.
        await Task { await session.endLeft() }.value
        if let failure { throw failure }
    }

    /// Deletes the account at the server with all that it has, and its store, uploads and session on this device. Files that
    /// were being uploaded stay.
    ///
    /// - Throws: `.refused` if the proof is wrong. After `.offline`, call it again: it may have been done.
    public func deleteAccount(_ proof: Proof) async throws(ClientError) {
        guard let user = try session.state.account?.id else { throw .needsLogIn(nil) }
        let store = self.store
        await stopRealtime()
        await pauseSync()
        let uploads = await endTransfers()
        do throws(ClientError) {
            try await session.deleteAccount(proof, of: user)
        } catch {
            goOn(with: uploads)
            throw error
        }
        try core.keyring(of: user).removeAll()
        // The session goes last: after a crash before that, a further call does the rest. Another account may have logged in
        // meanwhile, and keeps all that it has.
        if let store {
            store.close()
            try Store.remove(folder: store.folder)
        }
        try await session.forget(user)
    }

    /// Stops all uploads. Returns those that have run in a client without ``start()``.
    private func endTransfers() async -> Set<UUID> {
        let uploads = core.isStarted ? [] : transfers.underWay
        await stopTransfers()
        return uploads
    }

    /// Goes on after a failure: a started client with everything, another one with these uploads alone.
    private func goOn(with uploads: Set<UUID>) {
        for id in uploads { transfers.want(id) }
        if core.isStarted { startTransfers() } else { beginDueUploads() }
        startRealtime()
    }

    /// Throws if a log out would lose something.
    private func refuseUnsent() throws(ClientError) {
        guard let store else { return }
        let count = try store.look { () throws(ClientError) in
            let counts = try store.counts(at: .now)
            return try counts.unsent + counts.refused + counts.held + store.unfinishedUploads()
        }
        guard count == 0 else { throw .unsentEdits(count) }
    }
}
