import NeuroViewsClient

/// `register`: a new account, and its first session.
enum RegisterCommand {
    static func register(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let state = try await asking { () async throws(ClientError) in try await device.account }
        let email = try LogInCommand.address(call, known: nil)
        try LogInCommand.refuseOther(call, state, email)
        var secrets = try call.secrets()
        let password = try secrets.newPassword()
        let invitation = call.has("--invited") ? try secrets.next("Invitation:", "the invitation") : nil
        let outcome = try await asking { () async throws(ClientError) in
            try await device.register(email: email, password: password, invitation: invitation)
        }
        switch outcome {
        case .opened:
            let account = try await LogInCommand.logIn(device, email, password, &secrets)
            return try await LogInCommand.begin(call, device, account)
        case .mailSent:
            if let server = call.settings.server { try call.profile.remember(server: server) }
            call.output.result(
                ["status": "mail-sent"],
                "A mail went to \(email): follow its link, then write neuroviews login \(email).\n"
            )
            return .done
        }
    }
}
