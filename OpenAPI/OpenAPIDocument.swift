/// The OpenAPI document and its schemas, embedded in the binary. The validator uses the same schemas.
package enum OpenAPIDocument {
    /// The OpenAPI 3.1 document. It refers to the schemas by relative URLs.
    package static let text = EmbeddedFiles.`openapi.json`
    /// The specification's configuration schema.
    package static let cameraConfigurationSchema = EmbeddedFiles.`schemas/camera-configuration.json`
    /// The body of a batch of writes; it refers to the schemas of its operations, and these to the schema above.
    package static let configurationBatchSchema = EmbeddedFiles.`schemas/configuration-batch.json`
    /// The body of a registration.
    package static let registrationSchema = EmbeddedFiles.`schemas/registration.json`
    /// The body of a login.
    package static let loginSchema = EmbeddedFiles.`schemas/login.json`
    /// The proofs that confirm the person at a session, such as a password.
    package static let confirmationSchema = EmbeddedFiles.`schemas/confirmation.json`
    /// A change of the password.
    package static let passwordChangeSchema = EmbeddedFiles.`schemas/password-change.json`
    /// The second step of a login.
    package static let secondFactorSchema = EmbeddedFiles.`schemas/second-factor.json`
    /// An assertion of a passkey, in bodies that also accept other proofs.
    package static let passkeyAssertionSchema = EmbeddedFiles.`schemas/passkey-assertion.json`
    /// A login by a passkey; the assertion in it has the schema above.
    package static let passkeyLoginSchema = EmbeddedFiles.`schemas/passkey-login.json`
    /// A new passkey.
    package static let passkeyCredentialSchema = EmbeddedFiles.`schemas/passkey-credential.json`
    /// The registration of a passkey; the credential in it has the schema above.
    package static let passkeyRegistrationSchema = EmbeddedFiles.`schemas/passkey-registration.json`
    /// A code of an authenticator app.
    package static let totpCodeSchema = EmbeddedFiles.`schemas/totp-code.json`
    /// The removal of an authenticator app.
    package static let totpRemovalSchema = EmbeddedFiles.`schemas/totp-removal.json`
    /// An ID token of an OpenID provider.
    package static let idTokenSchema = EmbeddedFiles.`schemas/id-token.json`
    /// A login by an ID token.
    package static let idTokenLoginSchema = EmbeddedFiles.`schemas/id-token-login.json`
    /// A request for a password reset.
    package static let passwordResetSchema = EmbeddedFiles.`schemas/password-reset.json`
    /// The new password, with the mailed token.
    package static let passwordResetConfirmationSchema = EmbeddedFiles.`schemas/password-reset-confirmation.json`
    /// The mailed token of an address.
    package static let emailVerificationSchema = EmbeddedFiles.`schemas/email-verification.json`
    /// Another address for an account.
    package static let emailChangeSchema = EmbeddedFiles.`schemas/email-change.json`
    /// The version to restore.
    package static let restoreSchema = EmbeddedFiles.`schemas/restore.json`
    /// The description of a device.
    package static let deviceSchema = EmbeddedFiles.`schemas/device.json`

    /// The metadata of a recording.
    package static let recordingMetadataSchema = EmbeddedFiles.`schemas/recording-metadata.json`
    /// The request for an upload URL.
    package static let uploadRequestSchema = EmbeddedFiles.`schemas/upload-request.json`
    /// The consents of a person.
    package static let consentsSchema = EmbeddedFiles.`schemas/consents.json`
    /// A batch of events. Each event has the schema below.
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
