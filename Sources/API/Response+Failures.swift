import HTTP
import Net

extension Response {
    /// Has a streamed answer that breaks off say why in the record: its status has long been sent. That the client has gone
    /// is no failure.
    mutating func noteFailures(in record: RequestRecord) {
        guard case .stream(let keptBytes, let length, let write) = content else { return }
        content = .stream(keepingBytes: keptBytes, length: length) { stream in
            do {
                try await write(stream)
                try stream.checkEnd()
            } catch let error as SocketFailure {
                throw error
            } catch {
                record.isCutOff = true
                // Only for the record.
                _ = Problem(error, record)
                throw error
            }
        }
    }
}
