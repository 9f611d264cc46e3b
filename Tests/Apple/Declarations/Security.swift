// The declarations of Security that the library calls, for `apple-check`: their shapes only. Above each, Apple's page.
// Without Objective-C a dictionary does not become a CFDictionary: here both are one type, and so are the other pairs (Foundation.swift).
// swift-format-ignore-file
@_exported import Foundation

// https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
// https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)
@available(iOS 15, macOS 12, watchOS 8, *)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
// https://developer.apple.com/documentation/security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }
// https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }

// https://developer.apple.com/documentation/security/security-framework-result-codes
public let errSecSuccess: OSStatus = 0, errSecDuplicateItem: OSStatus = -25299, errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308, errSecCreateChainFailed: OSStatus = -25318, errSecMissingEntitlement: OSStatus = -34018
public let errSecHostNameMismatch: OSStatus = -67602, errSecCertificateExpired: OSStatus = -67818, errSecCertificateNotValidYet: OSStatus = -67819
public let errSecNotTrusted: OSStatus = -67843
// https://developer.apple.com/documentation/security/seccopyerrormessagestring(_:_:)
@available(iOS 11.3, macOS 10.3, watchOS 4.3, *)
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { nil }

// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemadd(_:_:)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
// https://developer.apple.com/documentation/security/secitemdelete(_:)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

// https://developer.apple.com/documentation/security/item-class-keys-and-values
public let kSecClass: CFString = "class", kSecClassGenericPassword: CFString = "genp"
// https://developer.apple.com/documentation/security/item-attribute-keys-and-values
public let kSecAttrService: CFString = "svce", kSecAttrAccount: CFString = "acct", kSecAttrAccessible: CFString = "pdmn"
// https://developer.apple.com/documentation/security/ksecattraccessibleafterfirstunlockthisdeviceonly
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
@available(iOS 13, macOS 10.15, watchOS 6, *)
public let kSecUseDataProtectionKeychain: CFString = "nleg"
// https://developer.apple.com/documentation/security/item-return-result-keys and https://developer.apple.com/documentation/security/search-attribute-keys-and-values
public let kSecMatchLimit: CFString = "m_Limit", kSecMatchLimitOne: CFString = "m_LimitOne", kSecReturnData: CFString = "r_Data", kSecValueData: CFString = "v_Data"
