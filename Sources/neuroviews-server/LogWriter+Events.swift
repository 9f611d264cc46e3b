import API
import Postgres

/// What is logged of each kind of event.
extension LogWriter {
    /// One line a request.
    func write(_ event: RequestEvent) {
        write(event.status >= 500 ? .error : .info) { line in
            line.append("request id=")
            line.append(event.id)
            line.append(" method=")
            line.append(event.method)
            line.append(" path=")
            line.append(event.path)
            line.append(" status=")
            line.append(event.status)
            if let bytes = event.bytes {
                line.append(" bytes=")
                line.append(bytes)
            }
            line.append(" us=")
            line.append(Int(clamping: event.durationUs))
            if let peer = event.peer {
                line.append(" peer=")
                line.append(peer.host)
                if peer.port != 0 {
                    line.append(" port=")
                    line.append(Int(peer.port))
                }
            }
            if let problem = event.problem {
                line.append(" problem=")
                line.append(problem)
            }
            if let failure = event.failure {
                line.append(" failure=")
                line.appendQuoted(failure)
            }
        }
    }

    /// What happened to a database connection.
    func write(_ event: DatabaseEvent) {
        switch event {
        case .connectFailed(let reason): write("database connect failed=", reason)
        case .connectionLost(let reason): write("database connection lost=", reason)
        }
    }

    /// What happened to the private cluster.
    func write(_ event: PrivateCluster.Event) {
        switch event {
        case .initialised(let folder, let milliseconds):
            write(.info, "postgresql initialised=\(folder) ms=\(milliseconds)")
        case .started(let process, let milliseconds): write(.info, "postgresql started=\(process) ms=\(milliseconds)")
        case .adopted(let process): write(.info, "postgresql adopted=\(process)")
        case .ended(let process): write(.error, "postgresql ended=\(process)")
        case .failed(let problem): write("postgresql failed=", "\(problem)")
        }
    }

    private func write(_ message: String, _ reason: String) {
        write(.error) { line in
            line.append(message)
            line.appendQuoted(reason)
        }
    }
}
