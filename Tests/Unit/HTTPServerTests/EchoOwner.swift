import HTTP
import Net

/// Sends all bytes of a connection back, as fast as its client takes them, until the end of the stream.
final class EchoOwner {
    private let connection: HandedConnection
    private var pending: [UInt8] = []

    init(_ connection: HandedConnection) { self.connection = connection }

    /// The wait keeps the owner alive.
    func run() {
        do {
            while true {
                while !pending.isEmpty {
                    let count = try connection.writeNow(pending)
                    pending.removeFirst(count)
                    if count == 0 { return connection.whenWritable { self.run() } }
                }
                guard let count = try connection.readNow(into: &pending) else {
                    return connection.whenReadable { self.run() }
                }
                guard count > 0 else { break }
            }
            connection.close()
        } catch {
            connection.reset()
        }
    }
}
