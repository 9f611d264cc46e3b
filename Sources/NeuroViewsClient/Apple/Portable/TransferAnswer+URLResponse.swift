import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

extension TransferAnswer {
    /// The head of an answer. The system has no order of fields, and joins those of one name.
    init(_ response: HTTPURLResponse, body: [UInt8] = []) {
        let fields = response.allHeaderFields.compactMap { name, value -> TransferRequest.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
        self.init(status: response.statusCode, fields: fields, body: body)
    }
}

/// The verdict on the certificate of a peer.
struct TrustVerdict {
    let disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// The reason for a refusal.
    var problem: TrustProblem?

    /// The system decides.
    static var ofSystem: TrustVerdict { TrustVerdict(disposition: .performDefaultHandling) }

    /// The peer gets nothing.
    static func refusal(_ problem: TrustProblem) -> TrustVerdict {
        TrustVerdict(disposition: .cancelAuthenticationChallenge, problem: problem)
    }
}

extension Origin {
    /// Host and port.
    var place: String { "\(host.filter { !"[]".contains($0) }):\(port)" }
}

extension URLProtectionSpace {
    /// Host and port, as ``Origin`` has them.
    var place: String { "\(host.lowercased()):\(port)" }
}

extension FileRegion {
    /// The path of the file, if it is sent whole and as it is.
    var wholePath: String? {
        var status = stat()
        guard source == nil, offset == 0, fstat(descriptor, &status) == 0, Int64(status.st_size) == length else {
            return nil
        }
        return SystemCall.path(of: descriptor)
    }
}

extension PieceFolder {
    /// The bytes of a region, on the disk for as long as they are used. A file that changes meanwhile could end the app: so it is a
    /// copy, whose name goes at once.
    func mapped(_ region: FileRegion) async throws(TransportError) -> Data {
        let label = BackgroundLabel(upload: UUID(), offset: region.offset)
        let path = try await write(region, label)
        defer { remove(label) }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw .other("a part of the upload can't be read back")
        }
    }
}
