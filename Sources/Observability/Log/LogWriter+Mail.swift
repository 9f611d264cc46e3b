import CloudSync

/// Log lines about mails.
extension LogWriter {
    /// Writes a mail instead of sending it (`sendmail` is `log`). No other line has a recipient or a token.
    package func write(_ message: MailMessage) {
        let link = message.link.map { [(name: "open", value: Value.text($0))] } ?? []
        let mail: [(name: String, value: Value)] = [
            ("to", .text(message.recipient.text)), ("subject", .text(message.subject)),
        ]
        write(.warning, "mail in the log", mail + link)
    }

    /// Logs the outcome of an attempt at a mail.
    package func write(_ event: MailEvent) {
        let mail: [(name: String, value: Value)] = [
            ("kind", .text(event.form.rawValue)), ("attempt", .number(event.attempts)),
        ]
        switch event.end {
        case .sent: write(.info, "mail", mail)
        case .postponed(let reason): write(.warning, "mail", mail + [("postponed", .text(reason))])
        case .dead(let reason): write(.error, "mail", mail + [("dead", .text(reason))])
        case .interrupted: write(.info, "mail", mail + [("interrupted", .text("the server is stopping"))])
        }
    }
}
