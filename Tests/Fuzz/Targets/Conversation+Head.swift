@testable import HTTP

extension Conversation {
    /// The contents of a request's head.
    struct Head: Equatable {
        let method: String
        let target: [UInt8]
        let path: [UInt8]
        let query: [UInt8]?
        let minorVersion: Int
        let keepsAlive: Bool
        let expectsContinue: Bool
        let length: BodyLength
        let host: String?
        let fields: [Field]

        struct Field: Equatable {
            let name: [UInt8]
            let value: [UInt8]
        }

        init(_ head: RequestHead, _ limits: WireLimits) throws {
            let bytes = head.headers.bytes
            method = head.method.name
            target = Array(bytes[head.parts.target.range])
            path = Array(head.pathBytes)
            query = head.query == nil ? nil : Array(head.queryBytes)
            minorVersion = head.minorVersion
            keepsAlive = head.keepsAlive
            expectsContinue = head.expectsContinue
            length = head.bodyLength
            host = head.host
            fields = head.headers.lines.map {
                Field(name: Array(bytes[$0.name.range]), value: Array(bytes[$0.value.range]))
            }
            try property("the head is within its limit", bytes.count <= limits.headMaxBytes)
            try property("the fields are within their limit", fields.count <= limits.fieldsMaxCount)
            try property("a path begins with a slash", path.first == .slash || path == [.asterisk])
            try property("HTTP/1.1 has a host", minorVersion == 0 || host?.isEmpty == false)
            try checkFields()
        }

        private func checkFields() throws {
            for field in fields {
                try property("a field's name is a token", !field.name.isEmpty && field.name.allSatisfy(\.isToken))
                let isClean = field.value.allSatisfy(\.isFieldContent)
                try property("a field's value has no control character", isClean)
                let isTrimmed = field.value.first?.isBlank != true && field.value.last?.isBlank != true
                try property("a field's value has no white space around it", isTrimmed)
            }
        }

        /// The shortest message with the same head.
        var message: [UInt8] {
            var bytes = Array(method.utf8) + [.space] + target + Array(" HTTP/1.\(minorVersion)\r\n".utf8)
            for field in fields { bytes += field.name + [.colon] + field.value + [.carriageReturn, .lineFeed] }
            return bytes + [.carriageReturn, .lineFeed]
        }
    }
}
