import Foundation
import Testing

/// Project Wycheproof's test vectors.
package enum Wycheproof {
    /// A Wycheproof file as (group, test) pairs.
    package static func tests(_ name: String) throws -> [(group: [String: Any], test: [String: Any])] {
        let data = Data(try SharedVectors.bytes("wycheproof/\(name)"))
        let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let groups = try #require(document["testGroups"] as? [[String: Any]])
        return try groups.flatMap { group in
            try #require(group["tests"] as? [[String: Any]]).map { (group, $0) }
        }
    }
}

extension [String: Any] {
    /// A text member.
    package func text(_ name: String) throws -> String { try #require(self[name] as? String) }
    /// A number member.
    package func number(_ name: String) throws -> Int { try #require(self[name] as? Int) }
    /// A hexadecimal text member, decoded.
    package func bytes(_ name: String) throws -> [UInt8] { try hex(text(name)) }
}

/// Decodes hexadecimal text.
package func hex(_ text: String) throws -> [UInt8] {
    let digits = Array(text)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
        try #require(UInt8(String(digits[index...(index + 1)]), radix: 16))
    }
}
