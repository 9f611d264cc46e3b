/// The mails about requests.
extension MailText {
    private static let noAccount = """
        If this was not you, ignore this message. No account will be opened with this
        address.
        """

    static let verify = MailText(
        "Confirm your e-mail address",
        "Somebody registered this e-mail address with NeuroViews Cloud.",
        ifYou: "If this was you, please confirm the address. Then you can log in.",
        ifNot: noAccount
    )

    static let choosePassword = MailText(
        "Choose your password",
        """
        Somebody registered this e-mail address with NeuroViews Cloud. The address is
        not confirmed yet.
        """,
        ifYou: "If this was you, choose your password now. This also confirms the address.",
        ifNot: noAccount
    )

    static let accountExists = MailText(
        "You already have an account",
        """
        Somebody asked to use this e-mail address with NeuroViews Cloud, but you
        already have an account with it.
        """,
        ifYou: """
            If this was you, log in to your account. If you don't know the password, ask
            for a password reset in the app.
            """,
        ifNot: "If this was not you, ignore this message. Nothing has changed."
    )

    static let reset = MailText(
        "Reset your password",
        "Somebody asked to reset the password of your NeuroViews Cloud account.",
        ifYou: """
            If this was you, choose a new password. You will then have to log in again on
            all your devices.
            """,
        ifNot: "If this was not you, ignore this message. Your password stays the same."
    )

    static let address = MailText(
        "Confirm your new e-mail address",
        "Somebody asked to use this e-mail address for a NeuroViews Cloud account.",
        ifYou: "If this was you, please confirm the address.",
        ifNot: "If this was not you, ignore this message. Nothing will change."
    )

    static let invitation = MailText(
        "Your invitation to NeuroViews Cloud",
        "You are invited to open a NeuroViews Cloud account with this e-mail address.",
        ifYou: "If you want an account, accept the invitation.",
        ifNot: "If you don't want an account, ignore this message."
    )
}
