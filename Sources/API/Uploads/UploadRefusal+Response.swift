import HTTP
import JSON
import Uploads

extension UploadRefusal {
    /// The last part of the problem's type.
    var code: String {
        switch problem {
        case .own(let type): type.code
        case .registered(let code, _): code
        }
    }

    /// The response with the problem, with the status of the dialect.
    func response(_ status: Status, base: String, instance: String) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", string: problem.uri ?? "\(base)/problems/\(code)")
        writer.member("title", string: title)
        writer.member("status", integer: Int64(status.code))
        writer.member("detail", string: detail)
        writer.member("instance", string: instance)
        for member in members { writer.member(member.name, integer: Int64(member.value)) }
        writer.endObject()
        return Response(
            status,
            fields: [("Content-Type", "application/problem+json")],
            content: .bytes(writer.bytes)
        )
    }

    private var title: String {
        switch problem {
        case .registered(_, let title): title
        case .own(let type): type.title
        }
    }
}
