import NeuroViewsJSON
import NeuroViewsRules

extension Analytics {
    private static let path = "/account/consents"

    /// What the person agreed to: the server's word, or without a network or a login this device's.
    func consents() async throws(ClientError) -> [ConsentCategory: Consent] {
        do throws(ClientError) {
            _ = try await sendConsents()
            let answer = try await session.ask("GET", Self.path, as: user)
            let all = try adopt(answer)
            return all.merging(try store.consents().filter(\.value.isUnsent)) { _, own in own }
        } catch {
            guard error.isWithoutServer else { throw error }
            let known = try store.consents()
            guard !known.isEmpty else { throw error }
            return known
        }
    }

    /// Stores the person's word, and sends it if the server can be reached. Throws its refusal; then there is no consent.
    func setConsent(_ word: Store.UnsentConsent) async throws(ClientError) {
        // Also if the word can't be stored, since the disk is full.
        if !word.isGranted { buffer.stop(word.category) }
        try store.setConsent(word)
        buffer.limit(to: try store.grantedCategories())
        let refusals: [ConsentCategory: ClientError]
        // It is stored: whatever is in the way of sending it, it is sent later.
        do throws(ClientError) { refusals = try await sendConsents() } catch { return }
        if let refusal = refusals[word.category] { throw refusal }
    }

    /// Sends each word that the server does not know, one call after the other, so that the last one arrives last. Returns
    /// the refusals.
    func sendConsents() async throws(ClientError) -> [ConsentCategory: ClientError] {
        while isSendingConsents { await withCheckedContinuation { consentWaiters.append($0) } }
        isSendingConsents = true
        defer { endSendingConsents() }
        var refusals: [ConsentCategory: ClientError] = [:]
        while let word = try store.unsentConsent() {
            do throws(ClientError) {
                try await send(word)
            } catch .refused(let problem) {
                refusals[word.category] = .refused(problem)
                try store.forgetConsent(word)
                buffer.limit(to: try store.grantedCategories())
            }
        }
        return refusals
    }

    private func endSendingConsents() {
        isSendingConsents = false
        let waiters = consentWaiters
        consentWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func send(_ word: Store.UnsentConsent) async throws(ClientError) {
        let body: JSONValue = [
            "consents": [word.category.rawValue: ["granted": .bool(word.isGranted), "version": .string(word.version)]]
        ]
        let answer = try await session.ask("PUT", Self.path, body: JSON(body).serialized(), as: user)
        try store.endUnsent(word)
        _ = try adopt(answer)
    }

    private func adopt(_ answer: Answer) throws(ClientError) -> [ConsentCategory: Consent] {
        guard let all = answer.json.flatMap({ Consent.all($0) }) else {
            throw .unexpectedAnswer("The list of consents was not understood.")
        }
        try store.adopt(all)
        buffer.limit(to: try store.grantedCategories())
        return all
    }
}

extension ClientError {
    /// True if the server could not be asked, now or before a login.
    fileprivate var isWithoutServer: Bool { if case .needsLogIn = self { true } else { isResultUnknown } }
}
