import CloudSync
import HTTP

/// The newest change of the collection, in each response to a write. A client sends it as `seen` with its next pull.
enum SyncHead {
    static let name = "Sync-Head"
}

extension Written {
    /// The response that `make` builds from the result. Throws the problem of a refusal. `absent` is its detail if the
    /// item does not exist: what to do then depends on the request.
    func response(absent: String? = nil, _ make: (Value) -> Response) throws(Problem) -> Response {
        switch result {
        case .success(let value):
            var response = make(value)
            if let head { response.fields.append(SyncHead.name, head.text) }
            return response
        case .failure(let error):
            var problem = Problem(error)
            if let head { problem.fields.append((SyncHead.name, head.text)) }
            if let absent, problem.type == .notFound { problem.detail = absent }
            throw problem
        }
    }
}
