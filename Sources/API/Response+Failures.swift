import HTTP
import Net
import Tracing

extension Response {
    /// Makes a streamed response that breaks off record the reason: its status was already
    /// sent. A client that left is no failure.
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
                // Only for the changes to the record.
                _ = Problem(error, record)
                throw error
            }
        }
    }
}
