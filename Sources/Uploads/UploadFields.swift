import HTTP

/// Reads the fields of upload requests. A structured field that is malformed or repeated is absent (RFC 9651, section 4.2).
struct UploadFields {
    let headers: Headers

    init(_ headers: Headers) { self.headers = headers }

    /// A non-negative integer of a structured field.
    func integer(_ name: String) -> Int? {
        single(name).flatMap(StructuredItem.integer).flatMap { $0 < 0 ? nil : $0 }
    }

    /// A boolean of a structured field.
    func boolean(_ name: String) -> Bool? {
        single(name).flatMap(StructuredItem.boolean)
    }

    /// A non-negative integer as tus writes it: digits alone. A field with anything else is refused.
    func digits(_ name: String) throws(UploadRefusal) -> Int? {
        guard headers.count(of: name) > 0 else { return nil }
        guard let bytes = single(name), !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(decoding: bytes, as: UTF8.self))
        else { throw .invalidField(name) }
        return number
    }

    /// The media type without its parameters, in small letters; nil without one.
    var mediaType: String? {
        guard let value = headers.first("Content-Type") else { return nil }
        let type = value.prefix { $0 != ";" }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// Refuses a request that has one of these fields.
    func refuse(_ names: String...) throws(UploadRefusal) {
        for name in names where headers.count(of: name) > 0 { throw .unexpectedField(name) }
    }

    func single(_ name: String) -> [UInt8]? {
        guard headers.count(of: name) == 1 else { return nil }
        return headers.bytes(of: name).map(Array.init)
    }
}
