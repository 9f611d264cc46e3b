import CloudSync
import NeuroViewsJSON

extension Application.Settings {
    /// What a client must know before a login: what it may offer to a person. Initial values are those of a server
    /// without settings.
    package struct Features: Sendable {
        /// Who may make an account.
        package var registration = RegistrationPolicy.closed
        /// True if the server mails: addresses are confirmed, and passwords can be reset.
        package var mail = false
        /// True if passkeys have a domain.
        package var passkeys = false
        /// The names of OpenID providers.
        package var providers: [String] = []
        /// True if videos get a preview for browsers.
        package var previews = false
        /// True if unsigned requests of sessions are rejected.
        package var requiresSignatures = true

        /// Takes the initial values.
        package init() {}
    }
}

extension Application.Settings.Features {
    /// Writes the member `features`.
    func write(to writer: inout JSONWriter) {
        writer.member("features")
        writer.beginObject()
        writer.member("registration", string: registration.rawValue)
        writer.member("mail", bool: mail)
        writer.member("passkeys", bool: passkeys)
        writer.member("providers")
        writer.beginArray()
        for provider in providers { writer.string(provider) }
        writer.endArray()
        writer.member("previews", bool: previews)
        writer.member("signatures", string: requiresSignatures ? "required" : "optional")
        writer.endObject()
    }
}
