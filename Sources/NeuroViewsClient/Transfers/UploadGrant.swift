import NeuroViewsJSON

/// The answer to `upload-url`: where the bytes go. The URLs are the permission: they are kept in memory only.
struct UploadGrant: Sendable, Equatable {
    /// A part of the file that an S3 store lacks.
    struct Part: Sendable, Equatable {
        let number: Int64
        /// The place of its first byte.
        let offset: Int64
        let size: Int64
        let url: String
    }

    enum Target: Sendable, Equatable {
        /// An upload of the server's own, at this URL.
        case server(String)
        /// Missing parts, in order, with the fields that each PUT must have. The store may lack others behind them.
        case parts([Part], fields: [String: String])
        /// The whole file in one PUT.
        case whole(Part, fields: [String: String])
    }

    let target: Target
    /// Bytes that the server has, counted from the beginning without a gap. It may have more of its own uploads.
    let offset: Int64

    /// Reads the answer for a file of so many bytes; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON, size: Int64) {
        guard let url = json["upload_url"]?.string, let offset = json["upload_offset"]?.number?.int64,
            (0...size).contains(offset)
        else { return nil }
        self.offset = offset
        if let location = json["location"]?.string {
            target = .server(location)
        } else if let multipart = json["multipart"] {
            guard let fields = Self.fields(json), let parts = Self.parts(multipart, size) else { return nil }
            target = .parts(parts, fields: fields)
        } else {
            guard let fields = Self.fields(json) else { return nil }
            target = .whole(Part(number: 1, offset: 0, size: size, url: url), fields: fields)
        }
    }

    private static func fields(_ json: JSON) -> [String: String]? {
        guard let object = json["headers"]?.object else { return json["headers"] == nil ? [:] : nil }
        let fields = object.members.compactMap { member in member.value.string.map { (member.name, $0) } }
        return fields.count == object.count ? Dictionary(fields) { $1 } : nil
    }

    private static func parts(_ multipart: JSON, _ size: Int64) -> [Part]? {
        guard let partSize = multipart["part_size"]?.number?.int64, partSize > 0 else { return nil }
        return multipart.all("parts") { part(of: $0, partSize, size) }
    }

    private static func part(of json: JSON, _ partSize: Int64, _ fileSize: Int64) -> Part? {
        guard let number = json["number"]?.number?.int64, let size = json["size"]?.number?.int64,
            let url = json["url"]?.string, number > 0, size > 0
        else { return nil }
        let (offset, overflows) = (number - 1).multipliedReportingOverflow(by: partSize)
        guard !overflows, offset <= fileSize, size <= fileSize - offset else { return nil }
        return Part(number: number, offset: offset, size: size, url: url)
    }
}
