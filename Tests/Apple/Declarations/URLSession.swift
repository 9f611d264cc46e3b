// The declarations of URLSession that the library uses, for `apple-check`: their shapes only; with Foundation.swift they are one module. Above each,
// Apple's page. Methods of delegates are optional there; here they have an empty default.
// swift-format-ignore-file

// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: Error, Sendable {
    public enum Code: Int, Sendable {
        case cancelled = -999, badURL = -1000, timedOut = -1001, unsupportedURL = -1002, cannotFindHost = -1003, cannotConnectToHost = -1004
        case networkConnectionLost = -1005, dnsLookupFailed = -1006, notConnectedToInternet = -1009, badServerResponse = -1011, userCancelledAuthentication = -1012
        case cannotDecodeRawData = -1015, cannotDecodeContentData = -1016, cannotParseResponse = -1017, internationalRoamingOff = -1018, callIsActive = -1019
        case dataNotAllowed = -1020, appTransportSecurityRequiresSecureConnection = -1022, fileDoesNotExist = -1100, fileIsDirectory = -1101
        case noPermissionsToReadFile = -1102, secureConnectionFailed = -1200, serverCertificateHasBadDate = -1201, serverCertificateUntrusted = -1202
        case serverCertificateHasUnknownRoot = -1203, serverCertificateNotYetValid = -1204
    }
    // https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum
    public enum NetworkUnavailableReason: Int, Sendable { case cellular, expensive, constrained }
    public var code: Code { .cancelled }
    public var errorUserInfo: [String: Any] { [:] }
    public var networkUnavailableReason: NetworkUnavailableReason? { nil }
}

// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Sendable {
    public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy = 0, reloadIgnoringLocalCacheData = 1 }
    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var httpMethod: String?
    public var httpBody: Data?
    public var httpShouldHandleCookies = true
    public var allowsCellularAccess = true
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

// https://developer.apple.com/documentation/foundation/urlresponse and https://developer.apple.com/documentation/foundation/httpurlresponse
open class URLResponse: NSObject, @unchecked Sendable {}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { 0 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

// https://developer.apple.com/documentation/foundation/httpcookiestorage, …/urlcredentialstorage, …/urlcache, …/operationqueue
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
open class URLCache: NSObject, @unchecked Sendable {}
open class OperationQueue: NSObject, @unchecked Sendable {}

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject {
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { URLSessionConfiguration() }
    open var timeoutIntervalForRequest: TimeInterval = 60
    open var timeoutIntervalForResource: TimeInterval = 604_800
    open var allowsCellularAccess = true
    open var waitsForConnectivity = false
    open var isDiscretionary = false
    open var sessionSendsLaunchEvents = true
    open var tlsMinimumSupportedProtocolVersion = tls_protocol_version_t.TLSv12
    open var httpShouldSetCookies = true
    open var httpAdditionalHeaders: [AnyHashable: Any]?
    open var httpMaximumConnectionsPerHost = 6
    open var httpCookieStorage: HTTPCookieStorage?
    open var urlCredentialStorage: URLCredentialStorage?
    open var urlCache: URLCache?
}

// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    public enum AuthChallengeDisposition: Int, Sendable { case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace }
    // https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    public init(configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?) {}
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { URLSessionDataTask() }
    open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { URLSessionUploadTask() }
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { URLSessionWebSocketTask() }
    // https://developer.apple.com/documentation/foundation/urlsession/getalltasks(completionhandler:)
    open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {}
    open func invalidateAndCancel() {}
}

// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable { case running, suspended, canceling, completed }
    open var taskIdentifier: Int { 0 }
    open var taskDescription: String?
    open var state: State { .running }
    open var response: URLResponse? { nil }
    open func resume() {}
    open func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    // Imported from C: it may have any value.
    public struct CloseCode: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let normalClosure = CloseCode(rawValue: 1000), noStatusReceived = CloseCode(rawValue: 1005)
    }
    public enum Message: Sendable { case data(Data), string(String) }
    open var maximumMessageSize: Int = 1_048_576
    open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    open func cancel(with closeCode: CloseCode, reason: Data?) {}
}

// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge, …/urlprotectionspace, …/urlcredential
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var protectionSpace: URLProtectionSpace { URLProtectionSpace() }
}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    open var host: String { "" }
    open var port: Int { 0 }
    open var authenticationMethod: String { "" }
    // https://developer.apple.com/documentation/foundation/urlprotectionspace/servertrust
    open var serverTrust: SecTrust? { nil }
}
open class URLCredential: NSObject, @unchecked Sendable {
    // https://developer.apple.com/documentation/foundation/urlcredential/init(trust:)
    public init(trust: SecTrust) {}
}

// https://developer.apple.com/documentation/foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    // https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsession(_:didbecomeinvalidwitherror:)
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    // https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsessiondidfinishevents(forbackgroundurlsession:)
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}
extension URLSessionDelegate {
    public func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(_ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
extension URLSessionTaskDelegate {
    public func urlSession(_ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse, completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
extension URLSessionDataDelegate {
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse, completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {}
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

// https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}
