import Foundation
import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("The schema of upload requests")
struct UploadRequestSchemaTests {
    private static func violations(ofEnvelope members: String) throws -> [Violation] {
        let file = URL(fileURLWithPath: Repository.path + "/OpenAPI/schemas/upload-request.json")
        let text = [UInt8](try Data(contentsOf: file))
        let schema = try Schema(compiling: try JSONParser.parse(text, policy: .requestBody))
        let body = #"{"file_size":1,"content_type":"video/mp4","encryption":{\#(members)}}"#
        return schema.violations(of: try JSONParser.parse(Array(body.utf8), policy: .requestBody))
    }

    @Test("An encryption envelope may have unknown members, and its known members are checked")
    func envelope() throws {
        let others = #""scheme":"x","wrapped_key":"a","key_id":"b","nonce_prefix":"c","segment_size":65536"#
        let unknown = #""suite":{"parts":[1.50,null]}"#
        #expect(try Self.violations(ofEnvelope: #"\#(others),"version":1,\#(unknown)"#) == [])
        let found = try Self.violations(ofEnvelope: #"\#(others),"version":0,\#(unknown)"#)
        #expect(found.map(\.pointer) == ["/encryption/version"])
    }
}
