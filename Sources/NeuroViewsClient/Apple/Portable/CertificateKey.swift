import NeuroViewsCrypto

/// The public key of a certificate (RFC 5280, 4.1), as pins name it. Security.framework has keys without their algorithm.
enum CertificateKey {
    private static let (sequence, version): (UInt8, UInt8) = (0x30, 0xA0)
    /// Serial number, signature, issuer, validity and subject.
    private static let fieldsBefore = 5

    /// SHA-256 over SubjectPublicKeyInfo; nil if the bytes are no certificate in DER.
    static func digest(_ certificate: [UInt8]) -> [UInt8]? {
        var outer = DERReader(certificate[...])
        guard let whole = outer.next(), whole.tag == sequence else { return nil }
        var parts = DERReader(whole.content)
        guard let signed = parts.next(), signed.tag == sequence else { return nil }
        var fields = DERReader(signed.content)
        guard var field = fields.next() else { return nil }
        // Certificates of version 1 do not have it.
        if field.tag == version {
            guard let next = fields.next() else { return nil }
            field = next
        }
        for _ in 0..<fieldsBefore {
            guard let next = fields.next() else { return nil }
            field = next
        }
        return field.tag == sequence ? SHA256.hash(Array(field.bytes)) : nil
    }
}

/// Reads elements of DER (X.690) one after the other.
struct DERReader {
    struct Element {
        let tag: UInt8
        /// With tag and length.
        let bytes: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
    }

    /// 16 MiB: a length fits into an `Int` of a watch.
    private static let lengthBytesMax = 3
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next element; nil at the end, and for bytes that are none.
    mutating func next() -> Element? {
        let begin = rest.startIndex
        var place = begin + 2
        guard rest.count >= 2, rest[begin] & 0x1F != 0x1F else { return nil }
        var length = Int(rest[begin + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...Self.lengthBytesMax).contains(count), rest.count >= 2 + count else { return nil }
            length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            place += count
        }
        guard length <= rest.endIndex - place else { return nil }
        let element = Element(
            tag: rest[begin],
            bytes: rest[begin..<place + length],
            content: rest[place..<place + length]
        )
        rest = rest[(place + length)...]
        return element
    }
}

/// The certificates of a text in PEM (RFC 7468).
enum PEMCertificates {
    private static let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")

    /// The certificates in DER. Other text is left out.
    static func read(_ text: String) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var base64: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop(while: \.isWhitespace)
            if line.hasPrefix(begin) {
                base64 = ""
            } else if line.hasPrefix(end) {
                if let text = base64, let bytes = Base64.padded.decode(text), !bytes.isEmpty { found.append(bytes) }
                base64 = nil
            } else if let known = base64 {
                base64 = known + line.filter { !$0.isWhitespace }
            }
        }
        return found
    }
}
