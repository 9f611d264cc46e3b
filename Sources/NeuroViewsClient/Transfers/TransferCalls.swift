import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The signed requests of transfers.
protocol TransferCalls: AnyObject {
    /// Sends a request, and returns the server's answer, also a refusal. Throws `ClientError` if the result is unknown or nothing was
    /// sent. `acceptsRedirect`: a 307 is an answer, too.
    func send(
        _ method: String,
        _ path: String,
        _ body: JSON?,
        acceptsRedirect: Bool
    ) async throws(ClientError) -> Answer
}

extension TransferCalls {
    /// Asks for the URLs of an upload. The server also gives it more time.
    func openUpload(_ row: UploadRow) async throws(ClientError) -> Answer {
        // The configuration of a sealed recording is hidden, too.
        var wish = row.seal == nil ? row.metadata.wish : JSONObject()
        wish.set("file_size", to: .number(JSONNumber(row.transferBytes)))
        wish.set("content_type", to: .string(row.type))
        if let partSize = row.partSize { wish.set("part_size", to: .number(JSONNumber(partSize))) }
        if let sha256 = row.sha256 { wish.set("sha256", to: .string(Base64.padded.encode(sha256))) }
        if let seal = row.seal { wish.set("encryption", to: seal.envelope.json) }
        if row.replaces { wish.set("replace", to: .bool(true)) }
        return try await send("POST", "/recordings/\(row.id.lower)/upload-url", .object(wish), acceptsRedirect: false)
    }

    /// Sends the metadata of a recording. All its bytes are at the server.
    func complete(_ row: UploadRow) async throws(ClientError) -> Answer {
        let content = row.metadata.content
        let metadata = row.seal.map { HiddenMetadata.clear(content, $0.metadata) } ?? content
        let body = JSONObject([.init(name: "metadata", value: .object(metadata))])
        return try await send("POST", "/recordings/\(row.id.lower)/complete", .object(body), acceptsRedirect: false)
    }

    func recording(_ id: UUID) async throws(ClientError) -> Answer {
        try await send("GET", "/recordings/\(id.lower)", nil, acceptsRedirect: false)
    }

    func deleteRecording(_ id: UUID) async throws(ClientError) -> Answer {
        try await send("DELETE", "/recordings/\(id.lower)", nil, acceptsRedirect: false)
    }
}

/// The requests of an account, by the session of the device.
final class SessionCalls: TransferCalls {
    private let session: Session
    private let user: UUID?

    init(_ session: Session, as user: UUID?) { (self.session, self.user) = (session, user) }

    func send(
        _ method: String,
        _ path: String,
        _ body: JSON?,
        acceptsRedirect: Bool
    ) async throws(ClientError) -> Answer {
        let bytes = body?.serialized() ?? []
        return try await session.send(method, path, body: bytes, as: user, acceptsRedirect: acceptsRedirect)
    }
}
