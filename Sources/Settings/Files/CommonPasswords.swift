import CloudSync
import Glibc
import Machine

/// The list of passwords that are rejected for being common.
package struct CommonPasswords {
    /// The rules for new passwords, with the entries that could be read.
    package let rules: PasswordRules
    /// Entries that are long enough to be a password.
    package let count: Int
    /// The reason why the list cannot be used; nil if it can.
    package let problem: String?

    /// The minimum of ASVS 5.0 (6.2.4).
    static let countMin = 3000
    private static let fileMaxBytes = 16 << 20

    /// Reads the list. Blocks.
    package static func load(_ path: String) -> CommonPasswords {
        do throws(FileError) {
            return CommonPasswords(entries(try bytes(path)), path)
        } catch {
            return CommonPasswords(rules: PasswordRules(), count: 0, problem: "\(error)")
        }
    }

    private static func bytes(_ path: String) throws(FileError) -> [UInt8] {
        try FileDescriptor(path, O_RDONLY | O_NONBLOCK).read(maxBytes: fileMaxBytes)
    }

    /// Entries are separated by line breaks, commas or quotation marks: one entry a line, or a list in Python or JSON.
    /// Too short entries are left out: the length rule rejects them anyway.
    private static func entries(_ bytes: [UInt8]) -> Set<String> {
        let pieces = bytes.split { $0 < 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
        let texts = pieces.lazy.filter { $0.count >= PasswordRules.lengths.lowerBound }
            .map { Password(String(decoding: $0, as: UTF8.self)).folded }
        return Set(texts)
    }
}

extension CommonPasswords {
    fileprivate init(_ entries: Set<String>, _ path: String) {
        let count = entries.count
        let problem = "\(path) has \(count) passwords that are long enough, and \(Self.countMin) are needed"
        self.init(rules: PasswordRules(common: entries), count: count, problem: count < Self.countMin ? problem : nil)
    }
}
