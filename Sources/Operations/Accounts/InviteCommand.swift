import CloudSync
import Machine
import Postgres
import PrivateCluster
import Settings

/// `invite`: invites a person to make an account, even if registration is by invitation only.
package struct InviteCommand {
    let email: String
    let settings: Settings

    package init(email: String, settings: Settings) {
        self.email = email
        self.settings = settings
    }

    package func run() throws {
        guard let address = MailAddress(email) else {
            throw CommandFailure(
                "No mail can be sent to \(email): write the address as name@example.org.",
                status: .data
            )
        }
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        let invitation = try issue(database.ownerLogin)
        if settings.registration == .closed {
            StandardStreams.complain(
                "Registration is closed by this command's settings: the invitation works at a server with registration=invitation."
            )
        }
        guard let sendmail = settings.mailProgram, let message = settings.messageSettings else {
            return print(invitation)
        }
        let token = (text: invitation.token.text, expiresAt: invitation.expiresAt)
        do {
            try sendmail.send(MailMessage(.invitation, to: address, token: token, message))
        } catch {
            throw CommandFailure("The invitation could not be mailed: \(error).")
        }
        StandardStreams.print("mailed an invitation to \(email), good until \(invitation.expiresAt)\n")
    }

    private func issue(_ connectionString: String) throws -> Invitation {
        do {
            let operatorName = OperatorName.current
            guard let invitation = try Invitation.issue(to: email, by: operatorName, connectionString) else {
                throw CommandFailure("\(email) has an account already.")
            }
            return invitation
        } catch let error as DatabaseError {
            throw CommandFailure("\(email) could not be invited: \(error.sentence)")
        }
    }

    /// Prints the invitation for the operator to hand over: the token alone on its line, or the link.
    private func print(_ invitation: Invitation) {
        let token = invitation.token.text
        let text = settings.accountURL.map { "\($0)#invitation=\(token)" } ?? token
        StandardStreams.print("invited \(email) until \(invitation.expiresAt), with this invitation:\n\(text)\n")
    }
}
