/// Passkeys (WebAuthn level 2): the checks of a relying party, in the order of sections 7.1 and 7.2.
package enum WebAuthn {
    /// The allowed length of a credential id, in bytes.
    package static let credentialIDBytes = 1...1023
    /// The limit of an attestation object, in bytes. Android's statements (`android-safetynet`) have some 10,000.
    package static let attestationObjectMaxBytes = 24576
}

/// A registration from a client.
package struct PasskeyRegistration: Sendable {
    /// The credential's id according to the client.
    package var id: [UInt8]
    /// `clientDataJSON`.
    package var clientData: [UInt8]
    /// `attestationObject`.
    package var attestationObject: [UInt8]

    /// Takes the values.
    package init(id: [UInt8], clientData: [UInt8], attestationObject: [UInt8]) {
        self.id = id
        self.clientData = clientData
        self.attestationObject = attestationObject
    }

    /// The challenge according to the client data, not checked yet; nil if the client data is malformed.
    package var challenge: [UInt8]? { (try? ClientData(clientData))?.challenge }

    /// Checks the registration and returns the new passkey. Throws `WebAuthnError`.
    package func verified(_ expected: WebAuthnExpectation) throws(WebAuthnError) -> Passkey {
        try ClientData(clientData).check(.create, expected)
        let data = try AuthenticatorData(authenticatorData())
        try expected.check(data)
        guard let credential = data.credential else { throw .authenticatorData }
        guard credential.id == id else { throw .credentialID }
        return Passkey(id: id, key: credential.key, counter: data.counter)
    }

    /// The authenticator data in the attestation object. The statement about the authenticator's maker is not read: no
    /// rule here depends on it. Some clients send one although none was asked for (section 5.1.3 allows the "packed" self
    /// attestation), so every format is accepted.
    private func authenticatorData() throws(WebAuthnError) -> [UInt8] {
        guard attestationObject.count <= WebAuthn.attestationObjectMaxBytes,
            let object = try? CBORReader.value(of: attestationObject), object["fmt"]?.text != nil,
            let data = object["authData"]?.bytes, object["attStmt"] != nil
        else { throw .attestation }
        return data
    }
}

/// A passkey as the server stores it.
package struct Passkey: Sendable {
    /// The credential's id.
    package let id: [UInt8]
    /// Its public key.
    package let key: COSEKey
    /// The signature counter at the last use; 0 if the authenticator has no counter.
    package let counter: UInt32

    /// Takes stored values.
    package init(id: [UInt8], key: COSEKey, counter: UInt32) {
        self.id = id
        self.key = key
        self.counter = counter
    }
}

/// An assertion from a client: a passkey's signature of a challenge.
package struct PasskeyAssertion: Sendable {
    /// The credential's id.
    package var id: [UInt8]
    /// `clientDataJSON`.
    package var clientData: [UInt8]
    /// `authenticatorData`.
    package var authenticatorData: [UInt8]
    /// `signature`.
    package var signature: [UInt8]
    /// `userHandle`, if the authenticator sent it.
    package var userHandle: [UInt8]?

    /// Takes the values.
    package init(
        id: [UInt8],
        clientData: [UInt8],
        authenticatorData: [UInt8],
        signature: [UInt8],
        userHandle: [UInt8]?
    ) {
        self.id = id
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// The challenge according to the client data, not checked yet; nil if the client data is malformed.
    package var challenge: [UInt8]? { (try? ClientData(clientData))?.challenge }

    /// Checks the assertion and returns the passkey's next counter. Store it only if the stored one is still
    /// `passkey.counter`. `owner` is the user handle of the passkey's account. An unknown passkey (nil) gives the same
    /// error as a wrong signature, after the same work with another key, so nobody learns the registered ids. Throws
    /// `WebAuthnError`.
    package func verified(
        by passkey: Passkey?,
        of owner: [UInt8],
        _ expected: WebAuthnExpectation
    ) throws(WebAuthnError) -> UInt32 {
        let client = try ClientData(clientData)
        try client.check(.get, expected)
        let data = try AuthenticatorData(authenticatorData)
        try expected.check(data)
        let signed = authenticatorData + client.digest
        let key: COSEKey
        if let passkey { key = passkey.key } else { key = try COSEKey(encoded: COSEKey.standIn) }
        let isSigned = key.publicKey.isValid(signature, for: signed, form: .der)
        guard let passkey, id == passkey.id, isSigned else { throw .signature }
        guard userHandle == nil || userHandle == owner else { throw .userHandle }
        // An authenticator without a counter always sends 0; any other must count up.
        guard data.counter > passkey.counter || (data.counter == 0 && passkey.counter == 0) else { throw .counter }
        return data.counter
    }
}
