/// The description of the interface and the schemas that it and the validator share, embedded in the binary.
public enum OpenAPIDocument {
    /// The OpenAPI 3.1 document, which refers to the schemas by relative URLs.
    public static let text = EmbeddedFiles.`openapi.json`
    /// The specification's configuration schema.
    public static let cameraConfigurationSchema = EmbeddedFiles.`schemas/camera-configuration.json`
    /// The body of a batch of writes; it refers to the schemas of its operations, and these to the schema above.
    public static let configurationBatchSchema = EmbeddedFiles.`schemas/configuration-batch.json`
    /// The body of a registration.
    public static let registrationSchema = EmbeddedFiles.`schemas/registration.json`
    /// The body of a login.
    public static let loginSchema = EmbeddedFiles.`schemas/login.json`
    /// What confirms who is at a session.
    public static let confirmationSchema = EmbeddedFiles.`schemas/confirmation.json`
    /// A change of the password.
    public static let passwordChangeSchema = EmbeddedFiles.`schemas/password-change.json`
    /// The second step of a login.
    public static let secondFactorSchema = EmbeddedFiles.`schemas/second-factor.json`
    /// What a passkey signed, in the bodies that take it beside other proofs.
    public static let passkeyAssertionSchema = EmbeddedFiles.`schemas/passkey-assertion.json`
    /// A login by a passkey; the assertion in it has the schema above.
    public static let passkeyLoginSchema = EmbeddedFiles.`schemas/passkey-login.json`
    /// A new passkey.
    public static let passkeyCredentialSchema = EmbeddedFiles.`schemas/passkey-credential.json`
    /// The registration of a passkey; the credential in it has the schema above.
    public static let passkeyRegistrationSchema = EmbeddedFiles.`schemas/passkey-registration.json`
    /// A code of an authenticator app.
    public static let totpCodeSchema = EmbeddedFiles.`schemas/totp-code.json`
    /// What removes an authenticator app.
    public static let totpRemovalSchema = EmbeddedFiles.`schemas/totp-removal.json`
    /// What somebody got from an OpenID provider.
    public static let idTokenSchema = EmbeddedFiles.`schemas/id-token.json`
    /// The same for a login.
    public static let idTokenLoginSchema = EmbeddedFiles.`schemas/id-token-login.json`
    /// Whose password is to be reset.
    public static let passwordResetSchema = EmbeddedFiles.`schemas/password-reset.json`
    /// The password that a mailed token sets.
    public static let passwordResetConfirmationSchema = EmbeddedFiles.`schemas/password-reset-confirmation.json`
    /// The token that proves an address.
    public static let emailVerificationSchema = EmbeddedFiles.`schemas/email-verification.json`
    /// Another address for an account.
    public static let emailChangeSchema = EmbeddedFiles.`schemas/email-change.json`
    /// Which version to restore.
    public static let restoreSchema = EmbeddedFiles.`schemas/restore.json`
    /// What a device tells about itself.
    public static let deviceSchema = EmbeddedFiles.`schemas/device.json`

    /// What a client says of a recording.
    public static let recordingMetadataSchema = EmbeddedFiles.`schemas/recording-metadata.json`
    /// What an upload URL is asked for with.
    public static let uploadRequestSchema = EmbeddedFiles.`schemas/upload-request.json`
    /// What a person agrees to.
    public static let consentsSchema = EmbeddedFiles.`schemas/consents.json`
    /// A batch of events, each of which is judged by the schema below.
    public static let analyticsEventsSchema = EmbeddedFiles.`schemas/analytics-events.json`
    /// One event.
    public static let analyticsEventSchema = EmbeddedFiles.`schemas/analytics-event.json`

    /// Every schema of the folder by file name.
    public static let schemas = Dictionary(
        uniqueKeysWithValues: EmbeddedFiles.all.compactMap { path, bytes in
            path.hasPrefix("schemas/") ? (String(path.dropFirst("schemas/".count)), bytes) : nil
        }
    )
}
