/// The description of the interface and the schemas that it and the validator share, embedded in the binary.
package enum OpenAPIDocument {
    /// The OpenAPI 3.1 document, which refers to the schemas by relative URLs.
    package static let text = EmbeddedFiles.`openapi.json`
    /// The specification's configuration schema.
    package static let cameraConfigurationSchema = EmbeddedFiles.`schemas/camera-configuration.json`
    /// The body of a batch of writes; it refers to the schemas of its operations, and these to the schema above.
    package static let configurationBatchSchema = EmbeddedFiles.`schemas/configuration-batch.json`
    /// The body of a registration.
    package static let registrationSchema = EmbeddedFiles.`schemas/registration.json`
    /// The body of a login.
    package static let loginSchema = EmbeddedFiles.`schemas/login.json`
    /// What confirms who is at a session.
    package static let confirmationSchema = EmbeddedFiles.`schemas/confirmation.json`
    /// A change of the password.
    package static let passwordChangeSchema = EmbeddedFiles.`schemas/password-change.json`
    /// The second step of a login.
    package static let secondFactorSchema = EmbeddedFiles.`schemas/second-factor.json`
    /// What a passkey signed, in the bodies that take it beside other proofs.
    package static let passkeyAssertionSchema = EmbeddedFiles.`schemas/passkey-assertion.json`
    /// A login by a passkey; the assertion in it has the schema above.
    package static let passkeyLoginSchema = EmbeddedFiles.`schemas/passkey-login.json`
    /// A new passkey.
    package static let passkeyCredentialSchema = EmbeddedFiles.`schemas/passkey-credential.json`
    /// The registration of a passkey; the credential in it has the schema above.
    package static let passkeyRegistrationSchema = EmbeddedFiles.`schemas/passkey-registration.json`
    /// A code of an authenticator app.
    package static let totpCodeSchema = EmbeddedFiles.`schemas/totp-code.json`
    /// What removes an authenticator app.
    package static let totpRemovalSchema = EmbeddedFiles.`schemas/totp-removal.json`
    /// What somebody got from an OpenID provider.
    package static let idTokenSchema = EmbeddedFiles.`schemas/id-token.json`
    /// The same for a login.
    package static let idTokenLoginSchema = EmbeddedFiles.`schemas/id-token-login.json`
    /// Whose password is to be reset.
    package static let passwordResetSchema = EmbeddedFiles.`schemas/password-reset.json`
    /// The password that a mailed token sets.
    package static let passwordResetConfirmationSchema = EmbeddedFiles.`schemas/password-reset-confirmation.json`
    /// The token that proves an address.
    package static let emailVerificationSchema = EmbeddedFiles.`schemas/email-verification.json`
    /// Another address for an account.
    package static let emailChangeSchema = EmbeddedFiles.`schemas/email-change.json`
    /// Which version to restore.
    package static let restoreSchema = EmbeddedFiles.`schemas/restore.json`
    /// What a device tells about itself.
    package static let deviceSchema = EmbeddedFiles.`schemas/device.json`

    /// What a client says of a recording.
    package static let recordingMetadataSchema = EmbeddedFiles.`schemas/recording-metadata.json`
    /// What an upload URL is asked for with.
    package static let uploadRequestSchema = EmbeddedFiles.`schemas/upload-request.json`
    /// What a person agrees to.
    package static let consentsSchema = EmbeddedFiles.`schemas/consents.json`
    /// A batch of events, each of which is judged by the schema below.
    package static let analyticsEventsSchema = EmbeddedFiles.`schemas/analytics-events.json`
    /// One event.
    package static let analyticsEventSchema = EmbeddedFiles.`schemas/analytics-event.json`

    /// Every schema of the folder by file name.
    package static let schemas = Dictionary(
        uniqueKeysWithValues: EmbeddedFiles.all.compactMap { path, bytes in
            path.hasPrefix("schemas/") ? (String(path.dropFirst("schemas/".count)), bytes) : nil
        }
    )
}
