/// Why a token of somebody else was refused. The texts name no value of the token.
public enum TokenRefusal: String, Error, Equatable {
    /// Not three parts of base64url, a header that is no JSON object, or too long.
    case malformed = "the token is malformed"
    /// Another algorithm than RS256 and ES256.
    case algorithm = "the token's algorithm is not RS256 or ES256"
    /// An extension that must be understood and is not (RFC 7515 section 4.1.11).
    case critical = "the token has critical extensions"
    /// A kind of token that logs nobody in.
    case type = "the token is of another type"
    /// No key of this name, or of this algorithm.
    case unknownKey = "the token's key is unknown"
    /// Several keys, of which the token names none.
    case ambiguousKey = "several keys fit the token"
    /// The keys of the issuer can't be read.
    case keySet = "the issuer's keys can not be read"
    /// The signature is not the key's.
    case signature = "the token's signature is invalid"
    /// A claim is missing or has another type.
    case claims = "the token's claims are malformed"
    /// Another issuer.
    case issuer = "the token is of another issuer"
    /// Made for another client.
    case audience = "the token is for another audience"
    /// Over, or of the future.
    case expired = "the token has expired"
    /// Made in the future, or not valid yet.
    case notYetValid = "the token is not valid yet"
    /// Made for another request.
    case nonce = "the token's nonce is another one"
}
