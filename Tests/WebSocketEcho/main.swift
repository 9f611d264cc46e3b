import Glibc
import HTTP
import Net
import NeuroViewsWebSocket

// Sends each message of WebSockets back. Prints its port, and ends with its standard input.
let loops = try (0..<2).map { try EventLoop(index: $0) }
guard let address = SocketAddress("127.0.0.1:0") else { fatalError("no address") }
let server = try Server(address, loops: loops, limits: ServerLimits()) { _, _ in
    Response(.badRequest)
} handler: { request in
    guard let key = request.head.headers.first("sec-websocket-key"), let accept = Handshake.accept(key: key) else {
        return Response(.badRequest)
    }
    let upgrade = request.upgrade(to: "websocket", fields: [("Sec-WebSocket-Accept", accept)]) { connection in
        EchoSocket(connection).run()
    }
    return upgrade ?? Response(.badRequest)
}
try await server.start()
print(server.address.port)
// The output may be a pipe, which is buffered.
fflush(nil)
while readLine() != nil {}
