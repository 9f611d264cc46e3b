import FoundationEssentials
import Machine

/// Finds listening processes in the kernel's tables.
enum ListeningSockets {
    /// Returns true if `process` listens on that port of any address.
    static func belongs(port: UInt16, to process: Int32) -> Bool {
        let listening = nodes(port)
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)") else {
                return false
            }
            return listening.contains(target)
        }
    }

    /// The process of this program that listens on that port of any address; nil if there is none, or if this account may
    /// not see its sockets.
    static func ownProgram(port: UInt16) -> Int32? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let own = program("self")
        return names.compactMap { Int32($0) }.first { program("\($0)") == own && belongs(port: port, to: $0) }
    }

    /// The name of a process's program file; nil if this account may not see it. A replaced file is `… (deleted)`.
    private static func program(_ process: String) -> Substring? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return path?.split(separator: "/").last?.prefix { $0 != " " }
    }

    /// The sockets that listen on `port`, as named by descriptors: `socket:[4711]`.
    private static func nodes(_ port: UInt16) -> Set<String> {
        let suffix = ":" + String(65536 + Int(port), radix: 16, uppercase: true).dropFirst()
        var nodes: Set<String> = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let text = (try? FileDescriptor.readText(table, maxBytes: 1 << 24)) ?? ""
            for line in text.split(separator: "\n").dropFirst() {
                // "0: 0100007F:1F90 00000000:0000 0A … inode …"; 0A is LISTEN.
                let words = line.split(separator: " ")
                guard words.count > 9, words[1].hasSuffix(suffix), words[3] == "0A" else { continue }
                nodes.insert("socket:[\(words[9])]")
            }
        }
        return nodes
    }
}
