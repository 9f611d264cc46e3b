import NeuroViewsCrypto
import NeuroViewsJSON

/// A public key of a token issuer (RFC 7517).
package struct JSONWebKey: Sendable {
    /// The key's id (`kid`), if it has one.
    package let id: String?
    /// The key that checks signatures.
    package let publicKey: PublicKey

    /// Reads a key. Nil if it can't or must not check ES256, ES384 or RS256: another type, algorithm, curve or use, or
    /// a weak or invalid key. Readers of key sets ignore such keys (RFC 7517 section 5).
    package init?(_ json: JSONValue) {
        guard let key = Self.publicKey(json), Self.isFor(key.algorithm, json) else { return nil }
        id = json["kid"]?.string
        publicKey = key
    }

    private static func publicKey(_ json: JSONValue) -> PublicKey? {
        switch json["kty"]?.string {
        case "EC":
            guard let curve = json["crv"]?.string.flatMap(PublicKey.Curve.init), let x = bytes(json["x"]),
                let y = bytes(json["y"])
            else { return nil }
            return try? PublicKey(x: x, y: y, curve: curve)
        case "RSA":
            guard let modulus = bytes(json["n"]), let exponent = bytes(json["e"]) else { return nil }
            return try? PublicKey(modulus: modulus, exponent: exponent)
        default: return nil
        }
    }

    /// Returns true if `alg`, `use` and `key_ops` allow this use. A missing member allows everything.
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
package struct JSONWebKeySet: Sendable {
    /// The limit of a key document, in bytes.
    package static let maxBytes = 256 << 10
    /// The limit of keys in a set.
    package static let maxKeys = 100

    /// The usable keys.
    package let keys: [JSONWebKey]

    /// Reads a set. Throws `.keySet` for any other or too large a document.
    package init(json bytes: [UInt8]) throws(TokenRefusal) {
        guard bytes.count <= Self.maxBytes, let json = try? JSONParser.parse(bytes, policy: .requestBody),
            let items = json["keys"]?.array, items.count <= Self.maxKeys
        else { throw .keySet }
        keys = items.compactMap { JSONWebKey($0) }
    }

    /// Returns the key of this id and algorithm. A token without a key id gets the only key of its algorithm. Throws
    /// `.unknownKey` for no match, `.ambiguousKey` for several.
    func key(named name: String?, _ algorithm: PublicKey.Algorithm) throws(TokenRefusal) -> PublicKey {
        let found = keys.filter { key in
            key.publicKey.algorithm == algorithm && (name == nil || key.id == name)
        }
        guard let key = found.first else { throw .unknownKey }
        guard found.count == 1 else { throw .ambiguousKey }
        return key.publicKey
    }
}
