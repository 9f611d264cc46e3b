import NeuroViewsCrypto
import NeuroViewsJSON

/// The description of the request by the browser or the system; the authenticator signs it (WebAuthn level 2, section
/// 5.8.1).
struct ClientData {
    enum Kind: String {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    /// The limit in bytes; no honest client sends more.
    static let maxBytes = 4096

    let digest: [UInt8]
    private let json: JSONValue

    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count <= Self.maxBytes else { throw .clientData }
        do {
            json = try JSONParser.parse(bytes, policy: .requestBody)
        } catch {
            throw .clientData
        }
        digest = SHA256.hash(bytes)
    }

    var challenge: [UInt8]? { json["challenge"]?.string.flatMap { Base64.url.decode($0) } }

    func check(_ kind: Kind, _ expected: WebAuthnExpectation) throws(WebAuthnError) {
        guard let type = json["type"]?.string, let challenge = json["challenge"]?.string,
            let origin = json["origin"]?.string
        else { throw .clientData }
        guard type == kind.rawValue else { throw .type }
        guard let challenge = Base64.url.decode(challenge), constantTimeEquals(challenge, expected.challenge) else {
            throw .challenge
        }
        guard expected.relyingParty.origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) }) else {
            throw .origin
        }
        try checkFrame()
    }

    private func checkFrame() throws(WebAuthnError) {
        guard json["topOrigin"] == nil else { throw .crossOrigin }
        guard let crossOrigin = json["crossOrigin"] else { return }
        guard let isCrossOrigin = crossOrigin.bool else { throw .clientData }
        guard !isCrossOrigin else { throw .crossOrigin }
    }
}
