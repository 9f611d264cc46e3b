import Foundation

@testable import NeuroViewsClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport over URLSession to a server, with the limits of the test.
func sessionTransport(to url: String, _ change: (inout TransportLimits) -> Void = { _ in }) throws
    -> URLSessionTransport
{
    var limits = TransportLimits()
    limits.stallS = 30
    change(&limits)
    return URLSessionTransport(
        try Trust(server: url, Options()),
        limits: limits,
        configuration: URLSessionConfiguration.neuroViews(limits)
    )
}

extension URLSessionTransport {
    /// The error of a request that must fail.
    func failure(_ request: TransferRequest, into file: DownloadFile? = nil) async -> TransportError? {
        do throws(TransportError) {
            _ = try await send(request, into: file)
            return nil
        } catch {
            return error
        }
    }
}

/// Looks until the condition holds, for a minute at most. Returns whether it does.
func holds(_ condition: () -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard .now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(10))
    }
    return true
}

/// A file that is open for reading and writing, in a folder of its own.
final class LocalTestFile: Sendable {
    let folder: String
    let descriptor: Int32

    var path: String { folder + "/file" }
    var content: [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }

    init(_ content: [UInt8] = []) throws {
        folder = try newFolder()
        try Data(content).write(to: URL(fileURLWithPath: folder + "/file"))
        descriptor = open(folder + "/file", O_RDWR)
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A new folder that only this user can enter.
func newFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/neuroviews-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
    )
    return path
}
