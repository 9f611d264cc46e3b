import CloudSync
import Settings

extension Settings {
    /// The mail program; nil if none is configured.
    package var mailProgram: Sendmail? {
        guard case .program(let path) = sendmail, let mailFrom else { return nil }
        return Sendmail(path, sender: mailFrom)
    }

    /// The common properties of all mails; nil if none is sent.
    package var messageSettings: MailMessage.Settings? {
        let sender = mailFrom ?? (sendmail == .log ? MailAddress("cloud@localhost.localdomain") : nil)
        return sender.map { MailMessage.Settings(sender: $0, accountURL: accountURL) }
    }
}
