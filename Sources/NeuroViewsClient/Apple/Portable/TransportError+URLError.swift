import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

extension TransportError {
    /// In the info of an error of TLS: the code of Secure Transport. -9836 is errSSLPeerProtocolVersion.
    private static let (streamCode, oldProtocol) = ("_kCFStreamErrorCodeKey", -9836)

    /// The meaning of an error of URLSession.
    init(_ error: any Error, stallS: Int = TransportLimits().stallS) {
        guard let error = URLError.of(error) else {
            self = .other(error.localizedDescription)
            return
        }
        let reason = error.localizedDescription
        switch error.code {
        case _ where error.isCellularForbidden: self = .cellularForbidden
        case .cancelled, .userCancelledAuthentication: self = .cancelled
        case .cannotFindHost, .dnsLookupFailed: self = .unknownHost(reason)
        case .cannotConnectToHost, .notConnectedToInternet, .callIsActive: self = .notConnected(reason)
        case .networkConnectionLost: self = .cut(reason)
        case .timedOut: self = .stalled(seconds: stallS)
        case .badURL, .unsupportedURL: self = .badRequest(reason)
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            self = .notHTTP(reason)
        case .fileDoesNotExist: self = .file(code: ENOENT)
        case .noPermissionsToReadFile, .fileIsDirectory: self = .file(code: EACCES)
        default: self = Self.problem(error).map { .untrusted($0) } ?? Self.other(error)
        }
    }

    private static func problem(_ error: URLError) -> TrustProblem? {
        switch error.code {
        case .serverCertificateHasBadDate: .expired
        case .serverCertificateNotYetValid: .notYetValid
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .unknownAuthority
        case .appTransportSecurityRequiresSecureConnection: .plainHTTP
        case .secureConnectionFailed where error.errorUserInfo[streamCode] as? Int == oldProtocol: .oldTLS
        default: nil
        }
    }

    private static func other(_ error: URLError) -> TransportError {
        let reason = error.localizedDescription
        return error.code == .secureConnectionFailed ? .notConnected(reason) : .other(reason)
    }
}
