/// The reason for rejecting a passkey's message. The texts contain no value of the message.
package enum WebAuthnError: String, Error, Equatable {
    /// The client data is not WebAuthn's JSON.
    case clientData = "the client data is malformed"
    /// A registration instead of an assertion, or the reverse.
    case type = "the client data are for another kind of request"
    /// The challenge is wrong.
    case challenge = "the challenge is not the expected one"
    /// The origin is not among those of the server.
    case origin = "the origin is not one of this server"
    /// The request is from a frame in a page of another origin.
    case crossOrigin = "the request came from a frame of another origin"
    /// The authenticator data has a wrong form or length.
    case authenticatorData = "the authenticator data is malformed"
    /// The authenticator signed for another relying party.
    case relyingParty = "the relying party is not this server"
    /// Nobody touched the authenticator.
    case userPresence = "the user was not present"
    /// The authenticator did not verify the user.
    case userVerification = "the user was not verified"
    /// The attestation object is not readable.
    case attestation = "the attestation object is malformed"
    /// The id is empty, longer than 1023 bytes, or differs from that in the authenticator data.
    case credentialID = "the credential id is invalid"
    /// The key has another algorithm, is weak, or is missing.
    case publicKey = "the public key is invalid or not supported"
    /// The passkey belongs to another user.
    case userHandle = "the user handle is not the expected one"
    /// The signature is not the passkey's.
    case signature = "the signature is invalid"
    /// The counter did not grow: somebody may have a copy of the passkey, or its authenticator was set back. The server
    /// can't know which, so the person decides.
    case counter = """
        the signature counter did not grow, so this may be a copy. If it is yours, log in another way, remove this passkey \
        and add it again
        """
}
