// The declarations of Foundation and CoreFoundation that the library uses, but for URLSession's, for `apple-check`: their shapes only. Above each,
// Apple's page. Without Objective-C a value does not become its class of CoreFoundation: here both are one type.
// swift-format-ignore-file
@_exported import Darwin

// https://developer.apple.com/documentation/corefoundation
public typealias CFString = String
public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any
public typealias CFIndex = Int
public typealias OSStatus = Int32
public final class CFAllocator {}
// https://developer.apple.com/documentation/corefoundation/cferror
public final class CFError: Error {}
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { 0 }
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! { "" }

// https://developer.apple.com/documentation/security/sectrust and https://developer.apple.com/documentation/security/seccertificate
// Here, since URLProtectionSpace has one, and Security has Foundation's values.
public final class SecTrust: Sendable {}
public final class SecCertificate: Sendable {}
// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16, Sendable { case TLSv12 = 0x303, TLSv13 = 0x304 }

// https://developer.apple.com/documentation/objectivec/nsobject
public protocol NSObjectProtocol: AnyObject {}
open class NSObject: NSObjectProtocol { public init() {} }
// https://developer.apple.com/documentation/foundation/timeinterval
public typealias TimeInterval = Double
// https://developer.apple.com/documentation/foundation/nshomedirectory()
public func NSHomeDirectory() -> String { "" }
// https://developer.apple.com/documentation/swift/error/localizeddescription
extension Error { public var localizedDescription: String { "" } }

// https://developer.apple.com/documentation/foundation/contiguousbytes and https://developer.apple.com/documentation/foundation/dataprotocol
public protocol ContiguousBytes {}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}

// https://developer.apple.com/documentation/foundation/data
public struct Data: DataProtocol, ContiguousBytes, Hashable, Sendable {
    public typealias Index = Int
    public typealias SubSequence = Data
    // https://developer.apple.com/documentation/foundation/data/readingoptions
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let alwaysMapped = ReadingOptions(rawValue: 8)
    }
    public init() {}
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
    public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { 0 }
    public subscript(bounds: Range<Int>) -> Data { self }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
}

// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public init() {}
    public init?(uuidString string: String) {}
    public var uuidString: String { "" }
    public var description: String { "" }
    public static func < (left: UUID, right: UUID) -> Bool { false }
}

// https://developer.apple.com/documentation/foundation/date
public struct Date: Hashable, Comparable, Sendable {
    public init() {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public static func < (left: Date, right: Date) -> Bool { false }
}

// https://developer.apple.com/documentation/foundation/url
public struct URL: Hashable, Sendable {
    public init?(string: String) {}
    @available(iOS 17, macOS 14, watchOS 10, *)
    public init?(string: String, encodingInvalidCharacters: Bool) {}
    public init(fileURLWithPath path: String) {}
    public init(fileURLWithPath path: String, isDirectory: Bool) {}
    public var absoluteString: String { "" }
    public var absoluteURL: URL { self }
    public var isFileURL: Bool { false }
    public var path: String { "" }
    public var pathExtension: String { "" }
    public var lastPathComponent: String { "" }
    public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL { self }
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}

// https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup
public struct URLResourceValues {
    public init() {}
    public var isExcludedFromBackup: Bool?
}

// https://developer.apple.com/documentation/foundation/fileattributekey/protectionkey
public struct FileAttributeKey: Hashable, Sendable {
    public static let protectionKey = FileAttributeKey()
}

// https://developer.apple.com/documentation/foundation/fileprotectiontype/completeuntilfirstuserauthentication
public struct FileProtectionType: Hashable, Sendable {
    public static let completeUntilFirstUserAuthentication = FileProtectionType()
}

// https://developer.apple.com/documentation/foundation/bundle and https://developer.apple.com/documentation/foundation/processinfo
open class Bundle: NSObject, @unchecked Sendable {
    open class var main: Bundle { Bundle() }
    open var bundleIdentifier: String? { nil }
}
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { ProcessInfo() }
    open var processName: String { "" }
}

// https://developer.apple.com/documentation/foundation/filemanager
open class FileManager {
    public enum SearchPathDirectory: UInt, Sendable { case applicationSupportDirectory = 14 }
    public struct SearchPathDomainMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
    }
    public init() {}
    open class var `default`: FileManager { FileManager() }
    open var temporaryDirectory: URL { URL(fileURLWithPath: "/") }
    open func contents(atPath path: String) -> Data? { nil }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
    open func removeItem(atPath path: String) throws {}
    open func moveItem(atPath source: String, toPath target: String) throws {}
    open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    open func url(for directory: SearchPathDirectory, in domain: SearchPathDomainMask, appropriateFor url: URL?, create: Bool) throws -> URL { temporaryDirectory }
}
