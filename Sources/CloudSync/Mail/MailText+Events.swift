/// The mails about events of an account.
extension MailText {
    private static let protect = """
        If it was not you, change your password at once. That ends all sessions.
        Then look at the security events of the account.
        """
    private static let tellOperator = "If it was not you, tell the operator of the server at once."

    static let addressChanged = MailText(
        "Your e-mail address was changed",
        """
        Your NeuroViews Cloud account has another e-mail address now. Messages
        about the account no longer come here.
        """,
        closing: tellOperator
    )

    static let deviceNew = MailText(
        "A new device has logged in",
        "A device that was not known has logged in to your NeuroViews Cloud account.",
        closing: protect
    )

    static let passwordChanged = MailText(
        "Your password was changed",
        """
        The password of your NeuroViews Cloud account was changed. All sessions
        have ended.
        """,
        closing: """
            If it was not you, reset the password at once. If you can't, tell the
            operator of the server.
            """
    )

    static let secondFactorFailed = MailText(
        "A wrong code was given",
        """
        Somebody gave a wrong code or passkey for your NeuroViews Cloud account, and
        has its password, one of its sessions, or a copy of a passkey.
        """,
        closing: protect
    )

    static let totpAdded = MailText(
        "An authenticator app was added",
        "Logins to your NeuroViews Cloud account take a code of an app from now on.",
        closing: protect
    )

    static let totpRemoved = MailText(
        "The authenticator app was removed",
        "Logins to your NeuroViews Cloud account take no code of an app any more.",
        closing: protect
    )

    static let passkeyAdded = MailText(
        "A passkey was added",
        "Your NeuroViews Cloud account has one more passkey, which alone can log in.",
        closing: """
            If it was not you, remove the passkey and change your password at once.
            Then look at the security events of the account.
            """
    )

    static let passkeyRemoved = MailText(
        "A passkey was removed",
        "A passkey of your NeuroViews Cloud account can log in no more.",
        closing: protect
    )

    static let identityAdded = MailText(
        "A sign-in was linked",
        """
        Your NeuroViews Cloud account can be opened by an account at another
        provider from now on.
        """,
        closing: """
            If it was not you, remove the identity and change your password at once.
            Then look at the security events of the account.
            """
    )

    static let identityRemoved = MailText(
        "A sign-in was unlinked",
        """
        Your NeuroViews Cloud account can no longer be opened by one of the accounts
        at other providers.
        """,
        closing: protect
    )

    static let tokenReused = MailText(
        "A session was ended",
        """
        An old token of one of your devices was used again. Somebody may have
        copied it, so the session of the device has ended. The device has to log
        in again.
        """,
        closing: """
            If this happens again, change your password, and look at the security
            events of the account.
            """
    )

    static let export = MailText(
        "Your data were exported",
        """
        Somebody has asked for a copy of everything that is stored about your
        NeuroViews Cloud account.
        """,
        closing: protect
    )

    static let deletion = MailText(
        "Your account was deleted",
        "Your NeuroViews Cloud account and everything in it was deleted.",
        closing: tellOperator
    )
}
