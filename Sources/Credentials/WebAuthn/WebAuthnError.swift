/// Why a passkey's message was refused. The texts name no value of the message.
public enum WebAuthnError: String, Error, Equatable {
    /// The client data is not the JSON that WebAuthn describes.
    case clientData = "the client data is malformed"
    /// A registration where an assertion is expected, or the other way round.
    case type = "the client data is of another kind of request"
    /// Another challenge.
    case challenge = "the challenge is another one"
    /// An origin that is not among those of the server.
    case origin = "the origin is not one of this server"
    /// A page in a frame of another origin asked.
    case crossOrigin = "the request came from a frame of another origin"
    /// The authenticator data has another form or length.
    case authenticatorData = "the authenticator data is malformed"
    /// The authenticator signed for another relying party.
    case relyingParty = "the relying party is another one"
    /// Nobody touched the authenticator.
    case userPresence = "the user was not present"
    /// The authenticator did not check who the user is.
    case userVerification = "the user was not verified"
    /// The attestation object is not readable.
    case attestation = "the attestation object is malformed"
    /// Another attestation than "none".
    case attestationFormat = "the attestation must be none"
    /// The id is empty, longer than 1023 bytes, or differs from that in the authenticator data.
    case credentialID = "the credential id is invalid"
    /// A key of another algorithm, a weak one, or none at all.
    case publicKey = "the public key can not be used"
    /// The passkey belongs to another user.
    case userHandle = "the user handle is another one"
    /// The signature is not the passkey's.
    case signature = "the signature is invalid"
    /// The counter did not grow: somebody may have a copy of the passkey.
    case counter = "the signature counter did not grow"
}
