import NeuroViewsCrypto
import NeuroViewsJSON

/// A JWS in the compact form (RFC 7515 section 7.1), parsed but not verified. Keys inside a token (`jwk`, `jku`, `x5c`)
/// are never used.
package struct SignedToken: Sendable {
    /// The limit of a token, in bytes.
    package static let maxBytes = 16 << 10

    /// The id of the key (`kid`), if the token has one.
    package let keyID: String?
    let algorithm: PublicKey.Algorithm
    let header: JSONObject
    private let signedText: [UInt8]
    private let payload: [UInt8]
    private let signature: [UInt8]

    /// Parses a token. Throws `.malformed`, `.critical`, and `.algorithm` for anything but RS256, ES256 and ES384.
    package init(_ text: String) throws(TokenRefusal) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maxBytes else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let headerText = Base64.url.decode(parts[0]),
            let payload = Base64.url.decode(parts[1]), let signature = Base64.url.decode(parts[2]),
            let header = (try? JSONParser.parse(headerText, policy: .requestBody))?.object
        else { throw .malformed }
        guard header["crit"] == nil else { throw .critical }
        guard let algorithm = header["alg"]?.string.flatMap(PublicKey.Algorithm.init) else { throw .algorithm }
        if let kid = header["kid"], kid.string == nil { throw .malformed }
        keyID = header["kid"]?.string
        self.algorithm = algorithm
        self.header = header
        self.payload = payload
        self.signature = signature
        signedText = parts[0] + [UInt8(ascii: ".")] + parts[1]
    }

    /// SHA-256 of the signed text; it identifies a used token. The signature is left out: one of ECDSA can be
    /// turned into another valid one.
    package var digest: [UInt8] { SHA256.hash(signedText) }

    /// Returns the content, if one of the keys signed it. Throws `.unknownKey`, `.ambiguousKey`, `.signature`.
    package func payload(signedBy keys: JSONWebKeySet) throws(TokenRefusal) -> [UInt8] {
        let key = try keys.key(named: keyID, algorithm)
        guard key.isValid(signature, for: signedText, form: .raw) else { throw .signature }
        return payload
    }
}
