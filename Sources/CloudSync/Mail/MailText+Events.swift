/// The mails about events of an account.
extension MailText {
    private static let changePassword = """
        If this was not you, change your password right away. This logs out all your
        devices. Then look at the security events of your account.
        """
    private static let askOperator = "If this was not you, contact the operator of your server right away."

    static let addressChanged = MailText(
        "Your e-mail address was changed",
        """
        Your NeuroViews Cloud account has a new e-mail address. Messages about the
        account no longer come to this one.
        """,
        ifNot: askOperator
    )

    static let deviceNew = MailText(
        "A new device has logged in",
        """
        Somebody logged in to your NeuroViews Cloud account with a new device or from
        a new place.
        """,
        ifNot: changePassword
    )

    static let passwordChanged = MailText(
        "Your password was changed",
        """
        The password of your NeuroViews Cloud account was changed. All your devices
        were logged out.
        """,
        ifYou: "If this was you, log in again with your new password.",
        ifNot: """
            If this was not you, reset your password right away. If you can't, contact
            the operator of your server.
            """
    )

    static let secondFactorFailed = MailText(
        "A wrong code was entered",
        """
        Somebody entered a wrong code or used a wrong passkey for your NeuroViews
        Cloud account. This person has your password, or a device that is logged in.
        """,
        ifYou: "If this was you and you made a mistake, you don't need to do anything.",
        ifNot: changePassword
    )

    static let passkeyCounter = MailText(
        "A passkey was refused",
        """
        A passkey of your NeuroViews Cloud account was refused, because its counter
        did not grow. Somebody may have a copy of it, or its device was set back.
        """,
        ifYou: """
            If this was you, log in another way, remove this passkey from your account,
            and add it again.
            """,
        ifNot: """
            If this was not you, remove this passkey from your account right away. Then
            look at the security events of your account.
            """
    )

    static let totpAdded = MailText(
        "An authenticator app was added",
        """
        From now on, your NeuroViews Cloud account asks for a code from an
        authenticator app when you log in with your password.
        """,
        ifNot: changePassword
    )

    static let totpRemoved = MailText(
        "The authenticator app was removed",
        """
        Your NeuroViews Cloud account no longer asks for a code from an authenticator
        app when you log in.
        """,
        ifNot: changePassword
    )

    static let passkeyAdded = MailText(
        "A passkey was added",
        """
        Your NeuroViews Cloud account has a new passkey. With it, one can log in
        without a password.
        """,
        ifNot: """
            If this was not you, remove the passkey and change your password right away.
            Then look at the security events of your account.
            """
    )

    static let passkeyRemoved = MailText(
        "A passkey was removed",
        """
        A passkey was removed from your NeuroViews Cloud account. Nobody can log in
        with it any more.
        """,
        ifNot: changePassword
    )

    static let identityAdded = MailText(
        "A way to log in was added",
        """
        You can now log in to your NeuroViews Cloud account with your account at
        another provider, such as Apple or Google.
        """,
        ifNot: """
            If this was not you, remove this way to log in and change your password right
            away. Then look at the security events of your account.
            """
    )

    static let identityRemoved = MailText(
        "A way to log in was removed",
        """
        You can no longer log in to your NeuroViews Cloud account with one of your
        accounts at other providers, such as Apple or Google.
        """,
        ifNot: changePassword
    )

    static let tokenReused = MailText(
        "One of your devices was logged out",
        """
        One of your devices used an outdated login for your NeuroViews Cloud account.
        Somebody may have copied it, so we logged the device out.
        """,
        ifYou: "Please log in again on this device.",
        ifNot: """
            If this happens again, change your password, and look at the security events
            of your account.
            """
    )

    static let tokenElsewhere = MailText(
        "A login was renewed from two networks",
        """
        One of your devices renewed its login for your NeuroViews Cloud account twice
        within minutes, from two networks. Somebody may have copied the login.
        """,
        ifYou: """
            If your device changed its network just then, for example from Wi-Fi to
            mobile data, you don't need to do anything.
            """,
        ifNot: changePassword
    )

    static let export = MailText(
        "Your data was exported",
        """
        Somebody asked for a copy of everything that is stored about your NeuroViews
        Cloud account.
        """,
        ifNot: changePassword
    )

    static let deletion = MailText(
        "Your account was deleted",
        "Your NeuroViews Cloud account and everything in it was deleted.",
        ifNot: askOperator
    )
}
