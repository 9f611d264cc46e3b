import Foundation
import NeuroViewsCrypto
import Security

extension Trust {
    /// The answer to a challenge of URLSession.
    func answer(to challenge: URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let verdict = verdict(on: challenge)
        return (verdict.disposition, verdict.credential)
    }

    /// The verdict on the peer that a challenge is about. Other challenges are left to the system.
    func verdict(on challenge: URLAuthenticationChallenge) -> TrustVerdict {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let chain = space.serverTrust else {
            return .ofSystem
        }
        let host = space.host.contains(":") ? "[\(space.host)]" : space.host
        guard let origin = Origin("https://\(host):\(space.port)") else {
            return .refusal(.other("its host can't be read"))
        }
        if let problem = problem(of: chain, origin) { return .refusal(problem) }
        guard authorities != nil else { return .ofSystem }
        // The system does not know the authority.
        return TrustVerdict(disposition: .useCredential, credential: URLCredential(trust: chain))
    }

    /// The reason why a chain of certificates is not trusted; nil if it is.
    private func problem(of chain: SecTrust, _ origin: Origin) -> TrustProblem? {
        if let authorities {
            let anchors = Self.anchors(authorities)
            guard !anchors.isEmpty else { return .noAuthorities }
            let isSet = SecTrustSetAnchorCertificates(chain, anchors as CFArray) == errSecSuccess
            // Another host, such as a store, may have one of the system's authorities.
            guard isSet, SecTrustSetAnchorCertificatesOnly(chain, origin == server) == errSecSuccess else {
                return .noAuthorities
            }
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(chain, &error) else { return Self.problem(error) }
        let pins = pins(of: origin)
        guard !pins.isEmpty else { return nil }
        guard let own = (SecTrustCopyCertificateChain(chain) as? [SecCertificate])?.first,
            let digest = CertificateKey.digest([UInt8](SecCertificateCopyData(own) as Data))
        else { return .otherKey }
        let key = Base64.padded.encode(digest)
        return pins.contains { $0.base64 == key } ? nil : .otherKey
    }

    private static func anchors(_ path: String) -> [SecCertificate] {
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        return PEMCertificates.read(text).compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
    }

    private static func problem(_ error: CFError?) -> TrustProblem {
        guard let error else { return .other("the system refuses its certificate") }
        switch OSStatus(truncatingIfNeeded: CFErrorGetCode(error)) {
        case errSecCertificateExpired: return .expired
        case errSecCertificateNotValidYet: return .notYetValid
        case errSecHostNameMismatch: return .otherHost
        case errSecNotTrusted, errSecCreateChainFailed: return .unknownAuthority
        default: return .other(CFErrorCopyDescription(error) as String)
        }
    }
}
