import CloudSync

extension SettingDefinition {
    /// Settings of registration, passwords, and mails about accounts.
    static let accounts: [SettingDefinition] = [
        .choice("registration", \.registration, "who may register: everybody, invited people, or nobody"),
        .text(
            "sendmail",
            \.sendmail,
            allowed: "the absolute path of a program, or log",
            defaultText: "/usr/sbin/sendmail",
            accept: mailProgram,
            "the program that sends mails about accounts; log writes their links into the log, for development"
        ),
        .text(
            "mail_from",
            \.mailFrom,
            allowed: "an e-mail address in ASCII, such as cloud@example.org",
            defaultText: "none: no mail is sent",
            accept: sender,
            "the sender of these mails, who also gets undeliverable ones"
        ),
        .text(
            "account_url",
            \.explicitAccountURL,
            allowed: "a URL that starts with http:// or https://, has no # and at most 500 characters",
            defaultText: "the console, if public_url is set and console is on; else mails have a code to copy",
            accept: accountURL,
            "the target of links in mails, followed by #verify=TOKEN, #reset=TOKEN or #invitation=TOKEN"
        ),
    ]

    private static func mailProgram(_ text: String) -> Settings.MailProgram? {
        if text == "log" { return .log }
        return text.hasPrefix("/") ? path(text).map { .program(path: $0) } : nil
    }

    /// A leading hyphen could be read as an option.
    private static func sender(_ text: String) -> MailAddress? {
        guard text.utf8.allSatisfy({ $0 < 128 }), let address = MailAddress(text) else { return nil }
        return address.text.hasPrefix("-") ? nil : address
    }

    private static func accountURL(_ text: String) -> String? {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix), text.utf8.count <= 500 else {
            return nil
        }
        let rest = text.dropFirst(scheme.count)
        let isClean = rest.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Array("#@\"<>\\".utf8).contains($0) }
        return rest.isEmpty || rest.hasPrefix("/") || !isClean ? nil : text
    }
}
