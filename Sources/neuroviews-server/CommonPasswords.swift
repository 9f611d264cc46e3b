import CloudSync
import Glibc

/// The list of passwords that nobody may set.
struct CommonPasswords {
    /// What new passwords must be, by as much of the list as could be read.
    let rules: PasswordRules
    /// Entries that are long enough to be a password.
    let count: Int
    /// Why the list is of no use; nil when it is.
    let problem: String?

    /// What ASVS 5.0 asks for (6.2.4).
    static let countMin = 3000
    private static let fileMaxBytes = 16 << 20

    /// Reads the list. Blocks.
    static func load(_ path: String) -> CommonPasswords {
        do throws(FileError) {
            return CommonPasswords(entries(try bytes(path)), path)
        } catch {
            return CommonPasswords(rules: PasswordRules(), count: 0, problem: "\(error)")
        }
    }

    private static func bytes(_ path: String) throws(FileError) -> [UInt8] {
        try FileDescriptor(path, O_RDONLY | O_NONBLOCK).read(maxBytes: fileMaxBytes)
    }

    /// Between line breaks, commas and quotation marks: one a line, or a list of Python or JSON. Shorter ones are refused for their length
    /// anyway.
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
