/// Percent-encoding for signatures: all but RFC 3986's unreserved characters, in upper case.
enum PercentEncoding {
    /// Keeps slashes.
    static func path(_ text: String) -> String { encode(text, keeping: UInt8(ascii: "/")) }

    static func parameter(_ parameter: SignableRequest.Field) -> (name: String, value: String) {
        (encode(parameter.name), encode(parameter.value))
    }

    /// Joins encoded parameters to one query.
    static func joined(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { $0.name + "=" + $0.value }.joined(separator: "&")
    }

    private static func encode(_ text: String, keeping kept: UInt8? = nil) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || byte == kept {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
