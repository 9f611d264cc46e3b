import HTTP
import Net
import NeuroViewsWebSocket

/// A WebSocket that sends each message back, as the server uses its sockets. Used on its loop only.
final class EchoSocket {
    private static let messageMaxBytes = 64 << 20

    private let connection: HandedConnection
    private var reader = MessageReader(role: .server, messageMaxBytes: messageMaxBytes, fragmentsMax: .max)
    /// What the peer has not taken yet.
    private var output: [UInt8] = []
    /// True after the own close frame was queued.
    private var isClosing = false

    init(_ connection: HandedConnection) { self.connection = connection }

    /// Reads and writes until a wait, which keeps the socket alive. A peer that takes nothing is not read.
    func run() {
        do {
            while true {
                while !output.isEmpty {
                    let count = try connection.writeNow(output)
                    output.removeFirst(count)
                    if count == 0 { return connection.whenWritable { self.run() } }
                }
                if isClosing { return connection.close() }
                var bytes: [UInt8] = []
                guard let count = try connection.readNow(into: &bytes) else {
                    return connection.whenReadable { self.run() }
                }
                guard count > 0 else { return connection.close() }
                for event in reader.take(bytes) { answer(event) }
            }
        } catch {
            connection.reset()
        }
    }

    private func answer(_ event: MessageReader.Event) {
        switch event {
        case .message(let bytes, let isText): output += FrameWriter.frame(isText ? .text : .binary, bytes)
        case .ping(let payload): output += FrameWriter.frame(.pong, payload)
        case .pong: break
        case .close(let code, _): close(code)
        case .fault(let code): close(code.rawValue)
        }
    }

    private func close(_ code: UInt16?) {
        output += FrameWriter.frame(.close, code.map { FrameWriter.closePayload($0) } ?? [])
        isClosing = true
    }
}
