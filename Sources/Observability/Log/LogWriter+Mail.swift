import CloudSync

/// Log lines about mails, without recipients and tokens.
extension LogWriter {
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
