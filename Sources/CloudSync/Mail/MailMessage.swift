import FoundationEssentials
import Glibc

/// A mail for the program that sends it: RFC 5322, plain text. Everything but the recipient is ASCII.
package struct MailMessage: Sendable {
    /// The recipient.
    package let recipient: MailAddress
    /// The secret in the mail; nil for a mail without one.
    package let token: String?
    /// Header and body, with line feeds.
    package let text: String

    /// The values that all mails of a server share.
    package struct Settings: Sendable {
        /// The sender, in ASCII.
        package var sender: MailAddress
        /// The target of links; nil: mails contain the bare token.
        package var accountURL: String?

        /// Takes the values.
        package init(sender: MailAddress, accountURL: String?) {
            self.sender = sender
            self.accountURL = accountURL
        }
    }

    /// Writes the mail. A token needs its expiry time (RFC 3339).
    package init(
        _ form: MailForm,
        to recipient: MailAddress,
        token: (text: String, expiresAt: String)?,
        _ settings: Settings,
        now: Date = Date(),
        id: UUID = UUID()
    ) {
        self.recipient = recipient
        let token = form.action == nil ? nil : token
        self.token = token?.text
        let header = Self.header(form, recipient, settings, now, id)
        text = header + "\n" + Self.body(form, token, settings.accountURL)
    }

    /// Auto-Submitted (RFC 3834) keeps programs from replying.
    private static func header(
        _ form: MailForm,
        _ recipient: MailAddress,
        _ settings: Settings,
        _ now: Date,
        _ id: UUID
    ) -> String {
        """
        From: NeuroViews Cloud <\(settings.sender.text)>
        To: \(recipient.text)
        Subject: \(form.text.subject)
        Date: \(Self.date(now))
        Message-ID: <\(id.uuidString.lowercased())@\(settings.sender.domain)>
        Auto-Submitted: auto-generated
        MIME-Version: 1.0
        Content-Type: text/plain; charset=us-ascii
        Content-Transfer-Encoding: 7bit

        """
    }

    private static func body(_ form: MailForm, _ token: (text: String, expiresAt: String)?, _ url: String?) -> String {
        let (opening, closing) = (form.text.opening, form.text.closing)
        guard let token, let action = form.action else { return opening + "\n\n" + closing + "\n" }
        let (way, secret) =
            url.map { ("Open this link:", "\($0)#\(action)=\(token.text)") } ?? ("Give the app this code:", token.text)
        let end = "It is good until \(readable(token.expiresAt)), and works once."
        return [opening, way, secret, end, closing].joined(separator: "\n\n") + "\n"
    }

    /// `2026-03-01T12:00:00Z` as `2026-03-01 12:00 UTC`.
    private static func readable(_ time: String) -> String {
        time.prefix(16).replacing("T", with: " ") + " UTC"
    }

    /// RFC 5322, 3.3. The names are English, since this process has the locale C.
    private static func date(_ now: Date) -> String {
        var (time, parts) = (time_t(now.timeIntervalSince1970), tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S +0000", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
