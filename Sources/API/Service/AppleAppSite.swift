import NeuroViewsJSON

/// The file by which iOS lets apps use the passkeys of a domain. Apple's servers look for it outside /v2.
enum AppleAppSite {
    static let path = "/.well-known/apple-app-site-association"

    /// Returns no route if no app is set.
    static func routes(_ appIDs: [String]) -> [RouteEntry] {
        guard !appIDs.isEmpty else { return [] }
        let document = PublicDocument("application/json", text(appIDs))
        return [(.get, path, Endpoint { _ in document })]
    }

    private static func text(_ appIDs: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("webcredentials")
        writer.beginObject()
        writer.member("apps")
        writer.beginArray()
        for id in appIDs { writer.string(id) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
