import CloudSync
import HTTP

/// The newest change of the collection, in each response to a write. A client sends it as `seen` with its next pull.
enum SyncHead {
    static let name = "Sync-Head"
}

extension Written {
    /// The response that `make` builds from the result. Throws the problem of a refusal.
    func response(_ make: (Value) -> Response) throws(Problem) -> Response {
        switch result {
        case .success(let value):
            var response = make(value)
            if let head { response.fields.append(SyncHead.name, head.text) }
            return response
        case .failure(let error):
            var problem = Problem(error)
            if let head { problem.fields.append((SyncHead.name, head.text)) }
            throw problem
        }
    }
}
