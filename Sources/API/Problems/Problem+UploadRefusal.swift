import HTTP
import Uploads

extension Problem {
    /// The response to a refused request of an upload, with the status of its dialect.
    init(_ refusal: UploadRefusal, _ status: Status) {
        self.init(refusal.problem, refusal.detail)
        self.status = status
        extensions = refusal.members.map { (name: $0.name, json: Array(String($0.value).utf8)) }
    }
}
