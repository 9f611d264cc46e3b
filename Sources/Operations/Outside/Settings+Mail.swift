import CloudSync
import Settings

extension Settings {
    /// The mail program; nil if none is configured.
    package var mailProgram: Sendmail? {
        mailFrom.map { Sendmail(sendmail, sender: $0) }
    }

    /// The common properties of all mails; nil if none is sent.
    package var messageSettings: MailMessage.Settings? {
        mailFrom.map { MailMessage.Settings(sender: $0, accountURL: accountURL) }
    }
}
