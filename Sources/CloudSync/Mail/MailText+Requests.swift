/// The mails about requests.
extension MailText {
    private static let noAccount = "If it was not you, ignore this message. The address gets no account then."

    static let verify = MailText(
        "Confirm your e-mail address",
        """
        Somebody registered this address with NeuroViews Cloud.
        If it was you, confirm the address.
        """,
        closing: noAccount
    )

    static let choosePassword = MailText(
        "Choose your password",
        """
        Somebody registered this address with NeuroViews Cloud, and it is not
        confirmed yet. If it was you, choose your password now. That confirms
        the address, too.
        """,
        closing: noAccount
    )

    static let accountExists = MailText(
        "You have an account already",
        """
        Somebody asked to use this address with NeuroViews Cloud. It has an
        account already. If it was you, log in to it. If you do not know its
        password, ask for a reset of the password.
        """,
        closing: "If it was not you, ignore this message. Nothing has changed."
    )

    static let reset = MailText(
        "Reset your password",
        """
        Somebody asked to reset the password of your NeuroViews Cloud account.
        If it was you, choose another one now. All your devices will have to
        log in again.
        """,
        closing: "If it was not you, ignore this message. Your password stays as it is."
    )

    static let address = MailText(
        "Confirm your new e-mail address",
        """
        Somebody wants to use this address for a NeuroViews Cloud account.
        If it was you, confirm the address.
        """,
        closing: "If it was not you, ignore this message. Nothing changes then."
    )

    static let invitation = MailText(
        "Your invitation",
        """
        You are invited to open an account with NeuroViews Cloud, with this
        e-mail address.
        """,
        closing: "If you do not want an account, ignore this message."
    )
}
