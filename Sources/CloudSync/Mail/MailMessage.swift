import FoundationEssentials
import Glibc

/// A mail for the program that sends it: RFC 5322, plain text. Everything but the recipient's name before the @ is
/// ASCII; a device's name in another script is encoded.
package struct MailMessage: Sendable {
    /// The recipient.
    package let recipient: MailAddress
    /// Its subject.
    package let subject: String
    /// The secret in the mail; nil for a mail without one.
    package let token: String?
    /// What the person opens or enters: a link, or the bare token; nil for a mail without one.
    package let link: String?
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

    /// Writes the mail. A token has its expiry time, RFC 3339.
    package init(
        _ form: MailForm,
        to recipient: MailAddress,
        token: (text: String, expiresAt: String)?,
        cause: MailCause? = nil,
        _ settings: Settings,
        now: Date = Date(),
        id: UUID = UUID()
    ) {
        self.recipient = recipient
        subject = form.text.subject
        let token = form.action == nil ? nil : token
        self.token = token?.text
        link = token.map { token in Self.link(form, token.text, settings.accountURL) ?? token.text }
        let body = Self.body(form, token, cause, settings.accountURL)
        let isASCII = body.utf8.allSatisfy { $0 < 0x80 }
        let header = Self.header(form, recipient, settings, now, id) + Self.encoding(isASCII: isASCII)
        text = header + "\n" + (isASCII ? body : QuotedPrintable.encode(body))
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

        """
    }

    private static func encoding(isASCII: Bool) -> String {
        """
        Content-Type: text/plain; charset=\(isASCII ? "us-ascii" : "utf-8")
        Content-Transfer-Encoding: \(isASCII ? "7bit" : "quoted-printable")

        """
    }

    private static func body(
        _ form: MailForm,
        _ token: (text: String, expiresAt: String)?,
        _ cause: MailCause?,
        _ url: String?
    ) -> String {
        var parts = ["Hello,", form.text.event]
        if let cause { parts.append(cause.text) }
        parts.append(form.text.ifYou)
        if let token {
            let end = "works once, until \(readable(token.expiresAt))."
            if let link = Self.link(form, token.text, url) {
                parts += ["Open this link:", link, "The link \(end)"]
            } else {
                parts += ["Enter this code in the app:", token.text, "The code \(end)"]
            }
        }
        return (parts + [form.text.ifNot, "NeuroViews Cloud"]).joined(separator: "\n\n") + "\n"
    }

    /// Nil where links lead nowhere.
    private static func link(_ form: MailForm, _ token: String, _ url: String?) -> String? {
        guard let url, let action = form.action else { return nil }
        return "\(url)#\(action)=\(token)"
    }

    /// `2026-03-01T12:00:00Z` as `2026-03-01 12:00 UTC`.
    static func readable(_ time: String) -> String {
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
