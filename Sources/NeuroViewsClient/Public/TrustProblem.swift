/// The reason why a peer is not trusted. No request was sent to it.
public enum TrustProblem: Hashable, Sendable {
    /// The server's public key is none of the pins.
    case otherKey
    /// The certificate's time is over, or the device's clock is wrong.
    case expired
    /// The certificate's time has not begun, or the device's clock is wrong.
    case notYetValid
    /// No trusted authority signed the certificate.
    case unknownAuthority
    /// The certificate is for another host.
    case otherHost
    /// The peer does not speak TLS 1.3.
    case oldTLS
    /// The peer does not speak TLS.
    case noTLS
    /// The URL is `http`, its host is not this device, and ``Options/allowsPlainHTTP`` is false; or there are pins.
    case plainHTTP
    /// One pin is too few.
    case onePin
    /// The file of ``Options/authorities`` can't be read or has no certificate.
    case noAuthorities
    /// Another failed check, in the words of the TLS library.
    case other(String)
}

extension TrustProblem: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch self {
        case .otherKey: "The server's public key is none of the pins: check the network, or update the pins."
        case .expired: "The server's certificate has expired: check the device's clock, or renew the certificate."
        case .notYetValid: "The server's certificate is not valid yet: check the device's clock."
        case .unknownAuthority: "No trusted authority signed the server's certificate: name yours in `authorities`."
        case .otherHost: "The server's certificate is for another host: check the server's address."
        case .oldTLS: "The server does not speak TLS 1.3: update it, or the proxy before it."
        case .noTLS: "The server does not speak TLS: check its address and port."
        case .plainHTTP: "Requests by http are refused: use https, or set `allowsPlainHTTP` and no pins."
        case .onePin: "One pin locks the app out when the server's key changes: add the pin of a second key."
        case .noAuthorities: "The file of `authorities` has no readable certificate in PEM."
        case .other(let reason): "The server is not trusted: \(reason)"
        }
    }
}
