import Foundation
import FoundationNetworking

@testable import NeuroViewsClient

// What the files of `Portable` get from the rest of NeuroViewsClient/Apple on Apple's systems.

extension Trust {
    /// FoundationNetworking asks nobody about certificates: libcurl judges them.
    func verdict(on challenge: URLAuthenticationChallenge) -> TrustVerdict { .ofSystem }
}

extension URLError {
    /// The error as URLSession's own. FoundationNetworking has NSErrors, too.
    static func of(_ error: any Error) -> URLError? {
        switch error {
        case let error as URLError: error
        case let error as NSError where error.domain == NSURLErrorDomain:
            URLError(URLError.Code(rawValue: error.code) ?? .unknown, userInfo: error.userInfo)
        default: nil
        }
    }

    /// There is no mobile network here.
    var isCellularForbidden: Bool { code == .dataNotAllowed }
}
