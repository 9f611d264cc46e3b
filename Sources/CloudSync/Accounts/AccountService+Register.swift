import JSONSchema
import NeuroViewsCrypto
import Postgres
import Tracing

extension AccountService {
    /// Opens an account, or sends a mail to its address first. Throws `.registrationClosed`, `.invitationRequired`,
    /// `.rateLimited`, `.invalid`. Also `.emailTaken` without mails or with an invitation, and `.invitationInvalid`.
    package func register(_ request: RegistrationRequest) async throws -> Registered {
        guard settings.registration != .closed else { throw CloudSyncError.problem(.registrationClosed) }
        return try await limits.passing(.registration(request.address), record: request.record) { _ in
            if let invitation = request.invitation {
                return .opened(try await acceptInvitation(MailedToken(invitation), request))
            }
            guard settings.registration == .open else { throw CloudSyncError.problem(.invitationRequired) }
            let password = try settings.passwords.accept(request.password, for: request.email)
            guard let wakeMails = settings.wakeMails else {
                return .opened(try await add(email: request.email, password: password, by: nil, record: request.record))
            }
            try await requestRegistration(request, password)
            wakeMails()
            return .mailed
        }
    }

    private func requestRegistration(_ request: RegistrationRequest, _ password: NewPassword) async throws {
        try Self.requireMailable(request.email)
        let hash = Parameter.text(try await hash(password, request.record, isKnown: false))
        let register = AddressSQL.requestRegistration(.text(request.email), hash)
        _ = try await database.background(register, record: request.record)
    }

    /// Opens an account in an operator's name, for the trail. Throws `.invalid`, `.emailTaken`.
    package func add(
        email: String,
        password: NewPassword,
        by operatorName: String?,
        record: RequestRecord? = nil
    ) async throws -> User {
        guard Format.email.accepts(email) else { throw Self.invalidAddress(Format.email.phrase) }
        let hash = Parameter.text(try await hash(password, record, isKnown: false))
        let open = AccountSQL.open(.text(email), hash, .text(operatorName))
        guard let user = try await database.background(open, record: record).first else {
            throw CloudSyncError.problem(.emailTaken)
        }
        return user
    }

    /// Checks the invitation before it hashes the password, which costs much more.
    private func acceptInvitation(_ invitation: MailedToken, _ request: RegistrationRequest) async throws -> User {
        let (email, hash) = (Parameter.text(request.email), Parameter.bytes(invitation.hash))
        let find = AddressSQL.invitation(hash, email)
        guard try await !database.background(find, record: request.record).isEmpty else {
            throw CloudSyncError.problem(.invitationInvalid)
        }
        let password = try settings.passwords.accept(request.password, for: request.email)
        let newHash = Parameter.text(try await self.hash(password, request.record, isKnown: true))
        let accept = AddressSQL.acceptInvitation(hash, email, newHash)
        do {
            guard let user = try await database.background(accept, record: request.record).first else {
                throw CloudSyncError.problem(.invitationInvalid)
            }
            return user
        } catch CloudSyncError.problem(.emailTokenInvalid) {
            throw CloudSyncError.problem(.invitationInvalid)
        }
    }

    /// Throws `.invalid` for an address that no mail can be sent to.
    static func requireMailable(_ email: String) throws(CloudSyncError) {
        guard MailAddress(email) != nil else { throw invalidAddress("an address that mail can be sent to") }
    }

    private static func invalidAddress(_ wanted: String) -> CloudSyncError {
        .invalid([Violation(pointer: "/email", keyword: "format", detail: "must be \(wanted)")])
    }

    /// Hashes a new password. `isKnown` is as in `hashed`.
    func hash(_ new: NewPassword, _ record: RequestRecord?, isKnown: Bool) async throws -> String {
        try await hashed(record, isKnown: isKnown) {
            try PasswordHash.hash(new.password.bytes, parameters: settings.passwordCost)
        }
    }
}
