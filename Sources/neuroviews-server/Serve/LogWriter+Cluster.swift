import Observability
import PrivateCluster

extension LogWriter {
    /// Logs an event of the private cluster.
    func write(_ event: PrivateCluster.Event) {
        switch event {
        case .initialised(let folder, let milliseconds):
            write(.info, "postgresql", [("initialised", .text(folder)), ("ms", .number(milliseconds))])
        case .started(let process, let milliseconds):
            write(.info, "postgresql", [("started", .number(Int(process))), ("ms", .number(milliseconds))])
        case .adopted(let process): write(.info, "postgresql", [("adopted", .number(Int(process)))])
        case .ended(let process): write(.error, "postgresql", [("ended", .number(Int(process)))])
        case .failed(let problem): write(.error, "postgresql", [("failed", .text("\(problem)"))])
        }
    }
}
