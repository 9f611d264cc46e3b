import CloudSync
import HTTP
import NeuroViewsCrypto

/// Checks the token and the signature of a request, as far as this needs no database.
struct RequestAuthentication: Sendable {
    let authenticator: Authenticator
    let policy: SignaturePolicy
    let addresses: PublicAddresses

    /// The identity of the request's token; nil for an endpoint that anybody may call.
    func identify(_ head: RequestHead, _ access: EndpointPolicy.Access) throws -> Identity? {
        if case .anybody = access { return nil }
        guard head.headers.count(of: "authorization") == 1, let value = head.headers.first("authorization"),
            let token = Self.bearerToken(value)
        else { throw CloudSyncError.unauthenticated(.tokenMissing) }
        if case .refreshableSession = access { return try authenticator.identify(token: token, allowsExpired: true) }
        return try authenticator.identify(token: token, allowsExpired: false)
    }

    /// Checks the signature of a request whose body was read. `spendsNonce` is true for a request that opens a channel.
    func verifySignature(
        _ request: Request,
        _ body: [UInt8],
        by identity: Identity,
        spendsNonce: Bool
    ) throws -> CheckedSignature {
        try verifySignature(request, of: { SHA256.hash(body) }, by: identity, spendsNonce: spendsNonce)
    }

    /// The same before a streamed body is read. Also returns the digest that the signature covers; nil in version 1. If
    /// signatures are required, throws for a body that the signature does not cover.
    func verifySignature(
        ofStreamed request: Request,
        by identity: Identity
    ) throws -> (CheckedSignature, digest: [UInt8]?) {
        let head = request.head
        let hasContent = head.hasBody && head.bodyLength != .length(0)
        let digest = hasContent ? ContentDigest.sha256(head.headers) : SHA256.hash([])
        let checked = try verifySignature(request, of: { digest }, by: identity)
        let isCovered = checked.version > 1
        if policy.isRequired, hasContent, !isCovered {
            throw Problem(
                .signatureMissing,
                "Sign this body by version 3, and send its SHA-256 digest in Content-Digest."
            )
        }
        return (checked, isCovered ? digest : nil)
    }

    private func verifySignature(
        _ request: Request,
        of bodyDigest: () -> [UInt8]?,
        by identity: Identity,
        spendsNonce: Bool = false
    ) throws -> CheckedSignature {
        let head = request.head
        guard let signed = try signedRequest(request, bodyDigest) else {
            if policy.isRequired { throw CloudSyncError.unauthenticated(.signatureMissing) }
            return .none
        }
        guard signed.version.number >= policy.lowestVersion else {
            throw CloudSyncError.unauthenticated(.signatureVersionLow)
        }
        let nonce = try authenticator.verify(signed, by: identity)
        return CheckedSignature(
            version: signed.version.number,
            nonce: head.method.changesSomething || spendsNonce ? nonce : nil
        )
    }

    private static func bearerToken(_ value: String) -> String? {
        let scheme = "bearer "
        guard value.utf8.count > scheme.utf8.count, value.prefix(scheme.count).lowercased() == scheme else {
            return nil
        }
        return String(value.dropFirst(scheme.count).drop { $0 == " " })
    }

    private func signedRequest(
        _ request: Request,
        _ bodyDigest: () -> [UInt8]?
    ) throws(CloudSyncError) -> SignedRequest? {
        let head = request.head
        let names = ["x-timestamp", "x-nonce", "x-signature"]
        let counts = names.map { head.headers.count(of: $0) }
        if counts == [0, 0, 0], head.headers.count(of: "x-signature-version") == 0 { return nil }
        guard counts == [1, 1, 1], let timestamp = head.headers.first(names[0]),
            let nonce = head.headers.first(names[1]), let signature = head.headers.first(names[2]),
            let version = version(head, bodyDigest)
        else { throw .unauthenticated(.signatureMalformed) }
        return SignedRequest(
            method: head.method.name,
            urls: addresses.urls(of: request),
            timestamp: timestamp,
            nonce: nonce,
            signature: signature,
            version: version
        )
    }

    private func version(_ head: RequestHead, _ bodyDigest: () -> [UInt8]?) -> RequestSignature.Version? {
        switch head.headers.values("x-signature-version") {
        case [], ["1"]: .one
        case ["3"]: three(head, bodyDigest)
        default: nil
        }
    }

    private func three(_ head: RequestHead, _ bodyDigest: () -> [UInt8]?) -> RequestSignature.Version? {
        guard let fields = SignedFields(head.headers.bytesOfAll), let digest = bodyDigest() else { return nil }
        return .three(fields, bodyDigest: digest)
    }
}

/// The result of checking a request's signature.
struct CheckedSignature {
    /// 0: there is none.
    let version: Int
    /// The nonce that the request's transaction uses up; nil for a request that changes nothing.
    let nonce: SignedNonce?

    static let none = CheckedSignature(version: 0, nonce: nil)
}
