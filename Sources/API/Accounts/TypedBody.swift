import CloudSync
import Credentials
import JSONSchema
import NeuroViewsJSON

extension RequestContext {
    /// The body of a form that a person fills in, valid by `schema`. Its address has the stored spelling, and its code
    /// has no gaps, so that every operation finds what the others do. Throws as `json`.
    func typedJSON(_ schema: Schema) async throws -> JSONValue {
        try await read { try JSONBody.value($0, schema, normalize: { $0.asMeant }) }
    }
}

extension JSONValue {
    fileprivate var asMeant: JSONValue {
        guard var body = object else { return self }
        if let email = body["email"]?.string { body.set("email", to: .string(MailAddress.spelling(of: email))) }
        if let code = body["code"]?.string { body.set("code", to: .string(TypedCode.withoutGaps(code))) }
        return .object(body)
    }
}
