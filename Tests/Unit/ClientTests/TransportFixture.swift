import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

/// A transport to a server, with the limits and options of the test.
func makeTransport(
    to url: String,
    stallS: Int = 30,
    _ change: (inout Options) -> Void = { _ in }
) throws -> CurlTransport {
    var limits = TransportLimits()
    limits.stallS = stallS
    var options = Options()
    change(&options)
    return try CurlTransport(try Trust(server: url, options), limits: limits)
}

extension CurlTransport {
    /// The error of a request that must fail.
    func failure(_ request: TransferRequest, into file: DownloadFile? = nil) async -> TransportError? {
        do throws(TransportError) {
            let answer = try await send(request, into: file)
            Issue.record("an answer with status \(answer.status)")
            return nil
        } catch {
            return error
        }
    }
}

/// A file that is open for reading and writing, in a folder of its own.
final class OpenFile: Sendable {
    let path: String
    let descriptor: Int32

    init(_ content: [UInt8] = []) throws {
        path = Sandbox.makeFolder() + "/file"
        try Data(content).write(to: URL(fileURLWithPath: path))
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestSupportError("no file") }
    }

    /// Zeros without blocks on the disk.
    convenience init(zeros: Int) throws {
        try self.init()
        ftruncate(descriptor, zeros)
    }

    deinit { close(descriptor) }

    var content: [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }
}
