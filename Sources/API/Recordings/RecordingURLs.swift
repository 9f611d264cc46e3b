import CloudSync
import HTTP
import NeuroViewsJSON

/// The URLs of the recordings' files in one answer, for `urls=true`: a page can read no redirect, and a player sends no
/// token.
struct RecordingURLs: Sendable {
    private let links: FileLinks
    private let files: [String: ExportedFile]
    private let publicURL: String
    /// The expiry of the URLs, RFC 3339.
    let end: String

    init(_ links: FileLinks, _ files: [String: ExportedFile], publicURL: String) {
        self.links = links
        self.files = files
        self.publicURL = publicURL
        end = links.end
    }

    /// The expiry as a further member of a recording.
    var expiryMember: String { ",\"urls_expire_at\":\"\(end)\"" }

    /// Appends the member `urls` of a recording, with a comma before it. It is empty while there is no complete file.
    /// The thumbnail has a link of its own.
    func append(of id: String, to text: inout [UInt8]) {
        text.append(contentsOf: #","urls":"#.utf8)
        guard let file = files[id.lowercased()] else { return text.append(contentsOf: "{}".utf8) }
        var writer = JSONWriter()
        links.write(file, file.parts.filter { $0 != .thumbnail }, at: publicURL, to: &writer)
        text.append(contentsOf: writer.bytes)
    }
}

extension RecordingRoutes {
    /// Reads the files of these recordings.
    func urls(of ids: [String], _ context: RequestContext) async throws -> RecordingURLs {
        try await store.confirm()
        let files = try await downloads.files(of: ids, for: context.caller())
        return RecordingURLs(links, files, publicURL: context.publicURL)
    }
}

extension RequestContext {
    /// The query parameter `urls`; false without it.
    func wantsURLs() throws(Problem) -> Bool {
        switch try parameter("urls") {
        case nil, "false"?: return false
        case "true"?: return true
        default: throw Problem(parameter: "urls", "must be true or false", keyword: "enum")
        }
    }
}
