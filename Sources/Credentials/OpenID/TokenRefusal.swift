/// The reason for rejecting an issuer's token. The texts contain no value of the token.
package enum TokenRefusal: String, Error, Equatable {
    /// Not three parts of base64url, a header that is not a JSON object, or too long.
    case malformed = "the token is malformed"
    /// An algorithm other than RS256, ES256 and ES384.
    case algorithm = "the token's algorithm is not RS256, ES256 or ES384"
    /// The header has critical extensions (RFC 7515 section 4.1.11); this server supports none.
    case critical = "the token has critical extensions"
    /// The token is not an ID token.
    case type = "the token has another type"
    /// There is no key with this id and algorithm.
    case unknownKey = "the token's key is unknown"
    /// Several keys match.
    case ambiguousKey = "several keys match the token"
    /// The issuer's keys can't be read.
    case keySet = "the issuer's keys cannot be read"
    /// The signature is wrong.
    case signature = "the token's signature is invalid"
    /// A claim is missing or has another type.
    case claims = "the token's claims are malformed"
    /// The issuer is wrong.
    case issuer = "the token has another issuer"
    /// The token was issued to another client.
    case audience = "the token is for another audience"
    /// The client that asked for the token (`azp`) is not ours.
    case authorizedParty = "the token's azp is not among the audiences of its provider"
    /// The token is expired.
    case expired = "the token has expired"
    /// The token was issued in the future, or is not valid yet.
    case notYetValid = "the token is not valid yet"
    /// The token was issued for another request.
    case nonce = "the token's nonce is not the SHA-256 of the request's nonce in lower-case hexadecimal"
    /// The app gave the provider the nonce itself.
    case plainNonce = "the token has the nonce itself; give the provider its SHA-256 in lower-case hexadecimal"
}
