import Foundation
import Hummingbird
import ServiceLifecycle
import Synchronization

/// A log of every request, written in blocks of 64 KiB and each second, as nginx writes its own: a line a request would be a
/// system call a request.
final class AccessLog: RouterMiddleware, Service {
    typealias Context = PeerContext

    private static let blockBytes = 64 << 10
    private let file: FileHandle
    private let pending = Mutex<[UInt8]>([])

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileNoSuchFile) }
        file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    func handle(
        _ request: Request,
        context: PeerContext,
        next: (Request, PeerContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let response = try await next(request, context)
        add(line(request, response, context, ContinuousClock.now - begin))
        return response
    }

    func run() async throws {
        while !Task.isShuttingDownGracefully {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            pending.withLock { write(&$0) }
        }
    }

    private func line(_ request: Request, _ response: Response, _ context: PeerContext, _ time: Duration) -> String {
        let now = Int(Date.now.timeIntervalSince1970)
        let us = time.components.attoseconds / 1_000_000_000_000
        let asked = "\(request.method.rawValue) \(request.uri.path)"
        return "\(now) \(context.address) \(asked) \(response.status.code) \(us) \(context.id)\n"
    }

    private func add(_ line: String) {
        pending.withLock { bytes in
            bytes.append(contentsOf: line.utf8)
            if bytes.count >= Self.blockBytes { write(&bytes) }
        }
    }

    private func write(_ bytes: inout [UInt8]) {
        try? file.write(contentsOf: bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
