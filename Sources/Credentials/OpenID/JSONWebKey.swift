import Crypto
import JSON

/// A public key of somebody who signs tokens (RFC 7517).
public struct JSONWebKey: Sendable {
    /// The key's name, where it has one.
    public let id: String?
    /// What checks its signatures.
    public let publicKey: PublicKey

    /// Reads a key. Nil for one that is not meant or not fit for checking ES256 or RS256: another type, algorithm, curve
    /// or use, a weak or an impossible key. RFC 7517 section 5 has readers of sets ignore such keys.
    public init?(_ json: JSONValue) {
        guard let key = Self.publicKey(json), Self.isFor(key.algorithm, json) else { return nil }
        id = json["kid"]?.string
        publicKey = key
    }

    private static func publicKey(_ json: JSONValue) -> PublicKey? {
        switch json["kty"]?.string {
        case "EC":
            guard json["crv"]?.string == "P-256", let x = bytes(json["x"]), let y = bytes(json["y"]) else { return nil }
            return try? PublicKey(x: x, y: y)
        case "RSA":
            guard let modulus = bytes(json["n"]), let exponent = bytes(json["e"]) else { return nil }
            return try? PublicKey(modulus: modulus, exponent: exponent)
        default: return nil
        }
    }

    /// Whether the members that say what a key is for allow it. One that is not there allows everything.
    private static func isFor(_ algorithm: PublicKey.Algorithm, _ json: JSONValue) -> Bool {
        if let named = json["alg"], named.string != algorithm.rawValue { return false }
        if let use = json["use"], use.string != "sig" { return false }
        if let operations = json["key_ops"] {
            return operations.array?.contains { $0.string == "verify" } ?? false
        }
        return true
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        value?.string.flatMap { Base64.url.decode($0) }
    }
}

/// The keys of an issuer (RFC 7517 section 5).
public struct JSONWebKeySet: Sendable {
    /// Larger documents are refused, in bytes.
    public static let maxBytes = 256 << 10
    /// More keys are refused.
    public static let maxKeys = 100

    /// Those that can be used.
    public let keys: [JSONWebKey]

    /// Reads a set. Throws `.keySet` for what is none, or too large.
    public init(json bytes: [UInt8]) throws(TokenRefusal) {
        guard bytes.count <= Self.maxBytes, let json = try? JSONParser.parse(bytes, policy: .requestBody),
            let items = json["keys"]?.array, items.count <= Self.maxKeys
        else { throw .keySet }
        keys = items.compactMap { JSONWebKey($0) }
    }

    /// The key of this name and algorithm. A token without a name gets the only key of its algorithm. Throws `.unknownKey` when there is
    /// none, `.ambiguousKey` when there are several.
    func key(named name: String?, _ algorithm: PublicKey.Algorithm) throws(TokenRefusal) -> PublicKey {
        let found = keys.filter { key in
            key.publicKey.algorithm == algorithm && (name == nil || key.id == name)
        }
        guard let key = found.first else { throw .unknownKey }
        guard found.count == 1 else { throw .ambiguousKey }
        return key.publicKey
    }
}
