import FoundationEssentials
import NeuroViewsClient

/// `login`: a session for this profile.
enum LogInCommand {
    static func logIn(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let state = try await asking { () async throws(ClientError) in try await device.account }
        let email = try address(call, known: state.account?.email)
        try refuseOther(call, state, email)
        var secrets = try call.secrets()
        let password = try secrets.next("Password of \(email):", "the password")
        let account = try await logIn(device, email, password, &secrets)
        return try await begin(call, device, account)
    }

    /// Logs in, with the second factor if the account has one.
    static func logIn(
        _ device: NeuroViews,
        _ email: String,
        _ password: String,
        _ secrets: inout SecretInput
    ) async throws(Failure) -> Account {
        let outcome = try await asking { () async throws(ClientError) in
            try await device.logIn(with: .password(email: email, password: password))
        }
        switch outcome {
        case .done(let account): return account
        case .secondFactor(let challenge):
            let code = try secrets.next("Code of the authenticator app, or recovery code:", "the code")
            return try await asking { () async throws(ClientError) in
                try await device.finishLogIn(challenge, with: factor(code))
            }
        }
    }

    /// After the login: remembers the server, fetches the schema for the editor, names a new device, and syncs.
    static func begin(_ call: CommandCall, _ device: NeuroViews, _ account: Account) async throws(Failure) -> Ending {
        if let server = call.settings.server { try call.profile.remember(server: server) }
        // The editor then checks nothing, and the server does.
        if let schema = try? await device.call("GET", "/schemas/camera-configuration.json") {
            try call.profile.remember(schema: schema.text)
        }
        // A device keeps the name that people gave it.
        if call.settings.deviceName == nil, let name = CommandCall.hostName { try? await device.nameDevice(name) }
        call.output.result(
            ["user": ["id": .string(account.id.text), "email": account.email.map { .string($0) } ?? .null]],
            "Logged in as \(account.email ?? account.id.text).\n"
        )
        return try await call.finish(device, changed: [])
    }

    /// The address that was written, else the one of the last login, else what a person types.
    static func address(_ call: CommandCall, known: String?) throws(Failure) -> String {
        if let email = call.words.first ?? known { return email }
        guard Prompt.isPossible, !call.has("--password-stdin") else {
            throw .usage("The address is missing: write neuroviews \(call.entry.name) EMAIL.")
        }
        return try Prompt.line("E-mail address:")
    }

    static func refuseOther(_ call: CommandCall, _ state: AccountState, _ email: String) throws(Failure) {
        guard case .signedIn(let account) = state, let other = account.email, other != email else { return }
        throw .usage(
            "The profile \(call.profile.name) is logged in as \(other): write neuroviews logout first, or take another --profile."
        )
    }

    /// Six to eight digits are what an app shows.
    private static func factor(_ code: String) -> Factor {
        let plain = code.filter { $0 != " " && $0 != "-" }
        let isCode = (6...8).contains(plain.count) && plain.utf8.allSatisfy { (48...57).contains($0) }
        return isCode ? .code(code) : .recoveryCode(code)
    }
}
