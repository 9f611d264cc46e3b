import HTTP

/// Reads the fields of upload requests. A malformed structured field counts as absent (RFC 9651, section 4.2).
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

    /// A non-negative integer in the form of tus: digits alone. Throws for a field with anything else.
    func digits(_ name: String) throws(UploadRefusal) -> Int? {
        guard headers.count(of: name) > 0 else { return nil }
        try refuseRepeated([name])
        guard let bytes = single(name), !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(decoding: bytes, as: UTF8.self))
        else { throw .invalidField(name) }
        return number
    }

    /// The media type without its parameters, in lower case; nil without one.
    var mediaType: String? {
        guard let value = headers.first("Content-Type") else { return nil }
        let type = value.prefix { $0 != ";" }
        return String(type.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    /// Rejects a request that has one of these fields.
    func refuse(_ names: String...) throws(UploadRefusal) {
        for name in names where headers.count(of: name) > 0 { throw .unexpectedField(name) }
    }

    /// Rejects a request that has one of these fields twice. As absent fields they would make the file's first part the
    /// whole file, or name another protocol.
    func refuseRepeated(_ names: [String]) throws(UploadRefusal) {
        for name in names where isRepeated(name) { throw .repeatedField(name) }
    }

    /// A proxy may have joined the lines by commas (RFC 9110, section 5.3). Parameters of an item may contain commas.
    private func isRepeated(_ name: String) -> Bool {
        guard headers.count(of: name) < 2 else { return true }
        return headers.bytes(of: name)?.prefix { $0 != UInt8(ascii: ";") }.contains(UInt8(ascii: ",")) ?? false
    }

    func single(_ name: String) -> [UInt8]? {
        guard headers.count(of: name) == 1 else { return nil }
        return headers.bytes(of: name).map(Array.init)
    }
}
