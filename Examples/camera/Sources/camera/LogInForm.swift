import NeuroViewsClient
import SwiftUI

/// The login by password, with a second factor if the account wants one.
struct LogInForm: View {
    let client: NeuroViews
    @State private var email = ""
    @State private var password = ""
    @State private var code = ""
    @State private var challenge: Challenge?
    @State private var failure: String?

    var body: some View {
        if challenge == nil {
            TextField("Email", text: $email).textContentType(.username)
            SecureField("Password", text: $password).textContentType(.password)
        } else {
            TextField("Code of the authenticator app", text: $code).textContentType(.oneTimeCode)
        }
        if let failure { Text(failure).foregroundStyle(.red) }
        Button("Log in") { Task { await logIn() } }
    }

    private func logIn() async {
        do {
            if let challenge {
                _ = try await client.finishLogIn(challenge, with: .code(code))
            } else if case .secondFactor(let wanted) = try await client.logIn(
                with: .password(email: email, password: password)
            ) {
                challenge = wanted
            }
            failure = nil
        } catch {
            failure = "\(error)"
        }
    }
}
