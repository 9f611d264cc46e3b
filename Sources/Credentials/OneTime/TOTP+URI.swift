import NeuroViewsCrypto

extension TOTP {
    /// The secret in Base32, for apps and for typing.
    package var secretText: String { Base32.encode(secret) }

    /// The content of an app's QR code: the secret, its issuer and the account.
    package func uri(issuer: String, account: String) -> String {
        let (issuer, account) = (Self.escaped(issuer), Self.escaped(account))
        return "otpauth://totp/\(issuer):\(account)?secret=\(secretText)&issuer=\(issuer)"
            + "&algorithm=SHA1&digits=\(Self.digits)&period=\(Self.stepSeconds)"
    }

    /// Percent-encodes all but RFC 3986's unreserved characters. A space is not written as "+": some apps read that
    /// literally.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + Hex.encode([byte]).uppercased()
            }
        }
        return escaped
    }
}
